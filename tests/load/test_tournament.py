"""A small tournament against the loopback Discord, with the bot killed in the middle."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from .discord_server import LoopbackDiscord
from .payloads import GUILD_ID, Json
from .tournament import Run, play

_SQUARE: Json = {"components": [{"type": 1, "components": [{"type": 2, "custom_id": "m:1:0:a1"}]}]}
_CALL: Json = {"content": "<@1>", "allowed_mentions": {"users": ["1"]}}
# Changes of the database after the end, and the finding that each must cause.
_STORED = (
    ("UPDATE tournaments SET stage = 'running'", "not over: running"),
    ("UPDATE matches SET channel_id = 1", "thread 1: 3 matches"),
    ("UPDATE matches SET ended_at = NULL WHERE id = 1", "match 1 hasn't ended"),
    ("UPDATE seats SET rank = 3 - rank WHERE match_id = 1", "standings aren't those"),
    ("UPDATE tournament_games SET match_id = NULL WHERE match_id = 1", "the result of no match"),
    ("UPDATE tournament_games SET match_id = NULL WHERE match_id = 1", "2 games have matches, and"),
)


def _open_again(server: LoopbackDiscord, thread: Json) -> None:
    server.shown.open_thread(int(thread["parent_id"]), {"name": thread["name"]})


def _call_again(server: LoopbackDiscord, thread: Json) -> None:
    server.shown.create(int(thread["id"]), _CALL)


def _show_a_board(server: LoopbackDiscord, thread: Json) -> None:
    server.shown.create(int(thread["id"]), _SQUARE)


def _remove_the_final_board(server: LoopbackDiscord, thread: Json) -> None:
    server.forget(int(server.messages(int(thread["id"]))[-1]["id"]))


def _announce_again(server: LoopbackDiscord, thread: Json) -> None:
    server.shown.create(int(thread["parent_id"]), {"content": "It is over."})


def _ask(server: LoopbackDiscord, thread: Json) -> None:
    server.unknown.note("GET /nowhere")


# Messages and requests that nobody should make, and the finding that each must cause.
_SHOWN: tuple[tuple[Callable[[LoopbackDiscord, Json], None], str], ...] = (
    (_remove_the_final_board, "1 calls, 0 final boards, 0 live"),
    (_call_again, "2 calls, 0 final boards, 0 live"),
    (_show_a_board, "2 calls, 0 final boards, 1 live"),
    (_open_again, "twice: thread"),
    (_open_again, "threads: 5 for 3 games"),
    (_announce_again, "the channel has 3 messages, 1 of them with buttons"),
    (_ask, "unknown request: GET /nowhere"),
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["round_robin", "swiss", "knockout"])
async def test_a_tournament_goes_on_where_its_bot_was_killed(kind: str, tmp_path: Path) -> None:
    result = await play(9, kind, seed=1, kills=2, database="sqlite", folder=tmp_path)
    assert result.wrong == [] and result.kills > 0


@pytest.mark.slow
async def test_faults_planted_after_the_end_are_found(tmp_path: Path) -> None:
    """A result unlike its match's, a second match in a thread, and a doubled call are found."""
    file, kept = tmp_path / "load.db", tmp_path / "kept.db"
    run = Run(3, "round_robin", 1, 0, f"sqlite+aiosqlite:///{file}", tmp_path)
    assert (await run.run()).wrong == []
    shutil.copy(file, kept)
    for statement, told in _STORED:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(statement)
        assert any(told in line for line in await run.wrong()), told
        shutil.copy(kept, file)
    thread = run.server.shown.threads.of(GUILD_ID)[0]
    for plant, told in _SHOWN:
        plant(run.server, thread)
        assert any(told in line for line in await run.wrong()), told
