"""The wiring: the only place where the parts of the bot are put together."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random, SystemRandom

import discord
from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.analysis.feature import Analysis
from bot.analysis.service import AnalysisService
from bot.analysis.sharing import SharingService
from bot.analysis.store import ShareStore
from bot.backups.feature import Backups
from bot.client import Rowbot
from bot.clocks.feature import Clocks
from bot.clocks.service import ClockService
from bot.clocks.store import DueStore
from bot.db.facts import FactStore
from bot.gateway.calls import Calls
from bot.gateway.channels import Channels
from bot.gateway.commands import CommandBuilder
from bot.gateway.feature import Feature
from bot.gateway.limits import Limits
from bot.gateway.loops import Loop
from bot.gateway.membership import Membership
from bot.gateway.syncing import CommandSync
from bot.gateway.threads import Threads
from bot.help.feature import Help
from bot.honours.feature import Honours
from bot.honours.service import AchievementService, HonourService
from bot.honours.store import AchievementStore, HonourStore
from bot.identity import ChannelId, ServerId
from bot.invitations.feature import Invitations
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore, call_off_all
from bot.leaderboard.feature import Leaderboard
from bot.leaderboard.service import LeaderboardService
from bot.leaderboard.store import EverywhereStore
from bot.matches.absence import Absence
from bot.matches.boards import Boards
from bot.matches.computer import ComputerPlayer
from bot.matches.drawing import BoardPictures
from bot.matches.feature import Matches
from bot.matches.leftovers import Leftovers
from bot.matches.private import PrivateBoards
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.metrics import Metrics
from bot.offers.feature import Offers
from bot.offers.service import OfferService
from bot.offers.store import OfferStore
from bot.pictures.client import PictureClient
from bot.privacy.feature import Privacy
from bot.privacy.service import PrivacyService, ServerDataService
from bot.privacy.store import PersonalStore, ServerDataStore
from bot.profiles.distinctions import puzzles_solved, tournaments_won
from bot.profiles.feature import Profiles
from bot.profiles.service import ProfileService
from bot.profiles.store import HistoryStore
from bot.puzzles.daily import DailyPosts, Sources
from bot.puzzles.feature import Puzzles
from bot.puzzles.search import PuzzleSearch
from bot.puzzles.service import PuzzleService
from bot.puzzles.store import PuzzleStore
from bot.ratings.ledger import Ledger
from bot.ratings.store import ScoreStore
from bot.router import PATIENCE_SECONDS, Router
from bot.servers.feature import Servers
from bot.servers.joining import Joining
from bot.servers.service import ModerationService, SettingsService
from bot.servers.store import JoiningStore, ModerationStore, SettingsStore
from bot.settings import Settings
from bot.shards import Shards
from bot.tournaments.director import Director, who_left
from bot.tournaments.feature import Tournaments
from bot.tournaments.service import TournamentService
from bot.tournaments.store import TournamentStore
from bot.watching.health import Health
from bot.watching.latencies import LatencyCollector
from bot.watching.rounds import LoopCollector
from bot.watching.server import WatchServer
from bot.workers.fair_queue import FairQueue
from bot.workers.search_client import SearchClient
from core.engine.player import Engine

# Background calls to Discord that take longer than this at shutdown are abandoned.
_FINISH_WITHIN_SECONDS = 5


def unix_now() -> int:
    """Return the time in Unix seconds, by discord.py's clock."""
    return int(discord.utils.utcnow().timestamp())


def create_bot(
    settings: Settings,
    database: AsyncEngine,
    *,
    engine: type[Engine] = Engine,
    rng: Random | None = None,
    clock: Callable[[], int] = unix_now,
    patience: float = PATIENCE_SECONDS,
) -> Rowbot:
    """Return the bot over an open database; it isn't connected yet.

    `engine` is the computer player, made here and in each search process. `rng` is the only source
    of chance, and `clock` gives Unix seconds. If a handler takes longer than `patience` seconds,
    Discord is promised an answer.
    """
    metrics = Metrics()
    shards = settings.shards or Shards.ALL
    facts = FactStore(database)
    bot = Rowbot(Router(metrics, patience), Calls(metrics).trace, settings.shards, facts.reserve)
    chance = rng or SystemRandom()
    searches = SearchClient(engine, settings.engine_processes, settings.engine_seconds)
    pictures, here = PictureClient(), engine()

    store = MatchStore(database, Ledger(settings.rated_a_day), shards)
    inviting = InvitationStore(database, shards)
    computer = ComputerPlayer(here, searches, chance)
    matches = MatchService(store, computer, chance, clock, inviting.waiting)
    starter = MatchStarter(matches)
    channels, membership = Channels(bot, shards.part), Membership(bot)
    bot.router.before_press.append(channels.reach)
    bot.router.after_refusal.append(channels.drop_old_board)
    board_pictures = BoardPictures(pictures, metrics)
    boards = Boards(matches, channels, board_pictures)
    leftovers = Leftovers(boards, store, channels)
    boards.on_unsure.append(leftovers.check_later)
    absence = Absence(matches, membership)
    limits = Limits(clock)

    scores = ScoreStore(database)
    left = ServerDataService(
        ServerDataStore(database, shards),
        membership.bot_is_on,
        chance,
        clock,
        settings.erase_after_days,
    )
    privacy = Privacy(
        PrivacyService(PersonalStore(database, chance), matches, clock),
        left,
        boards,
        channels,
        lambda: [ServerId(guild.id) for guild in bot.guilds],
        limits,
    )
    lifetime = settings.challenge_minutes * 60
    honours_store = HonourStore(database, shards)
    honours = Honours(
        AchievementService(
            AchievementStore(database, shards), honours_store, store, searches, clock
        ),
        HonourService(honours_store, scores, membership.gone, clock),
        honours_store,
        scores,
        channels,
        pictures,
        limits,
        bot.get_guild,
    )
    chosen = SettingsService(SettingsStore(database))
    servers = Servers(
        matches,
        chosen,
        ModerationService(ModerationStore(database, call_off_all), matches),
        boards,
        channels,
        lifetime,
        lambda build: [*honours.settings_commands(build), puzzles.settings_command(build)],
    )
    puzzle_store = PuzzleStore(database, clock, chance, shards)
    sources = Sources(puzzle_store, membership)
    check_here, texts_here = servers.check_here, servers.texts_here
    private = PrivateBoards(board_pictures, servers.form_of, channels)
    puzzles = Puzzles(
        PuzzleService(puzzle_store, clock),
        private,
        sources,
        DailyPosts(puzzle_store, channels, sources, servers.texts_of, clock),
        PuzzleSearch(puzzle_store, matches, searches),
    )
    servers.lines += [puzzles.settings_line, honours.settings_line]
    invitations = InvitationService(inviting, matches, starter, lifetime)
    offers = OfferService(OfferStore(database), matches, starter)
    offering = Offers(matches, offers, boards, channels, absence, check_here, limits)
    boards.on_shown.append(offering.close_void)
    starter.on_next.append(offering.close_void_later)
    clocks = ClockService(DueStore(database, store, shards), matches)
    help_ = Help(pictures, settings.privacy_url, settings.terms_url)
    tournament_store = TournamentStore(database, shards)
    contests = TournamentService(tournament_store, matches, starter, partial(who_left, membership))
    threads = Threads(bot, channels)
    director = Director(contests, boards, leftovers, channels, threads, pictures, chosen.settings)
    tournaments = Tournaments(contests, director, boards, channels, threads, check_here)
    store.on_end.append(tournaments.match_ended)
    features: list[Feature] = [
        Invitations(
            matches, starter, invitations, boards, channels, membership, check_here, limits
        ),
        Matches(matches, boards, leftovers, private, absence, check_here, servers.form_of),
        offering,
        Analysis(
            matches,
            AnalysisService(matches, here, searches),
            SharingService(ShareStore(database), clock),
            pictures,
            limits,
            private,
        ),
        Leaderboard(
            matches,
            LeaderboardService(scores, EverywhereStore(database), clock),
            membership,
            limits,
            texts_here,
        ),
        Profiles(
            ProfileService(HistoryStore(database), scores),
            pictures,
            limits,
            texts_here,
            distinctions=[
                tournaments_won(tournament_store.won),
                puzzles_solved(puzzle_store.solved),
                honours.line,
            ],
        ),
        honours,
        puzzles,
        privacy,
        servers,
        Clocks(matches, clocks, boards, channels, absence, threads),
        tournaments,
        help_,
        *(_backups(settings, clock) if shards.leads else []),
    ]
    loops = _add(bot, facts, features, leads=shards.leads)

    async def finish_calls() -> None:
        await channels.finish(_FINISH_WITHIN_SECONDS)

    joining = Joining(JoiningStore(database), channels, help_.welcome, lambda: bot.guilds, clock)

    async def on_guild_join(guild: discord.Guild) -> None:
        await privacy.on_guild_join(guild)
        await joining.on_guild_join(guild)

    async def channel_deleted(channel_id: ChannelId) -> None:
        await tournaments.channel_deleted(channel_id)
        await matches.channel_deleted(channel_id)

    async def on_guild_channel_delete(channel: discord.abc.GuildChannel) -> None:
        await channel_deleted(ChannelId(channel.id))

    async def on_raw_thread_delete(payload: discord.RawThreadDeleteEvent) -> None:
        await channel_deleted(ChannelId(payload.thread_id))

    bot.on_online += [privacy.on_online, joining.on_online]
    bot.event(on_guild_join)
    bot.event(privacy.on_guild_remove)
    bot.event(on_guild_channel_delete)
    bot.event(on_raw_thread_delete)
    # A handler that waits for a search or a picture ends with it. It may still note a board, as may
    # the last calls; so the features come after both.
    bot.on_closing += [searches.close, pictures.close, finish_calls]
    bot.on_closing += [feature.close for feature in features]
    queues = {"search": searches.queue, **pictures.queues}
    _watch(bot, metrics, database, loops, queues, channels)
    health = Health(lambda: bot.connected, lambda: facts.get("commands"), loops)
    bot.watch = WatchServer(metrics, health, store.count_live)
    return bot


def _backups(settings: Settings, clock: Callable[[], int]) -> list[Feature]:
    """Return the nightly backup if the host wants one; the preview has nothing to keep."""
    if settings.backup_dir is None or settings.discord_token is None:
        return []
    keep, hour = settings.backup_keep, settings.backup_hour
    return [Backups(settings.database_url, settings.backup_dir, keep, hour, clock)]


def _watch(
    bot: Rowbot,
    metrics: Metrics,
    database: AsyncEngine,
    loops: Sequence[Loop],
    queues: Mapping[str, FairQueue],
    channels: Channels,
) -> None:
    """Let the metrics read the state of the bot."""

    def count(_: Connection) -> None:
        metrics.commits.inc()

    async def stop_counting() -> None:
        event.remove(database.sync_engine, "commit", count)

    event.listen(database.sync_engine, "commit", count)
    bot.on_closing.append(stop_counting)
    metrics.registry.register(LoopCollector(loops))
    metrics.connected.set_function(lambda: bot.connected)
    metrics.registry.register(LatencyCollector(lambda: bot.latencies))
    metrics.identifies.set_function(lambda: bot.identifies.used)
    for state in channels.backlog:
        metrics.backlog.labels(state).set_function(partial(_backlog, channels, state))
    for work, queue in queues.items():
        metrics.waiting.labels(work).set_function(partial(getattr, queue, "waiting"))
        metrics.running.labels(work).set_function(partial(getattr, queue, "running"))


def _backlog(channels: Channels, state: str) -> int:
    return channels.backlog[state]


def _add(bot: Rowbot, facts: FactStore, features: Sequence[Feature], *, leads: bool) -> list[Loop]:
    """Register the commands, the routes and the loops of the features; return all loops.

    One of the bot's processes `leads`: it tells Discord the commands.
    """
    build = CommandBuilder(bot.router.serve)
    for feature in features:
        for command in feature.commands(build):
            bot.tree.add_command(command)
        bot.router.add(feature.routes())
    loops = [CommandSync(bot.tree, facts).loop] if leads else []
    loops += [loop for feature in features for loop in feature.loops()]

    async def start() -> None:
        for loop in loops:
            loop.start(bot.wait_until_ready)

    async def stop() -> None:
        await asyncio.gather(*(loop.stop() for loop in loops))

    bot.on_setup.append(start)
    bot.on_closing.append(stop)
    return loops
