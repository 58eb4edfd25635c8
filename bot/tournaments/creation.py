"""/tournament create, with a subcommand for each game."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.gateway.commands import (
    MAX_CHOICES,
    CommandBuilder,
    Handler,
    choices_of,
    localized,
    read_choice,
)
from bot.gateway.components import MAX_LABEL
from bot.gateway.interactions import Interaction, own_texts_of, person_of, place_of, server_of
from bot.gateway.known_channels import KnownChannels
from bot.gateway.permissions import may_organise, role_for_members
from bot.identity import ChannelId, Place
from bot.matches.clock import CLOCKS, DEFAULT_CLOCK
from bot.matches.here import SettingsHere
from bot.matches.options import (
    declared_choices,
    declared_descriptions,
    declared_types,
    given_options,
    options_of_members,
    read_channels,
)
from bot.matches.settings import ServerSettings
from bot.refusals import Refusal
from bot.render import words
from bot.times import DAY, HOUR, MINUTE, read_duration, read_timestamp
from bot.tournaments.director import Director
from bot.tournaments.model import Format
from bot.tournaments.service import TournamentService
from bot.tournaments.stored import SEATS, TournamentSettings
from core.game import Game
from core.games import GAMES

T = TypeVar("T", str, int)

_PLACES = 16
_WHEN_FULL, _BY_BUTTON = "full", "button"
# Discord has no option for a moment, so the suggestions count from now.
_STARTS_IN = {
    "15m": 15 * MINUTE,
    "1h": HOUR,
    "4h": 4 * HOUR,
    "1d": DAY,
    "3d": 3 * DAY,
    "7d": 7 * DAY,
}
# With a shorter clock, a player who is away when their game begins loses it.
_UNHURRIED = 5 * MINUTE
_SOONEST, _LATEST = MINUTE, 30 * DAY
_OWN: dict[str, Any] = {
    "format": str | None,
    "clock": int | None,
    "places": int | None,
    "start": str | None,
    "role": discord.Role | None,
    "rated": bool | None,
    "rounds": int | None,
    "channels": str | None,
}


class TournamentCreation:
    """Creates tournaments for members who may organise them. `now` gives Unix seconds."""

    def __init__(
        self,
        service: TournamentService,
        director: Director,
        known: KnownChannels,
        here: SettingsHere,
        now: Callable[[], int],
    ):
        self._service = service
        self._director = director
        self._known = known
        self._here = here
        self._now = now

    def command(self, build: CommandBuilder) -> app_commands.Group:
        """Return /tournament create."""
        games = [game for game in GAMES.values() if game.seats == SEATS]
        return build.group("tournament create", [self._of_game(game, build) for game in games])

    def _of_game(self, game: Game, build: CommandBuilder) -> app_commands.Command[Any, ..., None]:
        own = {name: localized(f"option.tournament.{name}") for name in _OWN}
        formats = choices_of("tournament.format.{}", Format)
        return build.with_options(
            game.key,
            self._create(game),
            localized(f"game.{game.key}"),
            _OWN | declared_types(game),
            {**own, **declared_descriptions(game)},
            {"format": formats, **declared_choices(game)},
            # Not choices, which would count towards the size of the command, once for each game.
            {"clock": self.complete_clock, "start": self.complete_start},
        )

    def _create(self, game: Game) -> Handler:
        """Return the handler of a game's subcommand."""

        async def create(interaction: Interaction, **given: Any) -> None:
            server_of(interaction)  # tournaments are only on servers
            if not may_organise(interaction.permissions):
                raise Refusal("refusal.tournament.creator")
            server = await self._here.settings_or_refuse(interaction)
            settings = self._settings(interaction, game, given, server)
            place = place_of(interaction)
            check_permissions(self._known, place, opens=settings.in_threads)
            for channel_id in settings.channels:
                there = replace(place, channel_id=channel_id)
                check_permissions(self._known, there, opens=False)
            created = await self._service.create(place, person_of(interaction.user), settings)
            await self._director.show_first(interaction, created)

        return create

    def _settings(
        self, interaction: Interaction, game: Game, given: dict[str, Any], server: ServerSettings
    ) -> TournamentSettings:
        """Return the settings that were given, with defaults for the others.

        Raises OptionError, Refusal.
        """
        word = given.get("start") or _WHEN_FULL
        starts_at = None if word in (_WHEN_FULL, _BY_BUTTON) else self._moment(word)
        clock, role, rated = given.get("clock"), given.get("role"), given.get("rated")
        options = options_of_members(game, given_options(game, given.items()))
        # There, a match is rated only together with its rematch, which tournaments don't have.
        one_sided = game.one_sided(options)
        if rated and one_sided:
            raise Refusal("refusal.tournament.rated")
        return TournamentSettings(
            game=game,
            options=options,
            format=read_choice("format", given.get("format") or Format.KNOCKOUT, Format),
            clock=(server.clock or DEFAULT_CLOCK) if clock is None else clock,
            places=_PLACES if given.get("places") is None else given["places"],
            role_id=None if role is None else role_for_members(role),
            rated=rated is not False and not one_sided,
            starts_at=starts_at,
            when_full=word == _WHEN_FULL,
            swiss_rounds=given.get("rounds"),
            channels=_channels_of(interaction, given.get("channels")),
        )

    def _moment(self, typed: str) -> int:
        """Return the moment that a duration from now, or a timestamp, means; raise Refusal."""
        now, moment = self._now(), read_timestamp(typed)
        if moment is None and (duration := read_duration(typed)) is not None:
            moment = now + duration
        if moment is None or not _SOONEST <= moment - now <= _LATEST:
            raise Refusal("refusal.tournament.start")
        return moment

    async def complete_clock(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[int]]:
        """Return the times for a move, the shortest first, but last those for two at the table."""
        texts = own_texts_of(interaction)
        clocks = sorted(CLOCKS, key=lambda clock: clock < _UNHURRIED)
        return matching(((words.clock_words(clock, texts), clock) for clock in clocks), current)

    async def complete_start(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the time that was typed in words; else the ways to start, and times from now."""
        texts = own_texts_of(interaction)

        def said(duration: int) -> str:
            return texts("tournament.start.in", duration=words.duration(duration, texts))

        if _SOONEST <= (typed := read_duration(current) or 0) <= _LATEST:
            return [app_commands.Choice(name=said(typed), value=" ".join(current.split()))]
        ways = [(texts(f"tournament.start.{way}"), way) for way in (_WHEN_FULL, _BY_BUTTON)]
        times = [(said(duration), value) for value, duration in _STARTS_IN.items()]
        return matching([*ways, *times], current)


def check_permissions(known: KnownChannels, place: Place, *, opens: bool) -> None:
    """Raise Refusal if the bot lacks a permission in a channel; `opens` includes opening threads.

    The bot opens threads if the games have no channels of their own.
    """
    if opens and not known.takes_threads(place):
        raise Refusal("refusal.tournament.place")
    missing = known.missing(place, threads=opens)
    if missing is None:
        missing = ["view_channel"]
    if missing:
        only_threads = opens and known.missing(place) == []
        raise Refusal(
            "refusal.tournament.missing.threads" if only_threads else "refusal.tournament.missing",
            permissions=missing,
            channels=(place.channel_id,),
        )


def _channels_of(interaction: Interaction, typed: str | None) -> tuple[ChannelId, ...]:
    """Return the channels that were typed; raise Refusal."""
    unread, kind = "refusal.tournament.channel", "refusal.tournament.kind"
    found = read_channels(interaction, typed or "", unread, category=kind, thread=kind)
    guild, creator = interaction.guild, interaction.user
    for channel_id in found:
        channel = guild.get_channel(channel_id) if guild else None
        if isinstance(channel, discord.ForumChannel):  # only its posts hold messages
            raise Refusal(kind, channels=(channel_id,))
        # A member who may create tournaments in one channel has no say in the others.
        if (
            channel is None
            or not isinstance(creator, discord.Member)
            or not may_organise(channel.permissions_for(creator))
        ):
            permission = own_texts_of(interaction)("permission.manage_channels")
            raise Refusal("refusal.not_moderator", permission=permission)
    return found


def matching(found: Iterable[tuple[str, T]], typed: str) -> list[app_commands.Choice[T]]:
    """Return the first choices whose names contain the typed text, and look no further."""
    wanted = typed.strip().casefold()
    fitting = ((name, value) for name, value in found if wanted in name.casefold())
    return [
        app_commands.Choice(name=name[:MAX_LABEL], value=value)
        for name, value in islice(fitting, MAX_CHOICES)
    ]
