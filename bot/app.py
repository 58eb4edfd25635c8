"""Putting the bot together: the only place where things are wired."""

from collections.abc import Callable
from random import Random, SystemRandom

import discord
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.beginnings import Beginnings
from bot.client import PATIENCE_SECONDS, Rowbot, Services
from bot.commands import all_commands
from bot.computer import ComputerPlayer
from bot.deadlines import Deadlines
from bot.housekeeping import Housekeeping
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.insight import Insight
from bot.invitations import Invitations
from bot.leaderboards import Leaderboards
from bot.matches import Matches
from bot.moderation import Moderation
from bot.offers import Offers
from bot.privacy import Privacy
from bot.profiles import Profiles
from bot.searches import Searches
from bot.servers import Servers
from bot.settings import Settings
from bot.storage.due import DueStore
from bot.storage.erasure import PersonalStore
from bot.storage.histories import HistoryStore
from bot.storage.invitations import InvitationStore
from bot.storage.ledger import Ledger
from bot.storage.matches import MatchStore
from bot.storage.moderation import ModerationStore
from bot.storage.offers import OfferStore
from bot.storage.scores import ScoreStore
from bot.storage.servers import ServerStore
from bot.studio import Studio
from bot.sweeper import Sweeper
from bot.views.presses import press
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
    searches = Searches(engine, settings.engine_processes, settings.engine_seconds)
    here = engine()
    computer = ComputerPlayer(here, searches, chance)
    ledger = Ledger(settings.rated_a_day)
    matches = Matches(MatchStore(database, ledger), computer, chance, clock)
    beginnings = Beginnings(matches)
    scores, studio = ScoreStore(database), Studio()
    lifetime = settings.challenge_minutes * 60
    services = Services(
        matches=matches,
        beginnings=beginnings,
        offers=Offers(OfferStore(database), matches, beginnings),
        invitations=Invitations(InvitationStore(database), matches, beginnings, lifetime),
        leaderboards=Leaderboards(scores, clock),
        profiles=Profiles(HistoryStore(database), scores),
        privacy=Privacy(PersonalStore(database, chance), matches, clock, settings.erase_after_days),
        studio=studio,
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
    bot.on_closing.append(studio.close)
    return bot
