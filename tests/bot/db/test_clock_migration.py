"""0003 to 0004: earlier matches have no clock; members have a week to answer the computer."""

import time

from sqlalchemy import text

from bot.db.database import create_engine, open_database
from bot.identity import ChannelId, InvitationId, MatchId, ServerId
from bot.invitations.store import InvitationStore
from bot.matches.clock import DAY
from bot.matches.settings import ServerSettings
from bot.matches.store import MatchStore
from bot.servers.store import SettingsStore
from core.players import Member
from tests.bot.db.migrating import upgrade_to
from tests.bot.playing import begin

_MATCHES = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at)
    VALUES (1, 10, 20, 'tictactoe', '{}', :start, 'b2 a1 b1 a2 b3', :due, 1, 2),
           (2, 10, 20, 'tictactoe', '{}', :start, 'b2', :due, 3, NULL),
           (3, 10, 30, 'tictactoe', '{}', :start, '', :due, 3, NULL)
"""
_SEATS = """
    INSERT INTO seats (match_id, seat, user_id, name, level)
    VALUES (1, 0, 1, 'Alice', NULL), (1, 1, 2, 'Bob', NULL),
           (2, 0, 1, 'Alice', NULL), (2, 1, 2, 'Bob', NULL),
           (3, 0, 1, 'Alice', NULL), (3, 1, NULL, NULL, 'easy')
"""
_CHALLENGE = """
    INSERT INTO challenges (id, guild_id, channel_id, game, options, challenger_id,
        challenger_name, opponent_id, opponent_name, challenger_first, status, expires_at)
    VALUES (1, 10, 40, 'tictactoe', '{}', 1, 'Alice', 2, 'Bob', :first, 'open', 9)
"""


async def test_matches_from_before_clocks(url: str) -> None:
    """Live matches continue without a clock and keep their channels; settings have defaults."""
    engine = create_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade_to, "0003")
        start = {"start": begin().initial.notation, "due": False}
        await connection.execute(text(_MATCHES), start)
        await connection.execute(text(_SEATS))
        await connection.execute(text(_CHALLENGE), {"first": True})
    await engine.dispose()
    async with open_database(url) as engine:
        store = MatchStore(engine)
        over, live, alone = [await store.load(number) for number in map(MatchId, (1, 2, 3))]
        assert over and live and alone
        assert [found.clock for found in (over, live, alone)] == [None] * 3
        assert over.timing.due_at is live.timing.due_at is None
        assert abs((alone.timing.due_at or 0) - time.time() - 7 * DAY) < 60
        assert await store.live(ChannelId(20)) == live and await store.live(ChannelId(30)) == alone
        offered = await InvitationStore(engine).load(InvitationId(1))
        assert offered is not None and offered.clock is None
        assert await SettingsStore(engine).settings(ServerId(10)) == ServerSettings()
        moved = live.match.resign(Member(1))
        assert (await store.save(live, moved, 9)).timing.due_at is None
