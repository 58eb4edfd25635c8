"""Putting the bot together: the only place where things are wired."""

from collections.abc import Callable
from random import Random, SystemRandom

import discord
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.analysis.service import Insight
from bot.client import PATIENCE_SECONDS, Rowbot, Services
from bot.clocks.housekeeping import Housekeeping
from bot.clocks.service import Deadlines
from bot.clocks.store import DueStore
from bot.clocks.sweeper import Sweeper
from bot.declared_commands import all_commands
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.invitations.service import Invitations
from bot.invitations.store import InvitationStore
from bot.leaderboard.service import Leaderboards
from bot.matches.computer import ComputerPlayer
from bot.matches.service import Matches
from bot.matches.start import Beginnings
from bot.matches.store import MatchStore
from bot.offers.service import Offers
from bot.offers.store import OfferStore
from bot.pictures.client import PictureClient
from bot.privacy.service import Privacy
from bot.privacy.store import PersonalStore
from bot.profiles.service import Profiles
from bot.profiles.store import HistoryStore
from bot.ratings.ledger import Ledger
from bot.ratings.store import ScoreStore
from bot.router import press
from bot.servers.moderation import Moderation
from bot.servers.moderation_store import ModerationStore
from bot.servers.service import Servers
from bot.servers.store import ServerStore
from bot.settings import Settings
from bot.workers.search_client import SearchClient
from core.engine.player import Engine
from core.games import GAMES


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

    `engine` is the computer player, made here and in each search process; `rng` is all chance,
    `clock` the time in Unix seconds; `patience` is for how many seconds nobody minds a silence.
    """
    chance = rng or SystemRandom()
    searches = SearchClient(engine, settings.engine_processes, settings.engine_seconds)
    here = engine()
    computer = ComputerPlayer(here, searches, chance)
    ledger = Ledger(settings.rated_a_day)
    matches = Matches(MatchStore(database, ledger), computer, chance, clock)
    beginnings = Beginnings(matches)
    scores, pictures = ScoreStore(database), PictureClient()
    lifetime = settings.challenge_minutes * 60
    services = Services(
        matches=matches,
        beginnings=beginnings,
        offers=Offers(OfferStore(database), matches, beginnings),
        invitations=Invitations(InvitationStore(database), matches, beginnings, lifetime),
        leaderboards=Leaderboards(scores, clock),
        profiles=Profiles(HistoryStore(database), scores),
        privacy=Privacy(PersonalStore(database, chance), matches, clock, settings.erase_after_days),
        pictures=pictures,
        insight=Insight(matches, here, searches),
        deadlines=Deadlines(DueStore(database, ledger), matches),
        servers=Servers(ServerStore(database)),
        moderation=Moderation(ModerationStore(database), matches),
    )
    bot = Rowbot(services, press, patience)
    for command in all_commands(GAMES, texts_for(DEFAULT_LOCALE)):
        bot.tree.add_command(command)
    housekeeping, sweeper = Housekeeping(bot), Sweeper(bot)
    bot.on_setup += [housekeeping.start, sweeper.start]
    bot.on_closing += [sweeper.stop, housekeeping.stop]
    bot.on_closing.append(searches.close)
    bot.on_closing.append(pictures.close)
    return bot
