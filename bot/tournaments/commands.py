"""/tournament: creating one, with a subcommand for each game, and everything else by name."""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.gateway.commands import (
    MAX_CHOICES,
    Choices,
    CommandBuilder,
    Handler,
    Page,
    choices_of,
    localized,
    read_choice,
)
from bot.gateway.components import MAX_LABEL
from bot.gateway.feature import AnyCommand
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    id_of,
    own_texts_of,
    person_of,
    place_of,
    server_of,
)
from bot.gateway.permissions import may_organise, may_see
from bot.identity import ChannelId, Place, RoleId, TournamentId
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
from bot.times import DAY, HOUR, MINUTE
from bot.tournaments.buttons import TournamentButtons
from bot.tournaments.director import Director
from bot.tournaments.model import Format, PairingKey, Stage
from bot.tournaments.presses import ShowPage
from bot.tournaments.service import TournamentService
from bot.tournaments.stored import SEATS, TournamentSettings
from bot.tournaments.view import game_choice
from core.game import Game
from core.games import GAMES

T = TypeVar("T", str, int)

_PLACES = 16
_WHEN_FULL, _BY_BUTTON = "full", "button"
# Discord has no option for a moment, so the choices count from now.
_STARTS_IN = (15 * MINUTE, HOUR, 4 * HOUR, DAY, 3 * DAY, 7 * DAY)
_RESULTS = {"first": (1.0, 0.0), "second": (0.0, 1.0), "draw": (0.5, 0.5), "nobody": (0.0, 0.0)}
_ID = re.compile(r"[0-9]{1,18}", re.ASCII)
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


class TournamentCommands:
    """Parses `/tournament`."""

    def __init__(
        self,
        service: TournamentService,
        buttons: TournamentButtons,
        director: Director,
        here: SettingsHere,
    ):
        self._service = service
        self._buttons = buttons
        self._director = director
        self._here = here

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /tournament."""
        games = [game for game in GAMES.values() if game.seats == SEATS]
        create = [self._create_command(game, build) for game in games]
        options, confirm = {"tournament": "option.tournament"}, {"confirm": "option.confirm"}
        handlers: dict[str, tuple[Handler, dict[str, str]]] = {
            "join": (self.join, options),
            "leave": (self.leave, options | confirm),
            "show": (self.show, options | {"page": "option.page"}),
            "start": (self.start, options),
            "cancel": (self.cancel, options | confirm),
            "drop": (self.drop, options | confirm | {"member": "option.tournament.member"}),
        }
        complete = {"tournament": self.complete_tournament}
        others = [
            build.command(f"tournament {name}", handler, taken, private=True, complete=complete)
            for name, (handler, taken) in handlers.items()
        ]
        result = build.command(
            "tournament result",
            self.correct,
            options | {"game": "option.tournament.game", "result": "option.tournament.result"},
            private=True,
            choices={"result": choices_of("tournament.result.{}", _RESULTS)},
            complete=complete | {"game": self.complete_game},
        )
        first = build.group("tournament create", create)
        return [build.group("tournament", [first, *others, result], on_servers=True)]

    # --- creating

    def _create_command(
        self, game: Game, build: CommandBuilder
    ) -> app_commands.Command[Any, ..., None]:
        return build.with_options(
            game.key,
            self._create(game),
            localized(f"game.{game.key}"),
            _OWN | declared_types(game),
            _descriptions(game),
            _choices(game),
            # As choices they would count into the size of the command, once for each game.
            {"clock": self.complete_clock, "start": self.complete_start},
        )

    def _create(self, game: Game) -> Handler:
        """Return the handler of a game's subcommand."""

        async def create(interaction: Interaction, **given: Any) -> None:
            server_of(interaction)  # elsewhere there are none
            here = await self._here.check(interaction)
            if not may_organise(interaction.permissions):
                raise Refusal("refusal.tournament.creator")
            settings = self._settings(interaction, game, given, here)
            place = place_of(interaction)
            self._check_permissions(place, settings)
            created = await self._service.create(
                place, person_of(interaction.user), settings, id_of(interaction)
            )
            await self._director.show_first(interaction, created)

        return create

    def _settings(
        self, interaction: Interaction, game: Game, given: dict[str, Any], here: ServerSettings
    ) -> TournamentSettings:
        """Return the settings that were given, with defaults for the others.

        Raises OptionError, Refusal.
        """
        word = given.get("start") or _WHEN_FULL
        if word not in (_WHEN_FULL, _BY_BUTTON, *map(str, _STARTS_IN)):
            raise Refusal("refusal.tournament.start")
        starts_at = self._service.matches.now() + int(word) if word.isdecimal() else None
        clock, role, rated = given.get("clock"), given.get("role"), given.get("rated")
        return TournamentSettings(
            game=game,
            options=options_of_members(game, given_options(game, given.items())),
            format=read_choice("format", given.get("format") or Format.KNOCKOUT, Format),
            clock=(here.clock or DEFAULT_CLOCK) if clock is None else clock,
            places=_PLACES if given.get("places") is None else given["places"],
            role_id=RoleId(role.id) if role is not None and not role.is_default() else None,
            rated=rated is not False,
            starts_at=starts_at,
            when_full=word == _WHEN_FULL,
            swiss_rounds=given.get("rounds"),
            channels=_channels_of(interaction, given.get("channels")),
        )

    def _check_permissions(self, place: Place, settings: TournamentSettings) -> None:
        """Raise Refusal if the bot lacks a permission here, or in a channel to be played in."""
        self._buttons.check_permissions(place, threads=not settings.channels)
        for channel_id in settings.channels:
            there = Place(place.server_id, channel_id, place.locale)
            self._buttons.check_permissions(there, threads=False)

    # --- the others

    async def join(self, interaction: Interaction, tournament: str | None = None) -> None:
        """Let the asker join."""
        await self._buttons.join(
            interaction, await self._named(interaction, tournament, Stage.OPEN)
        )

    async def leave(
        self, interaction: Interaction, tournament: str | None = None, *, confirm: bool = False
    ) -> None:
        """Let the asker leave; `confirm` answers the question before it."""
        if tournament is None:
            place, sees = place_of(interaction), partial(may_see, interaction)
            meant = self._service.meant_to_leave(place, sees, asker_of(interaction))
            tournament_id = await meant
        else:
            tournament_id = await self._named(interaction, tournament)
        await self._buttons.leave(interaction, tournament_id, confirm=confirm)

    async def start(self, interaction: Interaction, tournament: str | None = None) -> None:
        """Start a tournament."""
        tournament_id = await self._named(interaction, tournament, Stage.OPEN)
        await self._buttons.start(interaction, tournament_id)

    async def cancel(
        self, interaction: Interaction, tournament: str | None = None, *, confirm: bool = False
    ) -> None:
        """Cancel a tournament; `confirm` answers the question before it."""
        tournament_id = await self._named(interaction, tournament)
        await self._buttons.cancel(interaction, tournament_id, confirm=confirm)

    async def show(
        self, interaction: Interaction, tournament: str | None = None, page: Page = 1
    ) -> None:
        """Show a page of a tournament to the asker alone."""
        tournament_id = await self._named(interaction, tournament)
        await self._buttons.turn(interaction, ShowPage(tournament_id, page - 1))

    async def _named(
        self, interaction: Interaction, typed: str | None, stage: Stage | None = None
    ) -> TournamentId:
        """Return the tournament that was chosen, or that is meant here; raise Refusal.

        Of several in the channel, one at this `stage` is meant.
        """
        if typed is None:
            sees = partial(may_see, interaction)
            return await self._service.meant(place_of(interaction), sees, stage)
        if not _ID.fullmatch(typed):
            raise Refusal("refusal.tournament.none")
        return TournamentId(int(typed))

    async def drop(
        self,
        interaction: Interaction,
        member: discord.User | discord.Member,
        tournament: str | None = None,
        *,
        confirm: bool = False,
    ) -> None:
        """Take a player out; `confirm` answers the question before it."""
        tournament_id = await self._named(interaction, tournament)
        player = person_of(member)
        await self._buttons.drop(interaction, tournament_id, player, confirm=confirm)

    async def correct(
        self,
        interaction: Interaction,
        game: str,
        result: str,
        tournament: str | None = None,
    ) -> None:
        """Enter the result of a game."""
        tournament_id = await self._named(interaction, tournament, Stage.RUNNING)
        points = _RESULTS[read_choice("result", result, _RESULTS)]
        await self._buttons.correct(interaction, tournament_id, _read_key(game), points)

    async def complete_clock(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[int]]:
        """Return the times for a move, the shortest first."""
        texts = own_texts_of(interaction)
        return _matching(((words.clock_words(clock, texts), clock) for clock in CLOCKS), current)

    async def complete_start(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the ways to start, and the times from now."""
        texts = own_texts_of(interaction)
        ways = [(texts(f"tournament.start.{way}"), way) for way in (_WHEN_FULL, _BY_BUTTON)]
        durations = [(words.duration(seconds, texts), str(seconds)) for seconds in _STARTS_IN]
        times = [(texts("tournament.start.in", duration=said), value) for said, value in durations]
        return _matching([*ways, *times], current)

    async def complete_tournament(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the tournaments of this server, those that aren't over first."""
        if interaction.guild_id is None:
            return []
        texts, found = own_texts_of(interaction), []
        sees = partial(may_see, interaction)
        for one in await self._service.listed(server_of(interaction), sees):
            name = texts(
                "tournament.choice",
                id=one.id,
                title=words.title(one.game, one.options, texts),
                format=texts(f"tournament.format.{one.format}"),
                stage=texts(f"tournament.stage.{one.stage}"),
            )
            found.append((name, str(one.id)))
        return _matching(found, current)

    async def complete_game(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the games of the meant tournament: running ones first, then by newest rounds."""
        try:
            typed = getattr(interaction.namespace, "tournament", None)
            tournament_id = await self._named(interaction, typed, Stage.RUNNING)
            stored = await self._buttons.stored(interaction, tournament_id)
        except Refusal:
            return []
        texts = own_texts_of(interaction)
        played = [one for one in stored.value.played if not one.pairing.is_bye]
        played.sort(key=lambda one: (one.over, -one.pairing.round, one.pairing.key))
        named = ((game_choice(stored, one.pairing, texts), str(one.pairing.key)) for one in played)
        return _matching(named, current)


def _descriptions(game: Game) -> dict[str, locale_str]:
    own = {name: localized(f"option.tournament.{name}") for name in _OWN}
    return {**own, **declared_descriptions(game)}


def _choices(game: Game) -> Choices:
    return {"format": choices_of("tournament.format.{}", Format), **declared_choices(game)}


def _channels_of(interaction: Interaction, typed: str | None) -> tuple[ChannelId, ...]:
    """Return the channels that were typed, each once; raise Refusal."""
    unread, kind = "refusal.tournament.channel", "refusal.tournament.kind"
    found = dict.fromkeys(read_channels(interaction, typed or "", unread, kind))
    guild, creator = interaction.guild, interaction.user
    for channel_id in found:
        channel = guild.get_channel(channel_id) if guild else None
        if isinstance(channel, discord.ForumChannel):  # its posts are channels, it isn't one
            raise Refusal(kind, channels=(channel_id,))
        # A member who may create tournaments in one channel has no say in the others.
        if (
            channel is None
            or not isinstance(creator, discord.Member)
            or not may_organise(channel.permissions_for(creator))
        ):
            permission = own_texts_of(interaction)("permission.manage_channels")
            raise Refusal("refusal.not_moderator", permission=permission)
    return tuple(found)


def _read_key(typed: str) -> PairingKey:
    """Return the round, the table and the game that are written so; raise Refusal."""
    try:
        return PairingKey.parse(typed)
    except ValueError as error:
        raise Refusal("refusal.tournament.no_game") from error


def _matching(found: Iterable[tuple[str, T]], typed: str) -> list[app_commands.Choice[T]]:
    """Return the first choices with the typed text; those that follow aren't even named."""
    wanted = typed.strip().casefold()
    fitting = ((name, value) for name, value in found if wanted in name.casefold())
    return [
        app_commands.Choice(name=name[:MAX_LABEL], value=value)
        for name, value in islice(fitting, MAX_CHOICES)
    ]
