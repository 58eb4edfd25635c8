"""The wiring: the only place where the parts of the bot are put together."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random, SystemRandom

import discord

from bot.achievements.feature import Achievements
from bot.achievements.service import AchievementService
from bot.achievements.store import AchievementStore
from bot.analysis.exports import Exports
from bot.analysis.feature import Analysis
from bot.analysis.finished import FinishedMatches
from bot.analysis.service import AnalysisService
from bot.analysis.sharing import SharingService
from bot.analysis.store import ShareStore
from bot.backups.feature import Backups
from bot.client import Rowbot
from bot.clocks.feature import Clocks
from bot.clocks.reminders import Reminders
from bot.clocks.service import ClockService
from bot.clocks.store import DueStore, go_on
from bot.db.database import Database
from bot.db.facts import FactStore
from bot.db.lease import Lease
from bot.gateway.blocks import Blocks
from bot.gateway.calls import counting
from bot.gateway.channels import Channels
from bot.gateway.commands import CommandBuilder
from bot.gateway.feature import Feature
from bot.gateway.limits import Kind, Limits
from bot.gateway.loops import FINISH_WITHIN_SECONDS, Loop
from bot.gateway.membership import Membership
from bot.gateway.reach import Reach
from bot.gateway.requests import Requests
from bot.gateway.serving import Serving
from bot.gateway.sight import Sight
from bot.gateway.syncing import TOLD_COMMANDS, CommandSync
from bot.gateway.threads import Threads
from bot.help.feature import Help
from bot.honours.feature import Honours
from bot.honours.roles import RoleKeeper
from bot.honours.seasons import SeasonPosts
from bot.honours.service import HonourService
from bot.honours.store import HonourStore
from bot.identity import ServerId
from bot.invitations.answers import Answers
from bot.invitations.feature import Invitations
from bot.invitations.matchmaker import Matchmaker
from bot.invitations.messages import InvitationMessages
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore, call_off_all
from bot.leaderboard.feature import Leaderboard
from bot.leaderboard.service import LeaderboardService
from bot.leaderboard.store import EverywhereStore
from bot.matches.absence import Absence
from bot.matches.board_pictures import BoardPictures
from bot.matches.boards import Boards
from bot.matches.computer import ComputerPlayer
from bot.matches.feature import Matches
from bot.matches.first_boards import FirstBoards
from bot.matches.guests import Guests
from bot.matches.here import SettingsHere
from bot.matches.in_threads import MatchThreads
from bot.matches.leftovers import Leftovers
from bot.matches.occupancy import Occupancy
from bot.matches.owed import Owed
from bot.matches.private import PrivateBoards
from bot.matches.returning import Returning
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import GuestStore, MatchStore, SettingsStore
from bot.matches.ways import Ways
from bot.metrics import Metrics
from bot.moderation.feature import Moderation
from bot.moderation.service import ModerationService
from bot.moderation.store import ModerationStore
from bot.offers.feature import ChallengeAgain, Offers
from bot.offers.messages import OfferMessages
from bot.offers.service import OfferService
from bot.offers.store import OfferStore
from bot.pictures.client import PictureClient
from bot.privacy.feature import Privacy
from bot.privacy.leaving import Leaving
from bot.privacy.service import PrivacyService
from bot.privacy.store import PersonalStore, ServerDataStore
from bot.profiles.feature import Profiles
from bot.profiles.model import Distinction, Invited, Waiting
from bot.profiles.service import ProfileService
from bot.profiles.store import HistoryStore
from bot.puzzles.daily import DailyPosts
from bot.puzzles.feature import Puzzles
from bot.puzzles.search import PuzzleSearch
from bot.puzzles.service import PuzzleService
from bot.puzzles.settings import PuzzleSettings
from bot.puzzles.sources import Sources
from bot.puzzles.store import DailyStore, PuzzleStore, SearchedStore, TryStore
from bot.ratings.ledger import Ledger
from bot.ratings.store import ScoreStore
from bot.router import PATIENCE_SECONDS, Router
from bot.servers.feature import Configurable, Servers
from bot.servers.welcome import welcome
from bot.settings import Settings
from bot.shards import Shards
from bot.times import MINUTE
from bot.tournaments.corrections import Corrections
from bot.tournaments.creation import TournamentCreation
from bot.tournaments.director import Director
from bot.tournaments.feature import Tournaments
from bot.tournaments.finished_threads import FinishedThreads
from bot.tournaments.messages import TournamentMessages
from bot.tournaments.openings import Openings
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService
from bot.tournaments.store import TournamentLists, TournamentStore
from bot.watching.collectors import StateCollector
from bot.watching.health import Health
from bot.watching.server import WatchServer
from bot.workers.search_client import SearchClient
from core.engine.player import Engine


def unix_now() -> int:
    """Return the time in Unix seconds, by discord.py's clock."""
    return int(discord.utils.utcnow().timestamp())


class _Shared:
    """The parts that several features take; `engine` plays in this process, without a search."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        bot: Rowbot,
        metrics: Metrics,
        engine: type[Engine],
        rng: Random,
        now: Callable[[], int],
    ):
        self.settings = settings
        self.database = database
        self.bot = bot
        self.metrics = metrics
        self.rng = rng
        self.now = now
        self.engine = engine()
        self.searches = SearchClient(engine, settings.engine_processes, settings.engine_seconds)
        self.pictures = PictureClient()
        self.board_pictures = BoardPictures(self.pictures, metrics)
        self.limits = Limits(now)
        self.requests = Requests(database.shards.part, settings.blocked)
        self.membership = Membership(bot, self.requests)
        self.channels = Channels(bot, self.requests)
        self.threads = Threads(bot, self.requests)
        self.sight = Sight(self.threads)
        self.scores = ScoreStore(database)
        self.server_settings = SettingsStore(database)
        self.here = SettingsHere(self.server_settings, self.channels.known)
        self.open_invitations = InvitationStore(database)
        self.match_store = MatchStore(database, Ledger(settings.rated_a_day))
        computer = ComputerPlayer(self.engine, self.searches, rng)
        self.matches = MatchService(self.match_store, computer, now, self.open_invitations.waiting)
        self.starter = MatchStarter(self.matches, self.match_store, computer, rng, now)
        self.occupancy = Occupancy(self.matches, self.match_store, now)
        self.reach = Reach(self.threads, self.membership)
        self.returning = Returning(self.matches, self.occupancy, self.reach)
        self.absence = Absence(self.matches, self.membership, self.reach, settings.blocked)
        self.ways = Ways(self.matches, self.occupancy, self.here)
        self.private = PrivateBoards(self.board_pictures, self.here, self.channels)
        self.boards = Boards(self.matches, self.match_store, self.channels, self.board_pictures)
        self.first_boards = FirstBoards(self.boards, self.match_store, self.requests)
        self.leftovers = Leftovers(self.boards, self.match_store, self.channels)
        self.match_threads = MatchThreads(self.threads, self.boards, self.here, self.limits)

    def served_guild(self, server_id: ServerId) -> discord.Guild | None:
        """Return a connected server, None if there is none or the host has blocked it."""
        return None if self.requests.is_blocked(server_id) else self.bot.get_guild(server_id)

    def sees(self, server_id: ServerId) -> bool:
        """Return whether this process is connected to a server."""
        return self.bot.get_guild(server_id) is not None

    def can_join(self, server_id: ServerId) -> bool:
        """Return whether members of a server can answer the bot now."""
        return not self.requests.is_blocked(server_id) and self.bot.hears(server_id)


def create_bot(
    settings: Settings,
    database: Database,
    *,
    engine: type[Engine] = Engine,
    rng: Random | None = None,
    now: Callable[[], int] = unix_now,
    patience: float = PATIENCE_SECONDS,
    lease: Lease | None = None,
) -> Rowbot:
    """Return the bot over an open database; it isn't connected yet.

    It serves while it holds the `lease`; None if no other process can have the database open.
    `engine` is the computer player, made here and in each search process. `rng` is the only source
    of chance, and `now` gives Unix seconds. If a handler takes longer than `patience` seconds,
    Discord is promised an answer.
    """
    database = database.serving(settings.shards or Shards.ALL)
    metrics = Metrics()
    facts = FactStore(database)
    bot = Rowbot(
        Serving(lease, facts),
        counting(metrics.failed_calls),
        settings.shards,
        facts.reserve,
        proxy=settings.discord_proxy,
    )
    shared = _Shared(settings, database, bot, metrics, engine, rng or SystemRandom(), now)
    features = _Features(shared)
    bot.router = Router(
        metrics=metrics,
        serving=bot.serving,
        blocks=Blocks(settings.blocked, _host_pages(settings)),
        routes=[one for feature in features.all for one in feature.routes()],
        channels=shared.channels,
        note_seen=shared.membership.note_seen,
        answer_to=shared.ways.answer,
        after_refusal=shared.leftovers.mend_pressed,
        patience=patience,
    )
    _add_commands(bot, features.all)
    sync = CommandSync(bot.tree, facts)
    loops = [loop for feature in features.all for loop in feature.loops()]
    if database.shards.leads:  # the one process that tells Discord the commands
        loops.append(sync.loop)
    _hook_events(shared, features)
    _hook_start_and_end(shared, sync, loops)
    _watch(shared, facts, loops)
    return bot


def _add_commands(bot: Rowbot, features: Sequence[Feature]) -> None:
    build = CommandBuilder(bot.router.serve)
    for feature in features:
        for command in feature.commands(build):
            bot.tree.add_command(command)


class _Features:
    """All features, tied to one another, with names for those whose parts have hooks."""

    def __init__(self, shared: _Shared):
        self.invitations = _invitations(shared)
        self.offers = _offers(shared, self.invitations.challenge_again)
        self.leaderboard = _leaderboard(shared)
        self.honours = _honours(shared)
        self.tournaments = _tournaments(shared)
        self.leaving = _leaving(shared)
        self.help = _help(shared)
        puzzles, achievements = _puzzles(shared), _achievements(shared)
        winners = self.tournaments, puzzles, achievements
        distinctions = [feature.profile_line for feature in winners]
        invited, waiting = self.invitations.invited, self.tournaments.waiting_lines
        self.all: list[Feature] = [
            self.invitations,
            _matches(shared),
            _owed(shared),
            self.offers,
            *_analysis(shared),
            self.leaderboard,
            _profiles(shared, distinctions, invited, waiting),
            achievements,
            self.honours,
            puzzles,
            _privacy(shared, self.invitations),
            self.leaving,
            _servers(shared, [_puzzle_settings(shared), self.honours]),
            _moderation(shared),
            _clocks(shared, self.leaving),
            self.tournaments,
            self.help,
            *_backups(shared),
        ]


def _hook_events(shared: _Shared, features: _Features) -> None:
    """Let parts act on what happens to servers, members and matches, in this order."""
    bot, leaving = shared.bot, features.leaving
    invitations, offers = features.invitations, features.offers
    roles, director = features.honours.roles, features.tournaments.director
    greet = partial(welcome, features.help.welcome, shared.channels, bot.serving, shared.now)
    guests = Guests(GuestStore(shared.database), shared.boards, shared.sees)
    # A server adopts its guests' matches once it is noted that the bot is back.
    bot.on_online += [leaving.on_online, guests.on_online]
    bot.on_joined += [greet, leaving.on_guild_join, guests.on_guild_join]
    bot.on_removed += [leaving.on_guild_remove]
    # A tournament that is cancelled releases its match in that channel, which then ends.
    bot.on_channel_deleted += [director.channel_deleted, shared.occupancy.channel_deleted]
    shared.membership.on_seen += [features.leaderboard.service.note_seen, roles.note_seen]
    shared.match_store.on_end += [
        shared.first_boards.note_end,
        roles.note_rated,
        director.match_ended,
    ]
    shared.matches.on_archived += [shared.boards.mark_archived]
    shared.matches.on_void += [offers.messages.close_void_later]
    shared.boards.arrivals.on_unsure += [shared.leftovers.tidy_later]
    invitations.service.on_lapse += [invitations.messages.refresh_later]


def _hook_start_and_end(shared: _Shared, sync: CommandSync, loops: Sequence[Loop]) -> None:
    """Start the loops once the bot serves, and close what is open when it ends, in this order.

    When a search or picture ends, so does the handler that waits for it. The handler may still note
    a board, as may the last calls, so boards are written after both.
    """
    bot, serving, requests = shared.bot, shared.bot.serving, shared.requests

    async def start_loops() -> None:
        for loop in loops:
            connected = bot.wait_until_hearing if loop.early else bot.wait_until_ready
            loop.start(partial(_wait_for, connected, serving.wait))

    async def stop_loops() -> None:
        within = serving.time_for(FINISH_WITHIN_SECONDS)
        await asyncio.gather(*(loop.stop(within) for loop in loops))

    async def finish_requests() -> None:
        await requests.finish(serving.time_for(FINISH_WITHIN_SECONDS))

    bot.on_setup += [sync.check_application, serving.set_up]
    serving.on_begin += [start_loops]
    bot.on_closing += [
        stop_loops,
        shared.searches.close,
        shared.pictures.close,
        finish_requests,
        shared.match_store.board_ids.write,
    ]


async def _wait_for(*conditions: Callable[[], Awaitable[None]]) -> None:
    for condition in conditions:
        await condition()


def _invitations(shared: _Shared) -> Invitations:
    store = shared.open_invitations
    lifetime = shared.settings.challenge_minutes * MINUTE
    service = InvitationService(store, shared.matches, shared.starter, shared.now, lifetime)
    messages = InvitationMessages(store, service, shared.channels, shared.limits)
    answers = _answers(shared, service, messages)
    return Invitations(
        invitations=service,
        messages=messages,
        matchmaker=_matchmaker(shared, service, answers, messages),
        answers=answers,
        threads=shared.match_threads,
        matches=shared.matches,
        ways=shared.ways,
        requests=shared.requests,
        hears=shared.bot.hears,
    )


def _matchmaker(
    shared: _Shared, invitations: InvitationService, answers: Answers, messages: InvitationMessages
) -> Matchmaker:
    return Matchmaker(
        matches=shared.matches,
        ways=shared.ways,
        starter=shared.starter,
        rng=shared.rng,
        invitations=invitations,
        answers=answers,
        messages=messages,
        threads=shared.match_threads,
        here=shared.here,
        settings=shared.server_settings,
        blocked=shared.settings.blocked,
    )


def _answers(
    shared: _Shared, invitations: InvitationService, messages: InvitationMessages
) -> Answers:
    return Answers(
        matches=shared.matches,
        ways=shared.ways,
        first_boards=shared.first_boards,
        invitations=invitations,
        messages=messages,
        threads=shared.match_threads,
        membership=shared.membership,
        here=shared.here,
        limits=shared.limits,
    )


def _matches(shared: _Shared) -> Matches:
    return Matches(
        matches=shared.matches,
        boards=shared.boards,
        private=shared.private,
        occupancy=shared.occupancy,
        returning=shared.returning,
        absence=shared.absence,
        ways=shared.ways,
        here=shared.here,
        limits=shared.limits,
    )


def _owed(shared: _Shared) -> Owed:
    show = shared.leftovers.catch_up_soon
    return Owed(
        matches=shared.matches,
        store=shared.match_store,
        show=show,
        check=partial(show, shown=True),
        now=shared.now,
    )


def _offers(shared: _Shared, challenge: ChallengeAgain) -> Offers:
    store = OfferStore(shared.database)
    check_pace = partial(shared.limits.check, Kind.ASKING)
    offers = OfferService(store, shared.matches, shared.starter, check_pace)
    messages = _offer_messages(shared, store, offers)
    return Offers(
        matches=shared.matches,
        offers=offers,
        messages=messages,
        boards=shared.boards,
        threads=shared.match_threads,
        challenge=challenge,
        absence=shared.absence,
        ways=shared.ways,
        here=shared.here,
        limits=shared.limits,
    )


def _offer_messages(shared: _Shared, store: OfferStore, offers: OfferService) -> OfferMessages:
    return OfferMessages(
        store=store,
        matches=shared.matches,
        offers=offers,
        settings=shared.server_settings,
        boards=shared.boards,
        first_boards=shared.first_boards,
        channels=shared.channels,
    )


def _analysis(shared: _Shared) -> list[Feature]:
    """Return the features that show finished matches, and hand them out."""
    matches, limits = shared.matches, shared.limits
    finished = FinishedMatches(matches, shared.match_store, shared.sight)
    analysis = AnalysisService(shared.engine, shared.searches)
    sharing = SharingService(ShareStore(shared.database), shared.now, shared.channels.is_gone)
    return [
        Analysis(
            matches=matches,
            analysis=analysis,
            finished=finished,
            limits=limits,
            boards=shared.boards,
            private=shared.private,
        ),
        Exports(
            finished=finished,
            sharing=sharing,
            pictures=shared.pictures,
            limits=limits,
            channels=shared.channels,
        ),
    ]


def _leaderboard(shared: _Shared) -> Leaderboard:
    everywhere = EverywhereStore(shared.database)
    service = LeaderboardService(shared.scores, everywhere, shared.membership.gone, shared.now)
    return Leaderboard(shared.match_store, shared.scores, service, shared.limits, shared.here)


def _profiles(
    shared: _Shared, distinctions: Sequence[Distinction], invited: Invited, waiting: Waiting
) -> Profiles:
    return Profiles(
        profiles=ProfileService(
            match_store=shared.match_store,
            histories=HistoryStore(shared.database),
            scores=shared.scores,
            occupancy=shared.occupancy,
            returning=shared.returning,
        ),
        pictures=shared.pictures,
        limits=shared.limits,
        here=shared.here,
        distinctions=distinctions,
        invited=invited,
        waiting=waiting,
    )


def _achievements(shared: _Shared) -> Achievements:
    store = AchievementStore(shared.database)
    achievements = AchievementService(store, shared.match_store, shared.searches, shared.now)
    return Achievements(store, achievements, shared.channels, shared.limits)


def _honours(shared: _Shared) -> Honours:
    store = HonourStore(shared.database)
    return Honours(
        store=store,
        honours=HonourService(store, shared.now),
        seasons=_seasons(shared, store),
        roles=_roles(shared, store),
        known=shared.channels.known,
        exists=shared.threads.exists,
    )


def _seasons(shared: _Shared, store: HonourStore) -> SeasonPosts:
    return SeasonPosts(
        store=store,
        scores=shared.scores,
        gone=shared.membership.gone,
        channels=shared.channels,
        pictures=shared.pictures,
        here=shared.here,
        guild_of=shared.served_guild,
        now=shared.now,
    )


def _roles(shared: _Shared, store: HonourStore) -> RoleKeeper:
    return RoleKeeper(
        store=store,
        scores=shared.scores,
        channels=shared.channels,
        here=shared.here,
        membership=shared.membership,
        guild_of=shared.bot.get_guild,
        now=shared.now,
    )


def _puzzles(shared: _Shared) -> Puzzles:
    store = PuzzleStore(shared.database, shared.rng)
    tries = TryStore(shared.database)
    searched = SearchedStore(shared.database)
    sources = Sources(shared.match_store, shared.membership)
    return Puzzles(
        tries=tries,
        puzzles=PuzzleService(store, tries, shared.now),
        private=shared.private,
        sources=sources,
        sight=shared.sight,
        daily=_daily_posts(shared, store, sources),
        search=PuzzleSearch(searched, shared.matches, shared.searches, shared.now),
        now=shared.now,
    )


def _daily_posts(shared: _Shared, store: PuzzleStore, sources: Sources) -> DailyPosts:
    return DailyPosts(
        daily_store=DailyStore(shared.database),
        store=store,
        channels=shared.channels,
        sources=sources,
        here=shared.here,
        now=shared.now,
    )


def _puzzle_settings(shared: _Shared) -> PuzzleSettings:
    return PuzzleSettings(DailyStore(shared.database), shared.threads.exists, shared.now)


def _privacy(shared: _Shared, invitations: Invitations) -> Privacy:
    store = PersonalStore(shared.database, shared.rng)
    service = PrivacyService(store, shared.matches, shared.now)
    return Privacy(
        store=store,
        privacy=service,
        boards=shared.boards,
        channels=shared.channels,
        limits=shared.limits,
        left_by=invitations.left_by,
    )


def _leaving(shared: _Shared) -> Leaving:
    return Leaving(
        store=ServerDataStore(shared.database, go_on),
        sees=shared.sees,
        is_there=shared.membership.bot_is_on,
        rng=shared.rng,
        now=shared.now,
        days=shared.settings.erase_after_days,
    )


def _servers(shared: _Shared, others: Sequence[Configurable]) -> Servers:
    challenge_seconds = shared.settings.challenge_minutes * MINUTE
    return Servers(shared.server_settings, challenge_seconds, others)


def _moderation(shared: _Shared) -> Moderation:
    store = ModerationStore(shared.database, call_off_all, TournamentStore.note_called_off)
    service = ModerationService(store, shared.match_store, shared.now)
    return Moderation(shared.matches, service, shared.boards, shared.channels, shared.here)


def _clocks(shared: _Shared, leaving: Leaving) -> Clocks:
    store = DueStore(shared.database)
    clocks = ClockService(store, shared.match_store, shared.matches, shared.now)
    reminders = Reminders(
        store=store,
        match_store=shared.match_store,
        boards=shared.boards,
        channels=shared.channels,
        absence=shared.absence,
        now=shared.now,
    )
    return Clocks(
        store=store,
        matches=shared.matches,
        clocks=clocks,
        boards=shared.boards,
        reminders=reminders,
        reach=shared.reach,
        hears=shared.bot.hears,
        note_if_left=leaving.note_if_left,
        now=shared.now,
    )


def _tournaments(shared: _Shared) -> Tournaments:
    store = TournamentStore(shared.database)
    lists = TournamentLists(shared.database)
    service = _tournament_service(shared, store)
    director = _director(shared, service, store, lists)
    return Tournaments(
        service=service,
        lists=lists,
        corrections=Corrections(service, store, shared.matches, shared.match_store, shared.now),
        director=director,
        finished_threads=FinishedThreads(lists, shared.threads, shared.now),
        creation=TournamentCreation(
            service, director, shared.channels.known, shared.here, shared.now
        ),
        known=shared.channels.known,
        sight=shared.sight,
        limits=shared.limits,
    )


def _tournament_service(shared: _Shared, store: TournamentStore) -> TournamentService:
    return TournamentService(
        store=store,
        match_store=shared.match_store,
        matches=shared.matches,
        starter=shared.starter,
        who_left=shared.membership.all_gone,
        now=shared.now,
    )


def _progress(
    shared: _Shared,
    service: TournamentService,
    store: TournamentStore,
    messages: TournamentMessages,
) -> Progress:
    return Progress(
        service=service,
        store=store,
        matches=shared.matches,
        missing=messages.missing,
        tell=messages.tell_later,
        hears=shared.can_join,
        now=shared.now,
    )


def _director(
    shared: _Shared, service: TournamentService, store: TournamentStore, lists: TournamentLists
) -> Director:
    messages = TournamentMessages(store, shared.channels, shared.threads, shared.pictures)
    progress = _progress(shared, service, store, messages)
    openings = Openings(
        service=service,
        store=store,
        occupancy=shared.occupancy,
        messages=messages,
        boards=shared.boards,
        first_boards=shared.first_boards,
        threads=shared.threads,
        reach=shared.reach,
    )
    return Director(
        service=service,
        store=store,
        lists=lists,
        progress=progress,
        openings=openings,
        messages=messages,
        matches=shared.matches,
        boards=shared.boards,
        requests=shared.requests,
        threads=shared.threads,
        now=shared.now,
    )


def _help(shared: _Shared) -> Help:
    return Help(shared.match_store, shared.pictures, shared.here, _host_pages(shared.settings))


def _host_pages(settings: Settings) -> dict[str, str]:
    """Return the addresses of the host's pages, by the key of their name."""
    pages = {"help.privacy_link": settings.privacy_url, "help.terms_link": settings.terms_url}
    return {key: address for key, address in pages.items() if address is not None}


def _backups(shared: _Shared) -> list[Backups]:
    """Return the nightly backup if the host wants one; none for the preview."""
    settings = shared.settings
    leads = shared.database.shards.leads
    if not leads or settings.backup_dir is None or settings.discord_token is None:
        return []
    return [
        Backups(
            settings.database_url,
            settings.backup_dir,
            settings.backup_keep,
            settings.backup_hour,
            shared.now,
        )
    ]


def _watch(shared: _Shared, facts: FactStore, loops: Sequence[Loop]) -> None:
    """Let the metrics and the answers about health read the state of the bot."""
    bot, metrics, requests = shared.bot, shared.metrics, shared.requests
    metrics.registry.register(StateCollector(loops, lambda: bot.latencies))
    metrics.connected.set_function(lambda: bot.connected)
    metrics.serving.set_function(lambda: bot.serving.active)
    metrics.servers.set_function(lambda: len(bot.guilds) if bot.serving.active else 0)
    metrics.identifies.set_function(lambda: bot.identifies.used)
    for state in requests.backlog:
        metrics.backlog.labels(state).set_function(partial(lambda of: requests.backlog[of], state))
    queues = {"search": shared.searches.queue, **shared.pictures.queues}
    for work, queue in queues.items():
        metrics.waiting.labels(work).set_function(partial(getattr, queue, "waiting"))
        metrics.running.labels(work).set_function(partial(getattr, queue, "running"))
    ask = partial(facts.get, TOLD_COMMANDS)
    health = Health(lambda: bot.connected, ask, loops)
    bot.watch = WatchServer(metrics, health, shared.match_store.count_live)
