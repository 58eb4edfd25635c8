"""The program as a process: killed at any moment, stopped, and started with wrong settings."""

import asyncio
import errno
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from random import Random

import aiohttp
import pytest
from discord.http import Route
from pydantic import SecretStr
from sqlalchemy import text

from bot.__main__ import _serve_discord
from bot.db.database import CannotOpenError, open_database
from bot.db.facts import FactStore
from bot.failures import ExitCode, Failure, failure_of
from bot.gateway.syncing import TOLD_COMMANDS
from bot.host_errors import LastingError
from bot.identity import MatchId
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from bot.settings import Settings
from bot.shards import Shards
from core.grid import Move
from tests.bot.playing import NAMES, begin, loaded
from tests.bot.processes import one_sentence, python, run_beside, run_here
from tests.bot.scripted_discord import scripted_discord

SECRET = "a-secret-that-nobody-reads"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


# --- killed


async def test_a_kill_loses_no_accepted_move(tmp_path: Path, migrated_sqlite_url: str) -> None:
    """After a kill the database opens and has every accepted move, and every match continues."""
    url, rng = migrated_sqlite_url, Random(5)
    accepted: dict[MatchId, list[str]] = {}
    async with python(tmp_path, "-m", "tests.bot.endless_player", url) as process:
        assert process.stdout is not None
        for _ in range(rng.randint(20, 40)):
            _note(accepted, await process.stdout.readuntil())
        await asyncio.sleep(rng.random() / 100)
        process.kill()
        for line in (await process.stdout.read()).splitlines(keepends=True):
            _note(accepted, line)
        await process.wait()
    await _check_nothing_is_lost(url, accepted)
    assert sum(map(len, accepted.values())) > 25
    await _check_a_match_continues(url, max(accepted))


def _note(accepted: dict[MatchId, list[str]], line: bytes) -> None:
    """Record the moves of a printed turn, unless the process died in mid-line."""
    if line.endswith(b"\n"):
        number, *moves = line.decode().split()
        accepted[MatchId(int(number))] = moves


async def _check_nothing_is_lost(url: str, accepted: Mapping[MatchId, list[str]]) -> None:
    async with open_database(url) as database:
        store = MatchStore(database)
        for match_id, moves in accepted.items():
            stored = await loaded(store, match_id)  # replays the moves
            # The last turn may be committed without having been printed.
            assert [str(move) for move in stored.match.moves][: len(moves)] == moves
            assert 0 <= len(stored.match.moves) - len(moves) <= 2
        assert await store.computer_due() == []
        async with database.connect() as connection:
            assert (await connection.execute(text("PRAGMA integrity_check"))).scalar_one() == "ok"


async def _check_a_match_continues(url: str, match_id: MatchId) -> None:
    async with open_database(url) as database:
        store = MatchStore(database)
        stored = await loaded(store, match_id)
        if stored.entry.changes:
            # It was killed after a result, which stands: the next match begins.
            stored = await store.create(NewMatch(stored.place, begin(), NAMES), 0)
        match = stored.match.undo(stored.match.players[0]) if stored.match.moves else stored.match
        move: Move = match.position.legal_moves()[0]
        after = match.play(move)
        assert await store.save(stored, after, 0) == await store.load(stored.id)


# --- start and stop


@pytest.mark.parametrize("missing", ["simcord", "markdown_it"])
def test_a_start_without_a_token_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    """Without a token and the preview's packages, one sentence names the remedy.

    It also says if the folder has no `.env`, since that may be the wrong folder.
    """
    monkeypatch.setitem(sys.modules, missing, None)
    sentence = one_sentence(run_here(tmp_path), ExitCode.DONT_RESTART)
    assert f"or in {tmp_path / '.env'}, which isn't there) to serve" in sentence
    assert ".venv/bin/pip install -e '.[preview]'" in sentence
    (tmp_path / ".env").touch()
    sentence = one_sentence(run_here(tmp_path), ExitCode.DONT_RESTART)
    assert "Set DISCORD_TOKEN (in the environment or in .env) to serve" in sentence


def test_a_preview_whose_port_is_taken(tmp_path: Path) -> None:
    """One sentence names the setting that chooses another."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = run_here(tmp_path, settings={"PREVIEW_PORT": str(port)})
    assert ended.code is ExitCode.DONT_RESTART
    sentence = ended.complained.splitlines()[-1]
    assert sentence == f"The preview could not bind port {port}; choose another PREVIEW_PORT."


def test_ctrl_c_ends_an_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends without a traceback, and not with the exit code of success."""

    async def interrupted(*_given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bot.__main__.report", interrupted)
    ended = run_here(tmp_path, "check")
    assert ended == (ExitCode.INTERRUPTED, "", "")


# --- why it ended


async def failure_of_serving(database_url: str) -> Failure:
    """Serve until that fails, in this process; return what the program would end with."""
    settings = Settings.model_construct(database_url=database_url, shards=Shards.ALL)
    with pytest.raises(Exception) as ended:  # noqa: PT011 - which one it is is looked at next
        await _serve_discord(settings, SecretStr(SECRET), asyncio.Event())
    failure = failure_of(ended.value)
    assert failure is not None
    return failure


async def test_an_unknown_token_is_final(migrated_sqlite_url: str) -> None:
    """A token that Discord doesn't know ends the program for good, before it identifies."""
    async with scripted_discord() as discord:
        discord.statuses["/users/@me"] = 401
        ended = await failure_of_serving(migrated_sqlite_url)
    assert ended.code is ExitCode.DONT_RESTART
    assert "DISCORD_TOKEN" in ended.sentence
    assert SECRET not in ended.sentence
    assert discord.identifies == 0


@pytest.mark.parametrize(
    ("code", "help_"),
    [(4004, "Reset Token"), (4011, "leave it empty"), (4014, "What it means: https://")],
)
async def test_a_refused_connection_is_final(
    migrated_sqlite_url: str, code: int, help_: str
) -> None:
    """If the gateway refuses the bot's identify, another start would be in vain."""
    async with scripted_discord() as discord:
        discord.close_code = code
        ended = await failure_of_serving(migrated_sqlite_url)
    assert ended.code is ExitCode.DONT_RESTART
    assert f"code {code} of its gateway" in ended.sentence
    assert help_ in ended.sentence
    assert discord.identifies == 1


@pytest.mark.parametrize(
    ("status", "said", "told"),
    [
        (403, {"code": 0, "message": "no"}, "error: 403 no"),
        (403, "<!doctype html>\n<title>Blocked</title>", "error: 403 Forbidden"),
        (429, "error code: 1015", "usually within an hour."),
    ],
)
@pytest.mark.parametrize("path", ["/users/@me", "/gateway/bot"])
async def test_an_answer_that_may_pass(
    migrated_sqlite_url: str, path: str, status: int, said: object, told: str
) -> None:
    """It ends the program in a line without markup, and another start may succeed."""
    async with scripted_discord() as discord:
        discord.statuses[path], discord.refusal = status, said
        ended = await failure_of_serving(migrated_sqlite_url)
    assert ended.code is ExitCode.TRY_AGAIN
    assert ended.sentence.endswith(told)


async def test_another_application_is_refused(tmp_path: Path, migrated: Path) -> None:
    """A database of another application is refused before an identify, until it is adopted."""
    url = f"sqlite:///{shutil.copy(migrated, tmp_path / 'rowbot.db')}"
    async with open_database(url) as database:
        await FactStore(database).put(TOLD_COMMANDS, "77 and the commands")
    async with scripted_discord() as discord:
        ended = await failure_of_serving(url)
        assert ended.code is ExitCode.DONT_RESTART
        assert "belongs to application 77," in ended.sentence
        assert "python -m bot adopt" in ended.sentence
        assert discord.identifies == 0
        assert (await run_beside(tmp_path, "adopt")).code is ExitCode.DONE
        assert "gateway" in (await failure_of_serving(url)).sentence
        assert discord.identifies == 1


def test_the_reason_of_an_end_as_json(tmp_path: Path) -> None:
    """With LOG_FORMAT=json the last line is an object as well, so that a collector takes it."""
    settings = {"LOG_FORMAT": "json", "DATABASE_URL": "sqlite:///no/such/folder/rowbot.db"}
    ended = run_here(tmp_path, "migrate", settings=settings)
    said = json.loads(one_sentence(ended, ExitCode.TRY_AGAIN))
    assert said["level"] == "ERROR"
    assert "DATABASE_URL can't be opened" in said["message"]


async def test_a_proxy_that_refuses(
    migrated_sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says that it was the proxy, and another start may succeed."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 407 Who are you?\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        proxy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        settings = Settings.model_construct(database_url=migrated_sqlite_url, discord_proxy=proxy)
        monkeypatch.setattr(Route, "BASE", "https://discord.invalid/api/v10")
        with pytest.raises(aiohttp.ClientHttpProxyError) as ended:
            await _serve_discord(settings, SecretStr(SECRET), asyncio.Event())
    failure = failure_of(ended.value)
    assert failure == (ExitCode.TRY_AGAIN, "The proxy of DISCORD_PROXY refuses: 407 Who are you?")


async def test_few_identifies_are_left(tmp_path: Path) -> None:
    """The bot says its version and that it waits, and a SIGTERM ends it before it identifies."""
    async with scripted_discord() as discord:
        discord.limit_identifies(remaining=10, reset_after=36_000)
        arguments = ("-m", "tests.load.launch", discord.url, "bot")
        async with python(tmp_path, *arguments, settings={"DISCORD_TOKEN": SECRET}) as process:
            assert process.stderr is not None
            assert f"Rowbot {version('rowbot')}".encode() in await process.stderr.readline()
            async for line in process.stderr:
                if b"waits 36000 s" in line:
                    break
            process.send_signal(signal.SIGTERM)
            await process.communicate()
            assert process.returncode == ExitCode.DONE
    assert discord.identifies == 0


async def test_discord_cant_be_reached(
    migrated_sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a network the program ends with a sentence, and another start may succeed."""
    monkeypatch.setattr(Route, "BASE", "http://127.0.0.1:1/api/v10")
    ended = await failure_of_serving(migrated_sqlite_url)
    assert ended.code is ExitCode.TRY_AGAIN
    assert "can't be reached" in ended.sentence
    assert ended.sentence.endswith("Mend the network, or correct DISCORD_PROXY.")


def test_why_discord_cant_be_reached() -> None:
    """The sentence has a reason, even for an error that has no text, and what to do about it."""
    silent = failure_of(TimeoutError())
    assert silent is not None and "no answer in time. Mend the network" in silent.sentence
    error = aiohttp.ClientConnectionError("discord.com: certificate is not yet valid")
    early = failure_of(error)
    assert early is not None and "not yet valid. Set the clock" in early.sentence


# --- the database


async def test_migrate_creates_the_database(tmp_path: Path) -> None:
    """A second `migrate` changes nothing, and neither prints a secret."""
    settings = {
        "DISCORD_TOKEN": SECRET,
        "LOG_LEVEL": "DEBUG",
        "DATABASE_URL": "sqlite:///here.db",
    }
    for _ in range(2):
        ended = await run_beside(tmp_path, "migrate", settings=settings)
        assert ended.code == 0
        assert "up to date" in ended.complained
        assert SECRET not in ended.said + ended.complained
        assert (tmp_path / "here.db").exists()
    async with open_database(f"sqlite:///{tmp_path / 'here.db'}") as database:
        assert await MatchStore(database).computer_due() == []


async def test_an_update_that_was_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot whose texts are older than their sources ends before it migrates the database."""
    source = tmp_path / "en" / "LC_MESSAGES" / "rowbot.po"
    source.parent.mkdir(parents=True)
    source.touch()
    monkeypatch.setattr("bot.i18n._FOLDER", tmp_path)
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'rowbot.db'}")
    with pytest.raises(LastingError, match="Install it again"):
        await _serve_discord(settings, SecretStr(SECRET), asyncio.Event())
    assert not (tmp_path / "rowbot.db").exists()


def test_a_newer_database_is_refused(tmp_path: Path, migrated: Path) -> None:
    """A database of a newer version ends the program with a sentence, unchanged."""
    shutil.copy(migrated, tmp_path / "rowbot.db")
    with sqlite3.connect(tmp_path / "rowbot.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'ffff'")
    connection.close()
    sentence = one_sentence(run_here(tmp_path, "migrate"), ExitCode.DONT_RESTART)
    assert "newer version" in sentence
    assert "Update Rowbot" in sentence


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("sqlite:///no/such/folder/rowbot.db", "unable to open .*Make that folder"),
        ("sqlite:///.", ". is a folder. Name a file"),
        ("sqlite:///garbage.db", "not a database. Give DATABASE_URL another file"),
        ("postgresql://somebody:geheim@127.0.0.1:1/rowbot", "Connect.*Start PostgreSQL"),
        ("postgresql://:geheim@127.0.0.1:1/x?sslmode=verify-full", "root cert.*sslrootcert"),
        ("postgresql://:geheim@/x?sslmode=require&sslrootcert=garbage.db", "Correct sslrootcert"),
        ("postgresql://:geheim@/x?sslmode=require&sslcert=garbage.db", "Correct sslcert"),
        ("postgresql://:geheim@/rowbot?host=127.0.0.1&port=70000", "port must.*Correct"),
        ("postgresql://:geheim@/rowbot?host=/no/such", "No such file.*Correct DATABASE_URL"),
    ],
)
def test_a_database_that_cant_be_opened(tmp_path: Path, url: str, reason: str) -> None:
    """The program ends with a sentence that says what to do, and doesn't tell the password."""
    (tmp_path / "garbage.db").write_text("This is a letter to my aunt.\n" * 100)
    ended = run_here(tmp_path, "migrate", settings={"DATABASE_URL": url})
    sentence = one_sentence(ended, ExitCode.TRY_AGAIN)
    assert "DATABASE_URL" in sentence
    assert re.search(reason, sentence)
    assert "geheim" not in sentence


async def test_a_server_that_is_silent(tmp_path: Path) -> None:
    """A server that takes the connection and says nothing, or a firewall, ends in a sentence."""

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(say_nothing, "127.0.0.1", 0) as server:
        address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        settings = {
            "DATABASE_URL": f"postgresql://somebody:geheim@{address}/rowbot",
            "DATABASE_CONNECT_SECONDS": "1",
        }
        ended = await run_beside(tmp_path, "migrate", settings=settings)
    sentence = one_sentence(ended, ExitCode.TRY_AGAIN)
    assert sentence.endswith(
        "no answer in time. See whether a firewall or a wrong address is in the way."
    )


@pytest.mark.parametrize(
    ("why", "help_"),
    [
        (os.strerror(errno.EROFS), "Make it writable"),
        (os.strerror(errno.ENOSPC), "Free some space"),
        ("disk I/O error", "See whether its disk is full"),  # SQLite without space for its log
    ],
)
def test_a_disk_that_takes_nothing(why: str, help_: str) -> None:
    """The sentence says what to do about it."""
    failure = failure_of(CannotOpenError(f"{why}: rowbot.db"))
    assert failure is not None and help_ in failure.sentence


@pytest.mark.parametrize(
    ("why", "off"),
    [
        ("[Errno 111] Connect call failed ('127.0.0.1', 5432)", True),
        (os.strerror(errno.ECONNREFUSED), True),  # of a socket in a folder
        ("Connection lost", False),
    ],
)
def test_only_a_server_that_refuses_connections_is_to_be_started(why: str, off: bool) -> None:
    """A connection that was lost doesn't say that PostgreSQL is off."""
    failure = failure_of(CannotOpenError(why))
    assert failure is not None and ("Start PostgreSQL" in failure.sentence) is off


def test_postgres_without_its_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without asyncpg, the sentence says how to install it."""
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    settings = {"DATABASE_URL": "postgresql://somebody@127.0.0.1:1/rowbot"}
    ended = run_here(tmp_path, "migrate", settings=settings)
    sentence = one_sentence(ended, ExitCode.DONT_RESTART)
    assert ".venv/bin/pip install -e '.[postgres]'" in sentence


@pytest.mark.parametrize(
    ("database", "reason"),
    [
        ("/nowhere?", '"nowhere" does not exist. Make the database'),
        ("/postgres?connect_timeout=3&", 'parameter "connect_timeout". Take it out'),
    ],
)
def test_a_start_that_a_postgres_server_refuses(
    tmp_path: Path, postgres_server: str, database: str, reason: str
) -> None:
    """A database that isn't there, or an option that the driver hands on, ends in a sentence."""
    settings = {"DATABASE_URL": postgres_server.replace("/postgres?", database)}
    ended = run_here(tmp_path, "migrate", settings=settings)
    assert reason in one_sentence(ended, ExitCode.TRY_AGAIN)
