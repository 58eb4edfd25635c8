"""`python -m bot`: serves Discord, or opens the local preview if there is no token.

`python -m bot --help` lists its other actions.
"""

import argparse
import asyncio
import gc
import importlib.util
import logging
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

import discord
from pydantic import SecretStr

from bot.app import create_bot
from bot.check.account import Target
from bot.check.report import report
from bot.client import Rowbot
from bot.db.backup import back_up, restore
from bot.db.database import ConnectionLimits, open_database
from bot.db.facts import FactStore
from bot.db.lease import lease_of
from bot.db.transfer import transfer
from bot.failures import ExitCode, failure_of, require_preview
from bot.gateway import syncing
from bot.i18n import check_compiled
from bot.i18n.languages import LANGUAGES
from bot.i18n.pseudo import PSEUDO_LOCALE
from bot.logs import redacting
from bot.logs import set_up as set_up_logs
from bot.ratings.rerate import rerate, rerate_if_due
from bot.sentry import start_sentry
from bot.settings import Settings, doubtful, read_settings

log = logging.getLogger("bot")

# How long a thread may keep the interpreter while another waits for it; Python's default is 5 ms.
# While presses keep the event loop busy, each commit waits for the interpreter in the database's
# thread.
_SWITCH_SECONDS = 0.0001


def main(arguments: Sequence[str] | None = None) -> ExitCode:
    """Run the program, say on standard error why it failed if it did, and return its exit code."""
    parser = _parser()
    options = vars(parser.parse_args(arguments))
    work = options.pop("work")
    if "locale" in options and work is not _run:
        parser.error("--locale is for the preview")
    tell: Callable[[str], object] = partial(print, file=sys.stderr)
    try:
        settings = read_settings()
        _set_up_logging(settings)
        if settings.log_format == "json":  # so that each line is JSON
            tell = log.error
        if work is not _check:  # its report has them
            for doubt in doubtful():
                log.warning("%s", doubt)
        with asyncio.Runner(loop_factory=_loop_factory(settings)) as runner:
            runner.run(work(settings, **options))
    except Exception as error:
        if (failure := failure_of(error)) is None:
            raise
        tell(failure.sentence)
        return failure.code
    except KeyboardInterrupt:  # of another action; of the bot itself only on Windows
        return ExitCode.INTERRUPTED
    return ExitCode.DONE


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line; it sets `work` to the function of an action."""
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="Rowbot, a Discord bot for board games."
    )
    parser.set_defaults(work=_run)
    parser.add_argument("--version", action="version", version=_version())
    parser.add_argument(
        "--locale",
        choices=[*LANGUAGES, "en-US", PSEUDO_LOCALE],
        metavar="LOCALE",
        default=argparse.SUPPRESS,
        help="the language of the local preview; en-XA shows what isn't translated",
    )
    _add_actions(parser)
    return parser


def _add_actions(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION")
    for name, work, told in (
        ("run", _run, "serve Discord, or open the local preview without a token (the default)"),
        ("migrate", _migrate, "bring the database up to date"),
        ("rerate", _rerate, "recompute all ratings and standings from the stored matches"),
        ("adopt", _adopt, "let the token of another Discord application use the database"),
    ):
        actions.add_parser(name, help=told, description=told).set_defaults(work=work)
    for name, of_file, told in (
        ("backup", _backup, "write the database to a new file, even while the bot runs"),
        ("restore", _restore, "replace the database with a backup"),
        ("import", _import, "copy an SQLite file into a new PostgreSQL database"),
    ):
        action = actions.add_parser(name, help=told, description=told)
        action.set_defaults(work=of_file)
        action.add_argument("file", type=Path, metavar="FILE")
    told = "check the bot's setup, and say what to do about each problem"
    check = actions.add_parser("check", help=told, description=told)
    check.set_defaults(work=_check)
    place = check.add_mutually_exclusive_group()
    place.add_argument("--server", type=int, metavar="ID", help="check the bot's permissions there")
    place.add_argument(
        "--channel", type=int, metavar="ID", help="check the bot's permissions there"
    )


def _version() -> str:
    return f"Rowbot {version('rowbot')}, discord.py {discord.__version__}"


def _loop_factory(settings: Settings) -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of the event loop, None for asyncio's own.

    uvloop spends less CPU on a press. It doesn't run on Windows, nor with simcord's virtual time.
    """
    if settings.discord_token is None or not importlib.util.find_spec("uvloop"):
        return None
    import uvloop

    return uvloop.new_event_loop


def _set_up_logging(settings: Settings) -> None:
    redact = redacting(settings.secrets())
    set_up_logs(getattr(logging, settings.log_level), settings.log_format, redact)
    if settings.sentry_dsn is not None:
        start_sentry(settings.sentry_dsn.get_secret_value(), redact)
    # Rowbot uses no voice.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    if settings.discord_token is None:
        # The preview uses discord.py in ways about which discord.py warns, and the line that its
        # Discord was told the commands would only confuse.
        for name in ("discord", syncing.__name__):
            logging.getLogger(name).setLevel(logging.ERROR)


async def _check(settings: Settings, server: int | None, channel: int | None) -> None:
    await report(settings, Target(server, channel))


async def _backup(settings: Settings, file: Path) -> None:
    await back_up(settings.database_url, file)
    log.info("the database was backed up to %s", file)


async def _restore(settings: Settings, file: Path) -> None:
    told = await restore(settings.database_url, file)
    log.info("the database is that of %s; %s", file, told)


async def _import(settings: Settings, file: Path) -> None:
    rows = await transfer(file, settings.database_url)
    log.info("the database has all %s rows of %s", rows, file)


async def _migrate(settings: Settings) -> None:
    async with open_database(settings.database_url, finish=rerate_if_due):
        log.info("the database is up to date")


async def _rerate(settings: Settings) -> None:
    async with open_database(settings.database_url) as database, database.begin() as connection:
        await connection.run_sync(rerate)


async def _adopt(settings: Settings) -> None:
    async with open_database(settings.database_url, finish=rerate_if_due) as database:
        await FactStore(database).forget(syncing.TOLD_COMMANDS)
        log.info("the database belongs to the application that starts next")


async def _run(settings: Settings, locale: str = "en-US") -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    if sys.platform != "win32":
        # Event loops on Windows have no signal handlers; there Ctrl-C interrupts asyncio.run.
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, _end, number, stop)
    if settings.discord_token is not None:
        sys.setswitchinterval(_SWITCH_SECONDS)
        await _serve_discord(settings, settings.discord_token, stop)
    else:
        require_preview()
        from bot.preview import serve_preview

        await serve_preview(settings, stop, locale)


def _end(number: signal.Signals, stop: asyncio.Event) -> None:
    log.info("asked to end by %s", number.name)
    stop.set()


async def _serve_discord(settings: Settings, token: SecretStr, stop: asyncio.Event) -> None:
    check_compiled()  # an incomplete update ends here, before it migrates anything
    limits = ConnectionLimits(
        settings.database_pool_size,
        settings.database_pool_overflow,
        settings.database_connect_seconds,
        settings.database_statement_seconds,
    )
    async with open_database(settings.database_url, limits, rerate_if_due) as database:
        if stop.is_set():  # during the migration
            return
        log.info("%s", _version())
        lease = lease_of(settings.database_url, settings.shards)
        bot = create_bot(settings, database, lease=lease)
        bot.on_online.append(partial(spare_the_collector, bot))
        await _serve(bot, settings, token, stop)


async def _serve(bot: Rowbot, settings: Settings, token: SecretStr, stop: asyncio.Event) -> None:
    """Run the bot until `stop` is set; raise the error that ends it before."""
    async with bot:  # closes the bot, however this block ends
        if settings.metrics_port is not None:
            await bot.watch.start(settings.metrics_host, settings.metrics_port)
            bot.on_closing.append(bot.watch.close)
        connection = asyncio.create_task(bot.start(token.get_secret_value()))
        lease = asyncio.create_task(bot.serving.keep())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({connection, lease, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        failed = next((one for one in (connection, lease) if one.done()), None)
    for task in {connection, lease} - {failed}:
        await _cut_off(task)
    if failed is not None:
        await failed


async def _cut_off(task: asyncio.Task[None]) -> None:
    """End a task: a connection may be in a pause of many minutes before it connects again."""
    while not task.done():
        # Before Python 3.12, discord.py's `wait_for` loses a cancellation in the moment in which a
        # connection fails.
        task.cancel()
        await asyncio.wait({task}, timeout=0.1)
    # It ends in a cancellation, or in the error of a call that the closing has cut off.
    await asyncio.gather(task, return_exceptions=True)


async def spare_the_collector(bot: Rowbot) -> None:
    """Exempt the objects that exist now from garbage collection; most of them stay.

    A full collection of them would hold up all presses, for about 45 ms and 60 more for each 1,000
    servers. First, the garbage of earlier connections is collected; at a start this waits for the
    last shard, so that it happens once.
    """
    if not bot.connected:
        return
    gc.unfreeze()
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
