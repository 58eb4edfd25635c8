"""A server's settings are kept, and fit into one message in every language."""

from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

from bot.db.database import Database
from bot.honours.model import HonourSettings, NewHonourSettings, Rule, Trouble
from bot.honours.service import MOST_ROLES
from bot.honours.store import HonourStore
from bot.honours.view import honours_text
from bot.i18n import own_texts
from bot.i18n.languages import LANGUAGES
from bot.identity import ChannelId, RoleId
from bot.matches.options import MOST_CHANNELS
from bot.matches.settings import ServerSettings
from bot.puzzles.model import Daily
from bot.puzzles.view import daily_text
from bot.servers.view import settings_text
from tests.bot.playing import SERVER

# https://discord.com/developers/docs/components/reference: characters of all texts of a message
MAX_TEXT = 4000
LARGEST_ID = 2**64 - 1


@pytest.mark.parametrize("locale", LANGUAGES)
def test_all_settings_fit(locale: str) -> None:
    """They fit with as many channels and roles as are allowed, none of which the bot can give."""
    texts, channel, role = own_texts(locale), ChannelId(LARGEST_ID), RoleId(LARGEST_ID)
    server = replace(ServerSettings(), channels=(channel,) * MOST_CHANNELS, begin_role=role)
    show = partial(settings_text, server, 900, locale, texts, channels=server.channels)
    shown = [show(role_deleted=gone) for gone in (False, True)]
    said = max(shown, key=len), daily_text(Daily(channel, 9, None, 3), texts)
    for trouble in Trouble:
        rules = [Rule(role, 1000, trouble)] * MOST_ROLES
        honours = HonourSettings(channel, tells_achievements=True, everywhere=True, rules=rules)
        missing = ["view_channel", "send_messages_in_threads"]
        assert len("\n".join([*said, honours_text(honours, missing, texts)])) <= MAX_TEXT


@pytest.mark.parametrize("name", sorted({*NewHonourSettings.__annotations__} - {"season_told"}))
async def test_each_choice_is_kept_and_shown(database: Database, name: str) -> None:
    """A moderator who changes only one sees it among all settings."""
    honours, texts = HonourStore(database), own_texts("en-GB")
    before = await honours.settings(SERVER)
    changes: dict[str, Any] = {name: ChannelId(5) if name == "season_channel" else True}
    await honours.change(SERVER, cast("NewHonourSettings", changes))
    changed = await honours.settings(SERVER)
    assert changed == replace(before, **changes) != before
    assert honours_text(changed, (), texts) != honours_text(before, (), texts)
