"""The report: every check in turn, printed as it is found."""

import logging
import sys
from collections.abc import AsyncIterator

import discord

from bot.check.account import Target, check_account
from bot.check.backups import check_backups
from bot.check.machine import (
    check_database,
    check_fonts,
    check_pictures,
    check_searches,
    check_secrets,
    check_texts,
)
from bot.check.model import Finding, amiss, well
from bot.failures import require_preview
from bot.host_errors import HostError, LastingError
from bot.settings import Settings, doubtful


async def report(settings: Settings, target: Target) -> None:
    """Print every finding, with advice on each problem; raise HostError if anything is amiss."""
    logging.getLogger("discord").setLevel(logging.ERROR)
    wrong = 0
    async for finding in _findings(settings, target):
        _print(finding)
        wrong += not finding.well
    if wrong:
        raise HostError(f"{wrong} of these should be mended (✗).")


def _print(finding: Finding) -> None:
    # On Windows, the encoding of a file or a pipe may lack the signs, or letters of a channel's
    # name.
    encoding = sys.stdout.encoding or "utf-8"
    print(str(finding).encode(encoding, "namereplace").decode(encoding), flush=True)


async def _findings(settings: Settings, target: Target) -> AsyncIterator[Finding]:
    for doubt in doubtful():
        yield amiss("settings", doubt)
    if readable := check_secrets():
        yield readable
    application_id = None
    if settings.discord_token is None:
        yield _without_token()
    else:
        intents = discord.Intents(guilds=True)
        proxy = settings.discord_proxy
        async with discord.Client(intents=intents, proxy=proxy) as client:
            async for finding in check_account(client, settings.discord_token, target):
                yield finding
            application_id = client.application_id
    yield check_texts()
    async for finding in _of_database(settings, application_id):
        yield finding
    yield await check_searches(settings)
    yield await check_pictures()
    yield check_fonts()


async def _of_database(settings: Settings, application_id: int | None) -> AsyncIterator[Finding]:
    """Yield the findings on the database and its backups."""
    url = settings.database_url
    yield await check_database(url, application_id)
    if settings.backup_dir is not None:
        yield await check_backups(url, settings.backup_dir)


def _without_token() -> Finding:
    try:
        require_preview()
    except LastingError as error:
        return amiss("token", str(error))
    return well("token", "none is set, so the local preview opens instead of serving Discord")
