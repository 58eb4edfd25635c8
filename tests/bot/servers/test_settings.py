"""The settings of servers and members, in both databases."""

from dataclasses import fields, replace
from typing import cast

import pytest
from sqlalchemy import select

from bot.db.database import Database
from bot.db.tables import member_settings
from bot.forms import Form
from bot.i18n import own_texts
from bot.identity import ChannelId, RoleId, ServerId
from bot.matches.clock import checked_clock
from bot.matches.settings import (
    Challengers,
    NewOwnSettings,
    NewSettings,
    OwnSettings,
    ServerSettings,
)
from bot.matches.store import MatchStore, SettingsStore
from bot.ratings.model import Visibility
from bot.refusals import Refusal
from bot.servers.view import settings_text
from tests.bot.playing import ALICE_ID, BOB_ID, ROUNDS, SERVER, both, create, loaded


@pytest.fixture
def settings(database: Database) -> SettingsStore:
    return SettingsStore(database)


async def test_settings_round_trip(settings: SettingsStore) -> None:
    """An unset option has its default, and setting one option keeps the others."""
    first, second, big = ServerId(1), ServerId(2), ChannelId(2**63 - 1)
    assert await settings.settings(first) == ServerSettings()
    await settings.change(first, {"boards_stay": False})
    assert await settings.settings(first) == ServerSettings(boards_stay=False)
    changes: NewSettings = {"channels": (big, ChannelId(5)), "clock": None}
    await settings.change(first, {**changes, "challenge_seconds": 120})
    assert await settings.settings(first) == ServerSettings((big, ChannelId(5)), None, 120, False)
    await settings.change(first, {"channels": ()})
    assert await settings.settings(first) == ServerSettings((), None, 120, False)
    assert await settings.settings(second) == ServerSettings()


# A value of each setting that isn't the default.
OTHER = ServerSettings((ChannelId(5),), 300, 120, False, Form.PICTURE, "de", RoleId(7))


@pytest.mark.parametrize("name", [field.name for field in fields(ServerSettings)])
async def test_each_setting_is_kept_and_shown(settings: SettingsStore, name: str) -> None:
    """A moderator who changes only one sees it among all settings."""
    before, texts = ServerSettings(), own_texts("en-GB")
    changes = {name: getattr(OTHER, name)}
    await settings.change(SERVER, cast("NewSettings", changes))
    changed = await settings.settings(SERVER)
    assert changed == replace(before, **changes) != before
    shown = [
        settings_text(one, 900, "en-GB", texts, channels=one.channels) for one in (changed, before)
    ]
    assert shown[0] != shown[1]


async def test_the_form_of_boards(
    database: Database, settings: SettingsStore, store: MatchStore
) -> None:
    """A match has the members' choices, else the server's; a choice taken back leaves no row."""
    await settings.change_own(ALICE_ID, {"board": Form.WORDS})
    await settings.change(SERVER, {"boards": Form.PICTURE})
    stored = await create(store)
    assert stored.forms == {ALICE_ID: Form.WORDS, BOB_ID: Form.PICTURE}
    assert await store.load(stored.id) == stored
    await settings.change_own(ALICE_ID, {"board": None})
    assert (await loaded(store, stored.id)).forms == dict.fromkeys((ALICE_ID, BOB_ID), Form.PICTURE)
    async with database.connect() as connection:
        assert (await connection.execute(select(member_settings))).all() == []


async def test_members_who_take_no_challenges(database: Database, settings: SettingsStore) -> None:
    """They are found among others; a choice taken back leaves no row."""
    both_of_them = (ALICE_ID, BOB_ID)
    for _ in range(2):
        await settings.change_own(ALICE_ID, {"challengers": Challengers.NOBODY})
    assert await settings.unwilling(both_of_them) == {ALICE_ID}
    await settings.change_own(ALICE_ID, {"challengers": Challengers.EVERYBODY})
    assert await settings.unwilling(both_of_them) == set()
    async with database.connect() as connection:
        assert (await connection.execute(select(member_settings))).all() == []


async def test_own_settings_round_trip(settings: SettingsStore) -> None:
    """An unset choice has its default, and a new choice keeps the others."""
    assert await settings.own(ALICE_ID) == OwnSettings()
    chosen = OwnSettings(Form.WORDS, Visibility.HIDDEN, Challengers.NOBODY)
    for name, value in vars(chosen).items():
        await settings.change_own(ALICE_ID, cast("NewOwnSettings", {name: value}))
    assert await settings.own(ALICE_ID) == chosen
    await settings.change_own(ALICE_ID, {"shown": Visibility.UNNAMED})
    assert await settings.own(ALICE_ID) == replace(chosen, shown=Visibility.UNNAMED)


async def test_two_moderators_at_once(settings: SettingsStore) -> None:
    """Simultaneous changes by two moderators both take effect."""
    for number in map(ServerId, range(ROUNDS)):
        await both(
            settings.change(number, {"clock": 300}), settings.change(number, {"boards_stay": False})
        )
        assert await settings.settings(number) == ServerSettings(clock=300, boards_stay=False)


@pytest.mark.parametrize("clock", [1, 59, 604_801, -300, 2**62])
def test_clocks_outside_the_limits_are_refused(clock: int) -> None:
    """Our limits hold even for values that Discord lets through."""
    with pytest.raises(Refusal, match=r"refusal\.clock"):
        checked_clock(clock)
