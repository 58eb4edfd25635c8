"""The bot's machine: the database, and the processes that search and draw."""

import os
import shutil
import time
from collections.abc import Awaitable
from pathlib import Path
from random import SystemRandom
from stat import S_IROTH

from bot.check.model import Finding, amiss, well, worse
from bot.db.examination import Examination, examine
from bot.db.holding import sqlite_path
from bot.failures import failure_of
from bot.gateway.syncing import TOLD_COMMANDS, check_owner
from bot.host_errors import LastingError
from bot.i18n import check_compiled
from bot.i18n.languages import LANGUAGES
from bot.pictures.client import PictureClient
from bot.pictures.fonts import scripts_without_font
from bot.pictures.model import Chart, Line, Point
from bot.settings import Settings
from bot.workers.errors import WorkFailedError
from bot.workers.fair_queue import Ticket
from bot.workers.search_client import SearchClient
from core import Level, Match
from core.engine import search
from core.engine.player import Engine

_TICKET = Ticket(queue_id=0)  # of no server: nobody else waits
_MIB = 1 << 20
_LEAST_FREE = 100 * _MIB


def check_texts() -> Finding:
    """Return whether the catalogues of texts are compiled; the bot doesn't start before."""
    try:
        check_compiled()
    except LastingError as error:
        return amiss("texts", str(error))
    return well("texts", f"compiled, in {len(LANGUAGES)} languages")


def check_secrets() -> Finding | None:
    """Return that others can read `.env`, None if they can't. Windows has no such permissions."""
    file = Path(".env")
    if os.name == "posix" and file.exists() and file.stat().st_mode & S_IROTH:
        return worse("settings", "other users of this machine can read .env: chmod 600 .env")
    return None


async def check_database(url: str, application_id: int | None = None) -> Finding:
    """Return whether the application can use the database, and the changes that a start makes.

    Without a login, the application isn't known, and any may use the database.
    """
    try:
        found = await examine(url)
        if application_id is not None:
            check_owner(found.facts.get(TOLD_COMMANDS), application_id)
    except Exception as error:
        if (failure := failure_of(error)) is None:
            raise
        return amiss("database", failure.sentence)
    file = sqlite_path(url)
    if file is None:
        return well("database", f"{found.kind}, {_state(found)}")
    free = shutil.disk_usage(file.absolute().parent).free
    if free < (needed := _needed(found)):
        room = f"{free // _MIB} MiB are free, and {needed // _MIB} may be needed"
        return amiss("database", f"Make room on its disk: {room}")
    told = f"{found.kind} in {file.absolute()}, {_state(found)}, {free // _MIB} MiB free"
    return well("database", told)


def _needed(found: Examination) -> int:
    """Return the bytes needed for a backup beside the file, or for a migration with its log."""
    copies = 2 if found.migrations else 1
    return max(_LEAST_FREE, copies * (found.size or 0))


def _state(found: Examination) -> str:
    if found.size == 0:
        return "which is made at the first start"
    many = "1 migration" if found.migrations == 1 else f"{found.migrations} migrations"
    return f"writable, {many} at the next start" if found.migrations else "writable, up to date"


async def check_searches(settings: Settings) -> Finding:
    """Return whether a search process starts and finds a move, and whether it is compiled."""
    searches = SearchClient(Engine, 1, settings.engine_seconds)
    seed = SystemRandom().getrandbits(32)
    position = Match.start("tictactoe", rows=3).position
    made = "in plain Python" if Path(search.__file__).suffix == ".py" else "compiled"
    move = searches.choose(_TICKET, position, Level.PERFECT, seed)
    return await _tried("searches", searches, move, f", {made}")


async def check_pictures() -> Finding:
    """Return whether the drawing process starts, finds its fonts, and draws."""
    pictures = PictureClient()
    chart = Chart("Rowbot", "", (Line("A", (Point(1, 0, 1),)),), 0)
    return await _tried("pictures", pictures, pictures.picture(_TICKET, chart))


async def _tried(
    subject: str, client: SearchClient | PictureClient, work: Awaitable[object], more: str = ""
) -> Finding:
    """Return whether a client's process does this work, and close the client."""
    begun = time.perf_counter()
    try:
        await work
        seconds = time.perf_counter() - begun
    except WorkFailedError as error:
        return amiss(subject, f"A process failed ({error}). Is memory short?")
    finally:
        await client.close()
    return well(subject, f"a process started and answered in {seconds:.1f} s{more}")


def check_fonts() -> Finding:
    """Return which scripts pictures can't show; the bot works without them."""
    if scripts := scripts_without_font():
        told = f"pictures show boxes for {', '.join(scripts)}; the Noto fonts have them"
        return worse("fonts", f"{told} (in Debian: fonts-noto-core, fonts-noto-cjk)")
    return well("fonts", "there is one for every script")
