"""0011 to 0012: a match without a result has no ranks; what was offered stands."""

from sqlalchemy import text

from bot.db.database import create_engine, open_database
from tests.bot.db.migrating import upgrade_to

_MATCHES = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at, ending)
    VALUES (1, 10, 20, 'tictactoe', '{}', '', '', :none, 1, 2, 'called_off'),
           (2, 10, 21, 'tictactoe', '{}', '', '', :none, 1, 2, 'abandoned'),
           (3, 10, 22, 'tictactoe', '{}', '', '', :none, 1, 2, 'agreement'),
           (4, 10, 23, 'tictactoe', '{}', '', '', :none, 1, 2, NULL)
"""
_SEATS = "INSERT INTO seats (match_id, seat, user_id, rank) VALUES (:match, 0, 7, 1)"
_OFFER = "INSERT INTO offers (match_id, kind, seat, ply) VALUES (4, 'rematch', 0, 0)"


async def test_a_match_without_a_result_loses_its_ranks(url: str) -> None:
    """Those of a draw and of a result on the board stay, and so do offers."""
    engine = create_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade_to, "0011")
        await connection.execute(text(_MATCHES), {"none": False})
        await connection.execute(text(_SEATS), [{"match": number} for number in range(1, 5)])
        await connection.execute(text(_OFFER))
    await engine.dispose()
    async with open_database(url) as migrated, migrated.connect() as connection:
        ranks = await connection.execute(text("SELECT rank FROM seats ORDER BY match_id"))
        assert list(ranks.scalars()) == [None, None, 1, 1]
        offers = await connection.execute(text("SELECT COUNT(*) FROM offers"))
        assert offers.scalar_one() == 1
        asked = await connection.execute(text("SELECT COUNT(*) FROM questions"))
        assert asked.scalar_one() == 0
