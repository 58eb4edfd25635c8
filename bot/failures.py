"""Why the program ends by itself: an exit code, and a sentence for the host."""

import importlib.util
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

import aiohttp
import discord
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from bot.db.database import CannotOpenError
from bot.db.errors import said
from bot.host_errors import HostError, LastingError
from bot.settings import wrong_values


class ExitCode(IntEnum):
    """The exit codes, which tell a supervisor what to do next (docs/hosting.md)."""

    DONE = 0
    TRY_AGAIN = 1  # another start may succeed: Discord or the database couldn't be reached
    DONT_RESTART = 78  # somebody has to act first; EX_CONFIG of sysexits.h
    INTERRUPTED = 130  # Ctrl-C, as shells count it


_WRITABLE = "Let the user that runs Rowbot write to that file and to its folder."
_NAME_A_FILE = "Name a file, in a folder to which Rowbot may write."
_DROP_IT = "Drop what was added to Rowbot's tables, and make it again after the update."
_RESTORE = "Restore a backup."
_RESET = (
    "Make a new one and put it into .env: https://discord.com/developers/applications,"
    " Bot > Reset Token"
)
_CODES = "https://discord.com/developers/docs/topics/opcodes-and-status-codes"
# The host's remedies, by the code with which Discord closes the connection to its gateway.
_REFUSED = {
    4004: f"The DISCORD_TOKEN was reset. {_RESET}",
    4010: "Correct SHARDS, or leave it empty.",
    4011: "SHARDS asks for too few shards: leave it empty, or raise its last number.",
}
_WITHOUT_INTENT = 4014
# If Discord says how long to wait, discord.py waits by itself. This 429 comes from the proxy in
# front of Discord, and is for the machine's address, which may have many users.
_LIMITED = (
    "Discord takes no requests from this machine's address for now (429): too many failed that came"
    " from there. It takes them again by itself, usually within an hour."
)
# The host's remedies, by words in an error of the system, SQLite or PostgreSQL.
_HELP = {
    "Permission denied": _WRITABLE,
    "readonly database": _WRITABLE,
    "Read-only file system": "Make it writable, or give DATABASE_URL a file elsewhere.",
    "unable to open database file": _NAME_A_FILE,
    "Is a directory": _NAME_A_FILE,
    "there is no folder": "Make that folder, or correct DATABASE_URL.",
    "not a database": "Give DATABASE_URL another file, or restore a backup.",
    "already exists": "Give DATABASE_URL a database of Rowbot's own, or restore a backup.",
    "malformed": _RESTORE,
    "error in view": _DROP_IT,
    "error in index": _DROP_IT,
    "error in trigger": _DROP_IT,
    "other objects depend on it": _DROP_IT,
    "no such table": _RESTORE,
    "no such column": _RESTORE,
    'relation "': _RESTORE,
    'column "': _RESTORE,
    "is locked": "Close the other program that writes to it.",
    "disk I/O error": "See whether its disk is full or damaged.",
    "is full": "Free some space on its disk.",
    "No space left": "Free some space on its disk.",
    "Connect call failed": "Start PostgreSQL, or correct the address.",
    "Connection refused": "Start PostgreSQL, or correct the address.",
    "no answer in time": "See whether a firewall or a wrong address is in the way.",
    "Name or service not known": "Correct the name of the machine.",
    "name resolution": "Correct the name of the machine, or mend the network.",
    "password authentication": "Correct the user or the password.",
    "unrecognized configuration parameter": "Take it out of DATABASE_URL.",
    "rejected SSL upgrade": "Switch TLS on at the server, or take sslmode out of DATABASE_URL.",
    "certificate or crl found": "Correct sslrootcert or sslcrl in DATABASE_URL.",
    "PEM lib": "Correct sslcert or sslkey in DATABASE_URL.",
    "root certificate": "Name that of the server's authority: sslrootcert in DATABASE_URL.",
    "port must be": "Correct DATABASE_URL.",
    "No such file": "Correct DATABASE_URL.",
    "does not exist": "Make the database and its user first: docs/hosting.md, PostgreSQL.",
}


class Failure(NamedTuple):
    """The exit code, and a sentence that says what is wrong or what to do."""

    code: ExitCode
    sentence: str


def failure_of(error: Exception) -> Failure | None:
    """Return the exit code and the sentence for an error; None for an unexpected error."""
    if final := _lasting_sentence(error):
        return Failure(ExitCode.DONT_RESTART, final)
    if passing := _passing_sentence(error):
        return Failure(ExitCode.TRY_AGAIN, passing)
    return None


def _lasting_sentence(error: Exception) -> str | None:
    match error:
        case ValidationError():
            return wrong_values(error)
        case LastingError():
            return str(error)
        case discord.LoginFailure():
            return f"Discord doesn't know this DISCORD_TOKEN. {_RESET}"
        case discord.ConnectionClosed():
            # Only for codes of a bad token or request; after any other, discord.py connects again.
            return _refused(error.code)
        case discord.PrivilegedIntentsRequired():  # raised in place of the error with that code
            return _refused(_WITHOUT_INTENT)
    return None


def _refused(code: int) -> str:
    refused = f"Discord refuses the connection, with code {code} of its gateway."
    return f"{refused} {_REFUSED.get(code, f'What it means: {_CODES}')}"


def _passing_sentence(error: Exception) -> str | None:
    match error:
        case HostError():
            return str(error)
        case CannotOpenError():
            return _cannot_open(str(error))
        case SQLAlchemyError():
            return _cannot_open(said(error))
        case aiohttp.ClientHttpProxyError():
            return f"The proxy of DISCORD_PROXY refuses: {error.status} {error.message}"
        case aiohttp.ClientConnectionError() | TimeoutError():
            return _unreachable(said(error))
        case discord.HTTPException(status=429):
            return _LIMITED
        case discord.HTTPException():
            return f"Discord answers with an error: {_told(error)}"
        case discord.GatewayNotFound(__cause__=discord.HTTPException() as refused):
            return _passing_sentence(refused)
    return None


def _unreachable(why: str) -> str:
    # A proxy that looks into the traffic has a certificate of its own.
    clock = "Set the clock of this machine, or trust the certificate of your proxy."
    help_ = clock if "certificate" in why else "Mend the network, or correct DISCORD_PROXY."
    return f"Discord can't be reached: {why}. {help_}"


def _told(error: discord.HTTPException) -> str:
    """Return the status of an answer, and its text unless this is a page for a browser."""
    line = error.text.strip().partition("\n")[0]
    return f"{error.status} {error.response.reason if line.startswith('<') else line}"


def _cannot_open(why: str) -> str:
    told = f"The database of DATABASE_URL can't be opened: {why}"
    help_ = next((what for words, what in _HELP.items() if words in why), None)
    return f"{told.removesuffix('.')}. {help_}" if help_ else told


def require_preview() -> None:
    """Raise LastingError if the packages of the local preview aren't installed."""
    if not all(importlib.util.find_spec(name) for name in ("simcord", "markdown_it")):
        file = Path(".env")  # looked for where the program is started
        where = file if file.exists() else f"{file.absolute()}, which isn't there"
        raise LastingError(
            f"Set DISCORD_TOKEN (in the environment or in {where}) to serve Discord, or install the"
            " local preview: .venv/bin/pip install -e '.[preview]'"
        )
