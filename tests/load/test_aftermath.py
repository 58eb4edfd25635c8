"""The checks after a soak find what they look for."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy import text

from bot.db.database import Database
from bot.i18n import own_texts
from core import Match
from core.players import Member

from .aftermath import Aftermath, explained, log_errors, rerated
from .discord_server import LoopbackDiscord
from .interactions import Interaction
from .ledger import Ledger
from .payloads import APP_ID, EPHEMERAL, LOADING, Json
from .sweeper import fill
from .test_reading import board_fields

_FAR = 2_000_000_000
_CHANNEL = LoopbackDiscord(1, 1).channel_ids[0]
# Callbacks that a bot answers by, in Discord's JSON.
_SHOWN: Json = {"type": 4, "data": {"content": "Yes."}}
_REFUSED: Json = {"type": 4, "data": {"content": "No.", "flags": EPHEMERAL}}
_ERROR = own_texts("en-US")("refusal.unexpected", id=1)
_FAILED: Json = {"type": 4, "data": {"content": _ERROR, "flags": EPHEMERAL}}
_PROMISED: Json = {"type": 5, "data": {"flags": EPHEMERAL}}
_BUTTON: Json = {"components": [{"type": 1, "components": [{"type": 2, "custom_id": "x"}]}]}
_COMMANDS: list[Json] = [
    {"name": "board"},
    {"name": "endgame"},
    {"name": "play", "options": [{"name": "tictactoe", "type": 1}]},
]
_INVITATION = (
    "INSERT INTO invitations (guild_id, channel_id, owner_id, owner_name, game, options, status,"
    " expires_at, revision) VALUES (1, 1, 1, '', 'tictactoe', '{}', 'open', 1, 0)"
)


def _board(moves: str, match: int = 1, *, told: bool = True) -> Json:
    """Return the body of the message that shows a match of the members in the database."""
    played = Match.start("tictactoe", players=(Member(1000), Member(1001)))
    for move in moves.split():
        played = played.play(move)
    return board_fields(played, match) | ({} if told else {"allowed_mentions": {}})


def _after(database: Database, *boards: Json) -> Aftermath:
    """Return the checks of a server that shows these boards."""
    server, ledger = LoopbackDiscord(1, 1), Ledger()
    server.shown.on_shown.append(ledger.note)
    for fields in boards:
        server.shown.create(_CHANNEL, fields)
    return Aftermath(server, ledger, database, lambda message: False, rests=0)


def _asking(server: LoopbackDiscord, database: Database, *, answered: bool) -> Aftermath:
    """Return the checks of a server; unless it is `answered`, a press waits only briefly."""
    patience = 20.0 if answered else 0.2
    return Aftermath(server, Ledger(), database, lambda _: False, rests=0, patience=patience)


@asynccontextmanager
async def _answering(answer: Callable[[Json], Json | None]) -> AsyncIterator[LoopbackDiscord]:
    """Yield a server whose bot gives each interaction this answer, if it is one."""
    async with (
        LoopbackDiscord(1, 1) as server,
        aiohttp.ClientSession(f"{server.base_url}/api/v10/") as web,
        web.ws_connect("/gateway") as gateway,
    ):
        async with web.put(f"applications/{APP_ID}/commands", json=_COMMANDS):
            pass
        await gateway.send_json({"op": 2, "d": {"intents": 1}})
        await server.bot_online()

        async def serve() -> None:
            async for frame in gateway:
                told = frame.json()
                given = answer(told["d"]) if told["t"] == "INTERACTION_CREATE" else None
                if given is not None:
                    path = f"interactions/{told['d']['id']}/{told['d']['token']}/callback"
                    async with web.post(path, json=given):
                        pass

        serving = asyncio.create_task(serve())
        yield server
        serving.cancel()


def _kinds(found: list[str]) -> list[str]:
    return [line.partition(":")[0] for line in found]


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    """A database with a match of two members, in which nothing is due."""
    fill(Path(str(sqlite_database.url.database)), 1, [_CHANNEL], _FAR)
    return sqlite_database


async def _sql(database: Database, statement: str) -> None:
    async with database.begin() as connection:
        await connection.execute(text(statement))


@pytest.mark.parametrize(
    ("boards", "wrong"),
    [
        ([_board("")], []),
        ([], ["in the dark"]),
        ([_board(""), _board("")], ["doubled"]),
        ([_board("b2")], ["in the dark", "lost"]),
        ([_board(""), _board("b2", match=2)], ["lost"]),
        ([_board(""), _board("a1 b1 a2 b2 a3")], ["lost"]),
        ([_board("", told=False)], ["not told"]),
        # As if the press on the board after it had found the move gone.
        ([_board("b2"), _board("")], ["doubled", "lost"]),
    ],
)
async def test_shown_moves_must_be_stored(
    database: Database, boards: list[Json], wrong: list[str]
) -> None:
    """A live match has one board, at its ply, and all that was shown is stored."""
    assert _kinds(await _after(database, *boards).at_rest()) == wrong


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("UPDATE matches SET due_at = 1", ["overdue"]),
        ("UPDATE matches SET computer_due = TRUE", ["owed"]),
        (_INVITATION, ["unseen", "overdue"]),
    ],
)
async def test_due_work_must_be_done(database: Database, statement: str, wrong: list[str]) -> None:
    """Overdue deadlines, moves of the computer and expired challenges are found."""
    await _sql(database, statement)
    assert _kinds(await _after(database, _board("")).at_rest()) == wrong


async def test_boards_that_look_live_must_be_so(database: Database) -> None:
    """An old board, and one of a match that has ended, are leftovers."""
    after = _after(database, _board(""), _board("b2"))
    (old,) = await after.leftovers()
    assert old.endswith("is a board of match 1 at ply 1, which is at ply 0")
    await _sql(database, "UPDATE matches SET ended_at = 1")
    over = "is a board of match 1, which is over"
    assert [line.endswith(over) for line in await after.leftovers()] == [True, True]


@pytest.mark.parametrize(
    ("answer", "told"),
    [(_SHOWN, None), (_REFUSED, None), (_FAILED, _ERROR), (None, "isn't"), (_PROMISED, "isn't")],
    ids=["shown", "refused", "failed", "silent", "promised"],
)
async def test_live_buttons_must_be_answered(
    database: Database, answer: Json | None, told: str | None
) -> None:
    """A stranger and both players press each; an answer about an error counts as none."""
    async with _answering(lambda _: answer) as server:
        server.shown.create(_CHANNEL, _BUTTON)
        after = _asking(server, database, answered=answer not in (None, _PROMISED))
        wrong = await after.dead_buttons(server.user_ids[0])
    assert _kinds(wrong) == (["dead"] * 3 if told else [])
    assert all(told in line for line in wrong if told)


async def test_nothing_must_think_for_ever(database: Database) -> None:
    """By then a message that the bot has promised must be there."""
    after = _after(database, {"flags": LOADING})
    (wrong,) = await after.dead_buttons(1000)
    assert wrong.startswith("dead: ") and "thinking for ever" in wrong


@pytest.mark.parametrize("command", ["board", "endgame", "play"])
@pytest.mark.parametrize("answer", [_REFUSED, None], ids=["refused", "silent"])
async def test_each_channel_must_be_playable(
    database: Database, command: str, answer: Json | None
) -> None:
    """In each, the match can be shown and ended, and another begun, in public."""
    wanted = f"unplayable: channel {_CHANNEL}: {f'/{command}' if answer else 'no answer'}"
    for given, wrong in ((_SHOWN, []), (answer, [wanted])):

        def respond(told: Json, given: Json | None = given) -> Json | None:
            return given if told["data"]["name"] == command else _SHOWN

        async with _answering(respond) as server:
            after = _asking(server, database, answered=given is not None)
            found = await after.unplayable(server.user_ids[0])
        assert [line[: len(wanted)] for line in found] == wrong


async def test_each_interaction_must_be_answered(database: Database) -> None:
    """An interaction that was only promised an answer counts as silent, like one without any."""
    answers = iter([_REFUSED, _PROMISED, None])
    async with _answering(lambda _: next(answers)) as server:
        after, (member,) = _asking(server, database, answered=True), server.user_ids
        for _ in range(2):
            await server.slash(member, _CHANNEL, ("board",))
        with suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                await server.slash(member, _CHANNEL, ("board",))

        def promised(it: Interaction) -> bool:
            return it.answered

        wrong = list(after.silent(lambda _: False))
        assert [line.rpartition(": ")[2] for line in wrong] == ["only promised", "not answered"]
        assert _kinds(wrong) == ["silent"] * 2
        assert list(after.silent(promised)) == wrong[1:]


async def test_ratings_must_follow_from_the_matches(database: Database) -> None:
    """A rating that no match explains is found."""
    assert await rerated(database) == []
    await _sql(database, "INSERT INTO ratings VALUES (1, 1, 'tictactoe', 25, 8)")
    assert _kinds(await rerated(database)) == ["ratings"]


def test_injected_failures_are_told_apart() -> None:
    """An exception in the log counts unless a fault can cause it."""
    failed = "ERROR interaction 12345678901234567 failed: x\n"
    trace = failed + "Traceback (most recent call last):\n  x\n"
    injected, own = trace + "discord.errors.NotFound: 404", trace + "ValueError: 3 seats"
    assert log_errors(injected) == ({"discord.errors.NotFound": 1}, [])
    counts, unexplained = log_errors(own)
    assert (counts, len(unexplained)) == ({"ValueError": 1}, 1)
    told = "it is in my log under 12345678901234567"
    assert explained(injected, told) and explained(failed + own, told)
    assert not explained(own, told) and not explained("", told)
