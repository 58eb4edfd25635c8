"""0020 to 0021: the boards that are to be removed have rows of their own."""

from sqlalchemy import text

from bot.db.database import create_engine, open_database
from tests.bot.db.migrating import upgrade_to

_MATCHES = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at, ending, old_boards)
    VALUES (1, 10, 20, 'tictactoe', '{}', '', '', :none, 1, 2, 'agreement',
            ' 1456074443980800045 46'),
           (2, 10, 21, 'tictactoe', '{}', '', '', :none, 1, 2, 'agreement', '47'),
           (3, 10, 22, 'tictactoe', '{}', '', '', :none, 1, 2, 'agreement', '')
"""


async def test_old_boards_are_kept(url: str) -> None:
    """Whatever was to be removed still is."""
    engine = create_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade_to, "0020")
        await connection.execute(text(_MATCHES), {"none": False})
    await engine.dispose()
    async with open_database(url) as migrated, migrated.connect() as connection:
        rows = await connection.execute(text("SELECT message_id, match_id FROM old_boards"))
        assert {(row.message_id, row.match_id) for row in rows} == {
            (1456074443980800045, 1),
            (46, 1),
            (47, 2),
        }
