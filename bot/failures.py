"""Why the program ends without having been told to: an exit code, and a sentence for the host."""

import importlib.util
from enum import IntEnum
from typing import NamedTuple

import aiohttp
import discord
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from bot.db.backup import BackupError
from bot.db.database import CannotOpenError, MissingDriverError
from bot.db.holding import InUseError
from bot.db.migrations import NewerDatabaseError
from bot.db.transfer import TransferError
from bot.db.unfinished import UnfinishedError
from bot.i18n import OutdatedCatalogueError
from bot.sentry import WrongDsnError
from bot.settings import UnreadableError


class ExitCode(IntEnum):
    """The exit codes, which tell a supervisor what to do next (docs/hosting.md)."""

    DONE = 0
    TRY_AGAIN = 1  # another start may succeed: Discord or the database couldn't be reached
    DONT_RESTART = 78  # somebody has to act first; EX_CONFIG of sysexits.h


class CannotRunError(Exception):
    """There is neither a token nor a preview."""


class NotWellError(Exception):
    """A check has found something that the host should mend."""


class Failure(NamedTuple):
    """The exit code, and a sentence that says what is wrong or what to do."""

    code: ExitCode
    sentence: str


def failure_of(error: Exception) -> Failure | None:
    """Return the meaning of an error to the host; None for an error that nobody expected."""
    if final := _to_be_mended(error):
        return Failure(ExitCode.DONT_RESTART, final)
    if passing := _may_pass(error):
        return Failure(ExitCode.TRY_AGAIN, passing)
    return None


def _to_be_mended(error: Exception) -> str | None:
    match error:
        case ValidationError():
            wrong = ((str(e["loc"][0]).upper(), e["msg"]) for e in error.errors())
            return "\n".join(
                f"{name}: {message.removeprefix('Value error, ')} (see .env.example)"
                for name, message in wrong
            )
        case MissingDriverError() | NewerDatabaseError() | OutdatedCatalogueError():
            return str(error)
        case CannotRunError() | UnfinishedError() | UnreadableError() | WrongDsnError():
            return str(error)
        case discord.LoginFailure():
            return (
                "Discord doesn't know this DISCORD_TOKEN. Make a new one and put it into .env:"
                " https://discord.com/developers/applications, Bot > Reset Token"
            )
        case discord.ConnectionClosed():
            # discord.py connects again after any other code than these of a bad token or request.
            return f"Discord refuses the connection, with code {error.code} of its gateway."
    return None


def _may_pass(error: Exception) -> str | None:
    match error:
        case NotWellError() | InUseError() | BackupError() | TransferError():
            return str(error)
        case CannotOpenError():
            return f"The database of DATABASE_URL can't be opened: {error}"
        case SQLAlchemyError():
            return f"The database of DATABASE_URL can't be opened: {error.__cause__ or error}"
        case aiohttp.ClientConnectionError() | TimeoutError():
            return f"Discord can't be reached: {error}"
        case discord.HTTPException():
            return f"Discord answers with an error: {error.status} {error.text}"
        case discord.GatewayNotFound():
            return "Discord's gateway can't be reached."
    return None


def require_preview() -> None:
    """Raise CannotRunError if the packages of the local preview aren't installed."""
    if not all(importlib.util.find_spec(name) for name in ("simcord", "markdown_it")):
        raise CannotRunError(
            "Set DISCORD_TOKEN (in the environment or in .env) to serve Discord, or install the"
            " local preview: .venv/bin/pip install -e '.[preview]'"
        )
