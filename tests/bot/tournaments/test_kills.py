"""A program that dies between commits: the next one does the rest, and nothing twice."""

import pytest
from sqlalchemy import text

from bot.db.database import Database
from bot.tournaments.intervening import Intervener
from bot.tournaments.model import Format, How
from bot.tournaments.pairings import next_pairings
from tests.bot.playing import HERE
from tests.bot.tournaments.programs import ORGANISER, KilledError, Serve, opened, run


@pytest.mark.parametrize("kind", [Format.SWISS, Format.KNOCKOUT])
async def test_kills_between_commits(serve: Serve, database: Database, kind: Format) -> None:
    """Wherever the program dies, the tournament has all its games, and each has one match.

    It dies before each third write, on PostgreSQL before each twelfth: the same service writes.
    """
    whole = serve()
    first = await opened(whole.service, 5, format=kind)
    await run(serve, first, whole)
    wanted = await whole.service.get(first)
    writes = whole.store.life.passed  # type: ignore[attr-defined]
    assert writes > 12
    step = 12 if database.dialect.name == "postgresql" else 3
    for fatal in range(1 + (kind is Format.SWISS), writes + 1, step):
        mortal = serve(fatal)
        tournament_id = await opened(serve().service, 5, format=kind)
        assert await run(serve, tournament_id, mortal) == 1
        found = (await serve().service.get(tournament_id)).tournament
        keys = sorted(one.pairing.key for one in found.games)
        assert keys == sorted(one.pairing.key for one in wanted.tournament.games)
        assert all(one.over for one in found.games)
        begun = sum(one.how is How.PLAYED for one in found.games)
        async with database.connect() as connection:
            matches_of = text(f"SELECT count(*) FROM matches WHERE tournament_id = {tournament_id}")
            assert (await connection.execute(matches_of)).scalar_one() == begun


async def test_a_correction_that_is_cut_off(serve: Serve) -> None:
    """The game goes on. Called off without the result, it would be drawn and played again."""
    program = serve()
    stored = await program.playing(4, format=Format.KNOCKOUT)
    game = stored.tournament.being_played[0].pairing
    begun = await program.service.begin_match(stored, game, HERE)
    with pytest.raises(KilledError):
        await serve(1).corrections.correct(stored.id, Intervener(ORGANISER), game.key, (1, 0))
    assert (await program.matches.get(begun.id)).match.outcome is None


async def test_a_round_is_written_whole(serve: Serve) -> None:
    """One write draws a Swiss round, so a later version with other lots finds nothing to draw."""
    tournament_id = await opened(serve().service, 9, places=9)
    await serve().service.start(tournament_id, Intervener(ORGANISER))
    program = serve()
    progress = program.progress
    stored = await progress.advance(tournament_id)
    assert program.store.life.passed == 1  # type: ignore[attr-defined]
    assert len(stored.tournament.games) == 5
    assert next_pairings(stored.tournament) == ()
