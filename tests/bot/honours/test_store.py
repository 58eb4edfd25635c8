"""Seasons and roles in both databases: which are due, who gets them, and what was given."""

import pytest

from bot.db.database import Database
from bot.db.statements import upsert
from bot.db.tables import members, standings
from bot.honours.model import DueSeason, GivenRole, Rule, Trouble
from bot.honours.store import HonourStore
from bot.identity import ChannelId, MemberId, RoleId, ServerId
from bot.ratings.model import ALL_GAMES, ALL_TIME
from bot.shards import Shards
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, SERVER

ROLE, OTHER_ROLE = RoleId(7), RoleId(8)


@pytest.fixture
def honours(database: Database) -> HonourStore:
    return HonourStore(database)


async def test_seasons_that_are_due(honours: HonourStore, database: Database) -> None:
    """A season is due for a channel until it is noted, and then no more."""
    await honours.change(SERVER, {"season_channel": ChannelId(5), "season_told": "2025-11"})
    await honours.change(ServerId(11), {"everywhere": True})
    (due,) = await honours.due("2025-12")
    assert due == DueSeason(SERVER, ChannelId(5), "2025-12")
    assert await HonourStore(database.serving(Shards(1, 1, 2))).due("2025-12") == []
    await honours.change(SERVER, {"season_told": "2025-12"})
    assert await honours.due("2025-12") == []
    assert len(await honours.due("2026-01")) == 1
    await honours.change(SERVER, {"season_channel": None})
    assert await honours.due("2026-01") == []


async def test_members_who_get_roles(honours: HonourStore, database: Database) -> None:
    """Members with the settled rating, or with the most wins, who are listed and on the server."""

    def standing(member: MemberId, **more: object) -> dict[str, object]:
        results = {"wins": 5, "draws": 0, "losses": 0, "rating": 1200, "settled": True}
        return {"guild_id": SERVER, "user_id": member, "present": True, **results, **more}

    def member(member_id: MemberId, *, present: bool = True) -> dict[str, object]:
        return {"guild_id": SERVER, "user_id": member_id, "name": "", "present": present}

    rated = {"game": "tictactoe", "period": ALL_TIME}
    season: dict[str, object] = {"game": ALL_GAMES, "period": "2025-12", "rating": None}
    rows = [
        standing(ALICE_ID, **rated),
        standing(BOB_ID, **rated, present=False),
        standing(CAROL_ID, **rated, settled=False),
        standing(MemberId(9), **rated, rating=1099),
        *(standing(one, **season) for one in (ALICE_ID, CAROL_ID)),
        standing(BOB_ID, **season, wins=9, present=False),
        standing(MemberId(9), **season, wins=4),
        standing(ALICE_ID, **season | {"period": "2026-01", "wins": 0, "draws": 5}),
    ]
    async with database.begin() as connection:
        await connection.run_sync(upsert, standings, rows)
        await connection.run_sync(upsert, members, [member(ALICE_ID), member(CAROL_ID)])
    assert await honours.rated(SERVER, 1100) == [ALICE_ID]
    assert await honours.rated(SERVER, 1200) == [ALICE_ID]
    assert await honours.rated(ServerId(11), 1100) == []
    assert sorted(await honours.winners(SERVER, "2025-12")) == [ALICE_ID, CAROL_ID]
    assert await honours.winners(SERVER, "2026-01") == []
    async with database.begin() as connection:
        gone = [member(one, present=False) for one in (ALICE_ID, CAROL_ID)]
        await connection.run_sync(upsert, members, gone)
    assert await honours.winners(SERVER, "2025-12") == [], "who comes after them hasn't won"


async def test_rules_and_given_roles(honours: HonourStore) -> None:
    """A role has one rule, trouble is news once, and a given role is noted, then confirmed."""
    await honours.set_rule(SERVER, ROLE, 1200)
    await honours.set_rule(SERVER, OTHER_ROLE, None)
    await honours.set_rule(SERVER, ROLE, 1300)
    assert await honours.rules(SERVER) == [Rule(OTHER_ROLE, None), Rule(ROLE, 1300)]
    news = [await honours.note_trouble(SERVER, ROLE, Trouble.HIGHER) for _ in range(2)]
    assert news == [True, False]
    assert (await honours.settings(SERVER)).rules[1].trouble is Trouble.HIGHER
    assert await honours.note_trouble(SERVER, ROLE, None)
    for _ in range(2):
        await honours.note_giving(SERVER, [GivenRole(ROLE, one) for one in (ALICE_ID, BOB_ID)])
    await honours.note_held(SERVER, GivenRole(ROLE, ALICE_ID), 100)
    assert sorted((one.member_id, one.held) for one in await honours.given(SERVER)) == [
        (ALICE_ID, True),
        (BOB_ID, False),
    ]
    assert not await honours.note_lost(SERVER, ALICE_ID, joined_at=100)
    assert not await honours.note_lost(SERVER, BOB_ID, joined_at=101)
    assert await honours.note_lost(SERVER, ALICE_ID, joined_at=101)
    assert not any(one.held for one in await honours.given(SERVER))
    await honours.drop_given(SERVER, GivenRole(ROLE, BOB_ID))
    assert await honours.drop_rule(SERVER, ROLE) and not await honours.drop_rule(SERVER, ROLE)
    assert await honours.servers_with_roles() == [SERVER]
