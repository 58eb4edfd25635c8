"""0007 to 0008: matches get the time of their last move, as far as it can be told."""

from sqlalchemy import text

from bot.db.database import create_engine, open_database
from tests.bot.db.migrating import upgrade_to

WEEK = 7 * 86_400
STARTED, ENDED, DUE = 1000, 2000, 9000 + WEEK
_MATCH = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at, deadline, due_at)
    VALUES (:id, 10, :id, 'tictactoe', '{}', '', '', :none, 1000, :ended_at, :deadline, :due_at)
"""
# The end, the deadline and the next sweep of a match, and the time that they tell.
CASES = {
    "over": (ENDED, None, None, ENDED),
    "against the computer": (None, None, DUE, 9000),
    "with a clock": (None, DUE, DUE - 60, STARTED),
    "without a clock": (None, None, None, STARTED),
}


async def test_no_match_counts_as_idle_since_ever(url: str) -> None:
    """One against the computer seems at most as idle as it is, so that nobody loses a channel."""
    rows = [
        {"id": number, "ended_at": ended_at, "deadline": deadline, "due_at": due_at, "none": False}
        for number, (ended_at, deadline, due_at, _) in enumerate(CASES.values())
    ]
    engine = create_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade_to, "0007")
        await connection.execute(text(_MATCH), rows)
    await engine.dispose()
    async with open_database(url) as migrated, migrated.connect() as connection:
        found = await connection.execute(text("SELECT moved_at FROM matches ORDER BY id"))
        moved = dict(zip(CASES, found.scalars(), strict=True))
    assert moved == {case: told[-1] for case, told in CASES.items()}
