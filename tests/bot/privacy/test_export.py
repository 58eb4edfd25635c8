"""A member's data as a zip file: complete, and in little memory."""

import json
import time
import tracemalloc
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import insert, update

from bot.db.database import Database
from bot.db.tables import (
    matches,
    offers,
    standings,
    tournament_entrants,
    tournament_games,
    tournaments,
)
from bot.identity import Person
from bot.privacy.service import PrivacyService
from bot.privacy.store import export
from bot.times import DAY
from bot.tournaments.model import Format
from bot.tournaments.rows import tournament_row
from bot.tournaments.stored import TournamentSettings
from core.games import GAMES
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, HERE, NOW, SERVER
from tests.bot.privacy.many_matches import play_a_lot

_MIB = 1024 * 1024


async def count_periods(database: Database, periods: int) -> None:
    """Store results of alice and bob in many periods."""
    tally = {"guild_id": SERVER, "game": "tictactoe", "wins": 1, "draws": 0, "losses": 0}
    rows = [
        {**tally, "user_id": user, "period": str(period), "present": True}
        for period in range(periods)
        for user in (ALICE_ID, BOB_ID)
    ]
    async with database.begin() as connection:
        await connection.execute(insert(standings), rows)


async def exported(privacy: PrivacyService) -> dict[str, Any]:
    """Return what alice's file holds."""
    async with privacy.export(ALICE_ID, 10 * _MIB) as file:
        with ZipFile(file) as packed:
            found: dict[str, Any] = json.loads(packed.read("rowbot-data.json"))
    return found


async def test_every_row_is_exported_once(database: Database, privacy: PrivacyService) -> None:
    """It is, even with several pages of rows and both seats of a match; nothing of others is."""
    await play_a_lot(database, 1100)
    await count_periods(database, 600)
    found = await exported(privacy)
    assert (found["exported_at"], found["user_id"]) == (NOW, ALICE_ID)
    assert list(found)[2:] == [one.name for one in export.sections(ALICE_ID)]
    seated = [(match["id"], match["your_seat"]) for match in found["matches"]]
    assert seated == [(n, s) for n in range(1, 1101) for s in ((0, 1) if n % 10 == 0 else (0,))]
    assert found["matches"][0]["options"]["rows"] == 10
    assert sorted(int(row["period"]) for row in found["standings"]) == list(range(600))
    assert {row["user_id"] for row in found["standings"]} == {ALICE_ID}
    assert found["ratings"] == found["invitations"] == []


async def test_a_row_that_can_not_be_read(database: Database, privacy: PrivacyService) -> None:
    """It is exported as it is stored, and doesn't keep the rest from being exported."""
    await play_a_lot(database, 2)
    async with database.begin() as connection:
        await connection.execute(update(matches).where(matches.c.id == 1).values(options="{"))
    found = await exported(privacy)
    corrupt, sound = found["matches"]
    assert corrupt["options"] == "{"
    assert sound["options"]["rows"] == 10


async def test_an_export_has_the_members_own_offers(
    database: Database, privacy: PrivacyService
) -> None:
    """The offers that they have made or agreed to are exported; those of the others aren't."""
    await play_a_lot(database, 1)
    kinds = {"draw": "1", "undo": "10", "rematch": "01"}
    made = [{"match_id": 1, "kind": kind, "ply": 5, "wanting": kinds[kind]} for kind in kinds]
    async with database.begin() as connection:
        await connection.execute(insert(offers), made)
    found = await exported(privacy)
    assert found["offers"] == [
        {"match_id": 1, "kind": "undo", "ply": 5, "you_asked": False},
        {"match_id": 1, "kind": "rematch", "ply": 5, "you_asked": True},
    ]


async def test_of_a_tournament_a_member_has_their_own_part(
    database: Database, privacy: PrivacyService
) -> None:
    """The organiser's name and the games of others aren't exported."""
    people = [Person(ALICE_ID, "Alice"), Person(BOB_ID, "Bob"), Person(CAROL_ID, "Carol")]
    game = GAMES["tictactoe"]
    settings = TournamentSettings(game, {}, Format.ROUND_ROBIN, DAY, 3)
    row = tournament_row(HERE, people[1], settings, NOW)
    of: dict[str, Any] = {"tournament_id": 1}
    entrants = [
        {**of, "place": n, "number": n, "user_id": person.id, "name": person.name}
        for n, person in enumerate(people)
    ]
    paired = [
        {**of, "round": first + 1, "table": 1, "game": 1, "first": first, "second": second}
        for first, second in ((0, 1), (1, 2), (2, 0))
    ]
    async with database.begin() as connection:
        await connection.execute(insert(tournaments).values(**row, id=1))
        await connection.execute(insert(tournament_entrants), entrants)
        await connection.execute(insert(tournament_games), paired)
    found = await exported(privacy)
    (tournament,) = found["tournaments"]
    assert (tournament["you_organise"], tournament["your_name"]) == (False, "Alice")
    assert tournament["organiser_name"] is None
    assert [one["round"] for one in found["tournament games"]] == [1, 3]
    assert "Bob" not in json.dumps(found) and "Carol" not in json.dumps(found)


@pytest.mark.slow
@pytest.mark.parametrize("count", [20_000, 200_000])
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_memory_does_not_grow_with_the_number_of_matches(
    database: Database, privacy: PrivacyService, count: int
) -> None:
    """The export takes the same few megabytes, however much somebody has played."""
    await play_a_lot(database, count)
    began = time.perf_counter()
    async with privacy.export(ALICE_ID, 100 * _MIB) as file:
        size = file.seek(0, 2)
    took = time.perf_counter() - began
    tracemalloc.start()
    async with privacy.export(ALICE_ID, 100 * _MIB):
        _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"{count} matches: {took:.1f} s, {peak / _MIB:.1f} MiB, a file of {size} bytes")
    assert peak < 8 * _MIB
