"""Logging: lines for people or JSON, each with its subject, without names and tokens.

Nothing that Rowbot logs names a member. discord.py is different at the level DEBUG: there it logs
whole messages of Discord. Their content is left out here, and tokens are replaced in every line.
"""

import copy
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Literal, TypeAlias

import aiohttp
import discord
from pythonjsonlogger.json import JsonFormatter

Redact: TypeAlias = Callable[[str], str]
Format: TypeAlias = Literal["text", "json"]

_about: ContextVar[Mapping[str, object]] = ContextVar("about", default=MappingProxyType({}))

_LINE = "%(asctime)s %(levelname)-7s %(name)s%(about)s %(message)s"

# Loggers whose DEBUG lines hold what Discord and members have written.
_WITH_PAYLOADS = ("discord.", "asyncpg")
# Alembic logs about itself, which helps no host.
_QUIET = ("alembic.runtime.plugins", "alembic.runtime.migration")
# discord.py logs a traceback each time that it tries to connect again; an outage has hundreds.
_CONNECTING = ("discord.client", "discord.shard")
_CONNECTS_AGAIN = ("Attempting a reconnect", "Failed to connect for shard_id")
# The usual errors of connecting; for any other error, the traceback is logged, too.
_AWAY = (OSError, aiohttp.ClientError, discord.DiscordException)

# The address of an interaction or a webhook has its token, with which anybody could answer for the
# bot. The payloads of interactions and of identifying have tokens, too.
_IN_ADDRESS = re.compile(r"((?:interactions|webhooks)/\d+/)[^/\s\"'?\\]+")
_IN_PAYLOAD = re.compile(r"(token\\?[\"']\s*:\s*\\?[\"'])[^\"'\\]+")
# PostgreSQL's details of a refused row have all of the row's values, or those of its key.
_ROW = re.compile(r"(Failing row contains |Key \([^)]*\)=)(?:[^\n\\]|\\(?!n))*")
# While Discord is away, a proxy answers with a page, all of which is in discord.py's errors.
_PAGE = re.compile(r"<(!doctype html|html)\b.*", re.IGNORECASE | re.DOTALL)

# A password of a few letters would be found in ordinary words.
_SHORTEST_SECRET = 6


@contextmanager
def about(**what: object) -> Iterator[None]:
    """Mark every line that is logged in this context, by this task or tasks that it starts."""
    token = _about.set({**_about.get(), **what})
    try:
        yield
    finally:
        _about.reset(token)


def mark(**what: object) -> None:
    """Mark every line that this task, or a task that it starts, logs from now on."""
    _about.set({**_about.get(), **what})


def subject() -> Mapping[str, object]:
    """Return the subject of the current task."""
    return _about.get()


def redacting(secrets: Iterable[str]) -> Redact:
    """Return a function that replaces these secrets, and Discord's tokens, in a text."""
    known = "|".join(re.escape(secret) for secret in secrets if len(secret) >= _SHORTEST_SECRET)

    def redact(text: str) -> str:
        text = _IN_PAYLOAD.sub(r"\1<token>", _IN_ADDRESS.sub(r"\1<token>", text))
        text = _ROW.sub(r"\1<values>", text)
        return re.sub(known, "<secret>", text) if known else text

    return redact


def set_up(level: int, form: Format, redact: Redact) -> None:
    """Log to standard error from `level` on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacting(FORMATTERS[form](), redact))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    for name in _CONNECTING:
        logging.getLogger(name).addFilter(_in_one_line)


def _in_one_line(record: logging.LogRecord) -> bool:
    """Turn the error of a new attempt to connect into a warning of one line, without Sentry."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, _AWAY) and str(record.msg).startswith(_CONNECTS_AGAIN):
        why = "".join(traceback.format_exception_only(error)).strip()
        record.msg, record.args = f"{record.getMessage()}: {why}", ()
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = None
    return True


class Redacting(logging.Formatter):
    """Formats a line by `inner`, with its subject, and without names, tokens and pages.

    The result is one line, unless there is a traceback: Discord's errors have a line for each wrong
    field.
    """

    def __init__(self, inner: logging.Formatter, redact: Redact):
        super().__init__()
        self._inner = inner
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        record = copy.copy(record)
        if record.levelno <= logging.DEBUG and record.name.startswith(_WITH_PAYLOADS):
            record.args = tuple(map(_without_content, _arguments(record)))
        told = _PAGE.sub("<page>", record.getMessage())
        record.msg, record.args = " ".join(map(str.strip, told.splitlines())), ()
        return self._redact(self._inner.format(record))


def _arguments(record: logging.LogRecord) -> tuple[object, ...]:
    """Return the values of a line; a single dict is the value itself."""
    args = record.args or ()
    return args if isinstance(args, tuple) else (args,)


def _without_content(value: object) -> object:
    """Return a value unless it may hold somebody's text; else its type, or the name of an event."""
    if isinstance(value, Mapping):
        return f"<{value.get('t') or 'object'}>"
    if isinstance(value, str) and not value.lstrip().startswith(("{", "[")):
        return value
    return value if value is None or isinstance(value, int | float) else f"<{type(value).__name__}>"


class _Text(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__(_LINE)

    def format(self, record: logging.LogRecord) -> str:
        told = " ".join(f"{name}={value}" for name, value in subject().items())
        record.about = f" [{told}]" if told else ""
        return super().format(record)


class _Json(JsonFormatter):
    """An object with the time and the subject, on one line."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "exc_info": "exception"}
        super().__init__(
            "%(levelname)s %(name)s %(message)s", rename_fields=names, timestamp="time"
        )

    def format(self, record: logging.LogRecord) -> str:
        vars(record).update(subject())
        return super().format(record)


FORMATTERS: Mapping[Format, Callable[[], logging.Formatter]] = {"text": _Text, "json": _Json}
