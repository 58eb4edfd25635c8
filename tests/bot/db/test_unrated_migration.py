"""0005 to 0006: finished matches get the reason why they are unrated."""

from typing import Any

from sqlalchemy import text

from bot.db.database import create_engine, open_database
from bot.identity import MatchId
from bot.matches.store import MatchStore
from bot.ratings.model import Unrated
from tests.bot.db.migrating import upgrade_to
from tests.bot.playing import NOW, X_WINS, begin

_MATCH = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, ending, ending_seat,
                         computer_due, started_at, ended_at, hinted, undone, rated_as)
    VALUES (:id, 10, :id, 'tictactoe', '{}', :start, :moves, :ending, :ending_seat,
            :due, 1, :ended_at, :hinted, :undone, :rated_as)
"""
_SEATS = """
    INSERT INTO seats (match_id, seat, user_id, level)
    VALUES (:id, 0, 1, NULL), (:id, 1, :user_id, :level)
"""
_PLAYED = {
    "start": begin().initial.notation,
    "moves": X_WINS,
    "ending": None,
    "ending_seat": None,
    "due": False,
    "ended_at": NOW,
    "hinted": False,
    "undone": False,
    "rated_as": None,
}
_BOB = {"user_id": 2, "level": None}
_RESIGNED = {"ending": "resignation", "ending_seat": 1}
# The columns that differ from a match of alice and bob won by X, and the reason they imply.
CASES: dict[str, tuple[dict[str, Any], Unrated | None]] = {
    "rated": ({"rated_as": 1}, None),
    "live": ({"moves": "a1", "ended_at": None}, None),
    "live and hinted": ({"moves": "a1", "ended_at": None, "hinted": True}, None),
    "hinted": ({"hinted": True}, Unrated.HINTED),
    "undone": ({"undone": True}, Unrated.UNDONE),
    "hinted and undone": ({"hinted": True, "undone": True}, Unrated.HINTED),
    "undone and short": ({"undone": True, "moves": "a1", **_RESIGNED}, Unrated.UNDONE),
    "no ply": ({"moves": "", **_RESIGNED}, Unrated.SHORT),
    "three plies": ({"moves": "a1 a3 b1", **_RESIGNED}, Unrated.SHORT),
    "four plies": ({"moves": "a1 a3 b1 b3", **_RESIGNED}, Unrated.ENOUGH),
    "played to the end": ({}, Unrated.ENOUGH),
    "called off": ({"moves": "a1", "ending": "called_off", "hinted": True}, None),
    "the computer": ({"user_id": None, "level": "easy"}, None),
    "the computer, hinted": ({"user_id": None, "level": "easy", "hinted": True}, None),
    "oneself": ({"user_id": 1, "undone": True}, None),
}


async def test_the_reason_follows_from_the_row(url: str) -> None:
    """A finished match of members gets the reason its row implies, or else the daily limit."""
    rows = [{"id": n, **_PLAYED, **_BOB, **row} for n, (row, _) in enumerate(CASES.values(), 1)]
    engine = create_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade_to, "0005")
        for row in rows:
            await connection.execute(text(_MATCH), {name: row[name] for name in ("id", *_PLAYED)})
            await connection.execute(text(_SEATS), {name: row[name] for name in ("id", *_BOB)})
    await engine.dispose()
    async with open_database(url) as migrated:
        stored = [await MatchStore(migrated).load(MatchId(n)) for n in range(1, len(rows) + 1)]
    reasons = [match and match.unrated for match in stored]
    assert dict(zip(CASES, reasons, strict=True)) == {case: why for case, (_, why) in CASES.items()}
    assert None not in stored
