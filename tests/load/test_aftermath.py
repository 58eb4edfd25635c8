"""The checks after a soak find what they look for."""

from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import open_database
from core import Match
from core.players import Member

from .aftermath import Aftermath, explained, log_errors
from .discord_server import LoopbackDiscord
from .ledger import Ledger
from .payloads import Json
from .sweeper import fill
from .test_reading import board_fields

_FAR = 2_000_000_000


async def test_what_is_shown_must_be_stored(tmp_path: Path) -> None:
    """A live match has one board, at its ply, and every move that was shown is stored."""
    file, channel = tmp_path / "load.db", LoopbackDiscord(1, 1).channel_ids[0]
    async with open_database(f"sqlite:///{file}") as database:
        fill(file, 1, [channel], _FAR)
        await _check_cases(database, channel)


async def _check_cases(database: AsyncEngine, channel: int) -> None:
    cases: list[tuple[list[Json], list[str]]] = [
        ([_board("")], []),
        ([], ["in the dark"]),
        ([_board(""), _board("")], ["doubled"]),
        ([_board("b2")], ["in the dark", "lost"]),
        ([_board(""), _board("b2", match=2)], ["lost"]),
    ]
    for boards, wrong in cases:
        server, ledger = LoopbackDiscord(1, 1), Ledger()
        server.shown.on_shown.append(ledger.note)
        for fields in boards:
            server.shown.create(channel, fields)
        aftermath = Aftermath(server, ledger, database, lambda message: False, rests=0)
        found = await aftermath.at_rest()
        assert [line.partition(":")[0] for line in found] == wrong


def _board(moves: str, match: int = 1) -> Json:
    """Return the body of the message that shows a match of the members in the database."""
    played = Match.start("tictactoe", players=(Member(1000), Member(1001)))
    for move in moves.split():
        played = played.play(move)
    return board_fields(played, match)


def test_injected_failures_are_told_apart() -> None:
    """An exception in the log counts unless a fault can cause it."""
    trace = "ERROR interaction 12345678901234567 failed\nTraceback (most recent call last):\n  x\n"
    injected, own = trace + "discord.errors.NotFound: 404", trace + "ValueError: 3 seats"
    assert log_errors(injected) == ({"discord.errors.NotFound": 1}, [])
    counts, unexplained = log_errors(own)
    assert (counts, len(unexplained)) == ({"ValueError": 1}, 1)
    told = "it is in my log under 12345678901234567"
    assert explained(injected, told)
    assert not explained(own, told)
