"""The log: lines for people or in JSON, with their subjects, without names and tokens."""

import asyncio
import inspect
import json
import logging
import re
from io import StringIO
from types import ModuleType
from typing import Any

import discord
import pytest

from bot import logs
from bot.logs import about, redacting

TOKEN = "MTA1.Gabc.secret-of-the-bot"
OF_INTERACTION = "aW50ZXJhY3Rpb246MTIz"
ADDRESS = f"https://discord.com/api/v10/webhooks/1/{OF_INTERACTION}/messages/@original"


class Log:
    """A logger as the program sets it up, and what it has written."""

    def __init__(self, form: logs.Format):
        self.written = StringIO()
        handler = logging.StreamHandler(self.written)
        handler.setFormatter(logs.Redacting(logs.FORMATTERS[form](), redacting([TOKEN, ""])))
        self.handler = handler

    def __call__(self, name: str, level: int, text: str, *args: Any, **options: Any) -> str:
        logger = logging.Logger(name)
        logger.addHandler(self.handler)
        logger.log(level, text, *args, **options)
        return self.written.getvalue()


def fail(error: Exception) -> None:
    raise error


def test_a_line_for_people() -> None:
    """It has the time, the level, the logger, the subject and the message."""
    with about(interaction=12, server=3, press="Play"):
        line = Log("text")("bot.router", logging.WARNING, "it took %s s", 4)
    assert line.endswith("WARNING bot.router [interaction=12 server=3 press=Play] it took 4 s\n")


def test_a_line_of_json() -> None:
    """It has the same by name; an exception is a text in it, so that each line is an object."""
    try:
        fail(ValueError("no"))
    except ValueError:
        with about(loop="writing boards"):
            line = Log("json")("bot.gateway", logging.ERROR, "it failed", exc_info=True)
    said = json.loads(line)
    assert line.count("\n") == 1
    assert "ValueError: no" in said.pop("exception")
    assert said.pop("time")
    assert said == {
        "level": "ERROR",
        "logger": "bot.gateway",
        "message": "it failed",
        "loop": "writing boards",
    }


_PAGE = """<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head>
<body>cloudflare</body></html>
"""
_FIELDS = "Invalid Form Body\nIn components.0: The specified component exceeds a limit"


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("said", "told"),
    [
        (_PAGE, "it failed: <page>"),
        (_FIELDS, "it failed: Invalid Form Body In components.0: The specified component"),
    ],
    ids=["page", "fields"],
)
def test_an_answer_of_many_lines(form: logs.Format, said: str, told: str) -> None:
    """It takes one line; otherwise a proxy's page for each call would fill the log in an outage."""
    line = Log(form)("bot.gateway", logging.INFO, "it failed: %s", ValueError(said))
    assert line.count("\n") == 1 and "cloudflare" not in line
    assert told in line


@pytest.mark.parametrize(
    ("module", "begins"),
    [
        (discord.client, "Attempting a reconnect"),
        (discord.shard, "Attempting a reconnect"),
        (discord.shard, "Failed to connect for shard_id"),
    ],
)
def test_each_attempt_to_connect_again_is_a_warning_of_one_line(
    module: ModuleType,
    begins: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """discord.py logs an error with a traceback each time, and an outage has hundreds.

    An error that no outage explains keeps its traceback.
    """
    told = re.search(rf"'({begins}[^']*)'", inspect.getsource(module))
    assert told is not None
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    logs.set_up(logging.getLogger().level, "text", redacting([]))
    log, values = logging.getLogger(module.__name__), range(told[1].count("%"))
    log.error(told[1], *values, exc_info=ConnectionRefusedError(111, "Connect call failed"))
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert f"WARNING {module.__name__} {begins}" in line
    assert line.endswith(": ConnectionRefusedError: [Errno 111] Connect call failed\n")
    log.error(told[1], *values, exc_info=LookupError("of ours"))
    assert f"ERROR   {module.__name__} {begins}" in capsys.readouterr().err


async def test_lines_of_work_in_the_background_know_where_it_began() -> None:
    """A task that an interaction starts has it as subject, and other tasks don't."""
    found: list[object] = []

    async def work() -> None:
        await asyncio.sleep(0)
        found.append(dict(logs.subject()))

    with about(interaction=12):
        inner = asyncio.create_task(work())
    await asyncio.gather(inner, work())
    assert found == [{"interaction": 12}, {}] or found == [{}, {"interaction": 12}]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("name", "text", "args"),
    [
        # discord.py's own lines, by file: http, webhook.async_, gateway
        ("discord.http", "%s %s with %s has returned %s", ("POST", ADDRESS, '{"a": "Alice"}', 204)),
        ("discord.http", "%s %s has received %s", ("GET", "/users/@me", {"username": "Alice"})),
        ("discord.webhook.async_", "Webhook ID %s with %s %s has returned", (1, "POST", ADDRESS)),
        ("discord.gateway", "For Shard ID %s: WebSocket Event: %s", (0, {"d": {"nick": "Alice"}})),
        (
            "discord.gateway",
            'Sending "%s" to change status',
            ('{"d": {"token": "' + TOKEN + '"}}',),
        ),
        ("discord.client", "%s", ({"username": "Alice"},)),
    ],
)
def test_debug_lines_of_discord_hold_no_names_and_tokens(
    form: logs.Format, name: str, text: str, args: tuple[Any, ...]
) -> None:
    """Members' texts and names are left out, and tokens are replaced."""
    line = Log(form)(name, logging.DEBUG, text, *args)
    assert line
    for secret in ("Alice", TOKEN, OF_INTERACTION):
        assert secret not in line


def test_the_kind_of_an_event_is_kept() -> None:
    """With LOG_LEVEL=DEBUG a host sees which events arrive."""
    event = {"t": "INTERACTION_CREATE", "d": {"token": OF_INTERACTION}}
    line = Log("text")("discord.gateway", logging.DEBUG, "WebSocket Event: %s", event)
    assert line.endswith("WebSocket Event: <INTERACTION_CREATE>\n")


@pytest.mark.parametrize("form", ["text", "json"])
def test_tokens_are_replaced_in_every_line(form: logs.Format) -> None:
    """They are at any level, in messages, tracebacks and quoted payloads."""
    payload = {"token": OF_INTERACTION, "op": 2}
    callback = f"https://discord.com/api/v10/interactions/5/{OF_INTERACTION}/callback?a=1"
    try:
        fail(RuntimeError(f"Cannot connect: {TOKEN} {ADDRESS} {payload}"))
    except RuntimeError:
        text = f"%s responded with 429: {json.dumps(payload)}"
        line = Log(form)("discord.http", logging.ERROR, text, callback, exc_info=True)
    assert TOKEN not in line
    assert OF_INTERACTION not in line
    assert line.count("<token>") >= 4
    if form == "json":
        json.loads(line)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "detail",
    [
        'Failing row contains (1, 7777777, Alice \\o/, "x").',
        "Key (guild_id, user_id)=(1, 7777777) already exists.",
        'Key (user_id)=(7777777) is not present in table "members".',
    ],
)
def test_a_row_that_postgresql_refuses(form: logs.Format, detail: str) -> None:
    """Its values aren't logged, since they may be members' ids and names."""
    error = ValueError(f"it violates a constraint\nDETAIL:  {detail}\nHINT:  none")
    line = Log(form)("bot.router", logging.ERROR, "it failed", exc_info=error)
    assert "<values>" in line and "HINT" in line
    assert "7777777" not in line and "Alice" not in line
