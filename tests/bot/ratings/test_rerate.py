"""`python -m bot rerate`: repairs and refusals."""

from pathlib import Path

import pytest
from sqlalchemy import text

from bot.__main__ import main
from bot.db.database import Database, open_database
from bot.failures import ExitCode
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from bot.ratings import rerate
from tests.bot.playing import HERE, NAMES, NOW, X_WINS, begin
from tests.bot.processes import one_sentence, run_beside, run_here
from tests.bot.ratings.counting import nothing_changes_when_rated_anew, won, written
from tests.core.boards import ALICE, BOB, CAROL, after


async def test_rerate_repairs_ratings(tmp_path: Path, migrated_sqlite_url: str) -> None:
    """`rerate` repairs damaged ratings, prints the number of matches, and ends."""
    async with open_database(migrated_sqlite_url) as database:
        store = MatchStore(database)
        stored = await store.create(NewMatch(HERE, begin(), NAMES), NOW)
        over = await store.save(stored, after(stored.match, X_WINS), NOW)
        async with database.begin() as connection:
            await connection.execute(text("DELETE FROM ratings"))
            await connection.execute(text("UPDATE standings SET wins = 7, rating = 9999"))
            await connection.execute(text("UPDATE seats SET rating_after = 1"))
            columns = "game, period, wins, draws, losses, rating, present, settled"
            nobodys = (
                f"INSERT INTO standings SELECT guild_id, user_id + 99, {columns} FROM standings"
            )
            await connection.execute(text(nobodys))
    for _ in range(2):
        ended = await run_beside(tmp_path, "rerate")
        assert (ended.code, ended.said) == (0, "")
        assert "rated matches: 1" in ended.complained
        async with open_database(migrated_sqlite_url) as database:
            assert await MatchStore(database).load(stored.id) == over
            async with database.connect() as connection:
                wins = await connection.execute(
                    text("SELECT sum(wins), max(rating) FROM standings")
                )
                assert tuple(wins.one()) == (6, 1078)


@pytest.mark.parametrize("at_once", [1, 2, 3, 10])
async def test_matches_are_recounted_a_few_at_a_time(
    database: Database, store: MatchStore, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """All matches of a large server filled the memory. Ordinals may have gaps."""
    monkeypatch.setattr(rerate, "_AT_ONCE", at_once)
    for first, second in ((ALICE, BOB), (BOB, ALICE), (ALICE, BOB), (ALICE, CAROL)):
        await won(store, first, second)
    async with database.begin() as connection:
        await connection.execute(text("UPDATE matches SET rated_as = 9 WHERE rated_as = 4"))
    await nothing_changes_when_rated_anew(database, 4)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE seats SET rank = NULL WHERE match_id = :match AND seat = 0",
        "UPDATE seats SET user_id = NULL WHERE match_id = :match AND seat = 1",
        "DELETE FROM seats WHERE match_id = :match AND seat = 1",
        "UPDATE matches SET ended_at = NULL WHERE id = :match",
        "UPDATE matches SET ended_at = 9000000000000000 WHERE id = :match",
    ],
)
async def test_a_damaged_match_is_left_out(
    database: Database, store: MatchStore, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    """The others are counted, so it keeps no bot from starting after an update."""
    await won(store, ALICE, BOB)
    rated = await written(database)
    damaged = await won(store, BOB, CAROL)
    async with database.begin() as connection:
        await connection.execute(text(damage), {"match": damaged.id})
        assert await connection.run_sync(rerate.rerate) == 1
    assert (await written(database))[:2] == rated[:2]
    assert f"match {damaged.id} isn't counted" in caplog.text


async def test_a_server_of_damaged_matches_alone(database: Database, store: MatchStore) -> None:
    """It has nothing to count, and keeps no bot from starting either."""
    damaged = await won(store, ALICE, BOB)
    async with database.begin() as connection:
        change = "UPDATE seats SET rank = NULL WHERE match_id = :match"
        await connection.execute(text(change), {"match": damaged.id})
        assert await connection.run_sync(rerate.rerate) == 0
    assert (await written(database))[:2] == [[], []]


async def test_ordinals_may_be_any_numbers(database: Database, store: MatchStore) -> None:
    """The database doesn't limit them, and a huge one would take years if all were looked at."""
    for _ in range(3):
        await won(store, ALICE, BOB)
    async with database.begin() as connection:
        for ordinal, stored in ((-7, 1), (2**62, 3)):
            values = {"ordinal": ordinal, "stored": stored}
            changed = "UPDATE matches SET rated_as = :ordinal WHERE rated_as = :stored"
            await connection.execute(text(changed), values)
    await nothing_changes_when_rated_anew(database, 3)


@pytest.mark.parametrize("arguments", [("rate",), ("rerate", "now"), ("--rerate",)], ids=str)
def test_unknown_arguments_end_the_program(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
) -> None:
    """They end the program with its usage, before any database is created."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    complained = capsys.readouterr().err
    assert "usage: python -m bot" in complained
    assert not (tmp_path / "rowbot.db").exists()


def test_rerate_without_a_database(tmp_path: Path) -> None:
    """A wrong DATABASE_URL ends `rerate` with one sentence."""
    settings = {"DATABASE_URL": "sqlite:///no/such/folder/rowbot.db"}
    ended = run_here(tmp_path, "rerate", settings=settings)
    sentence = one_sentence(ended, ExitCode.TRY_AGAIN)
    assert "DATABASE_URL" in sentence
