"""/play, with a subcommand for each game, and *Challenge* in a member's menu."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import app_commands, ui

from bot.gateway.commands import CommandBuilder, Handler
from bot.gateway.components import Row, button, layout
from bot.gateway.feature import AnyCommand
from bot.gateway.permissions import tell_missing
from bot.gateway.responses import (
    Channels,
    Interaction,
    asker_of,
    person_of,
    place_of,
    response_of,
    texts_of,
)
from bot.identity import MemberId, escape
from bot.invitations.inviting import check_member, holders, in_order, invite
from bot.invitations.model import Challenge, First, Holder, Invitation, complete, seating
from bot.invitations.options import (
    annotations,
    choices,
    complete_level,
    descriptions,
    flags_of,
    given_options,
    others_of,
    read_level,
)
from bot.invitations.service import InvitationService
from bot.matches.boards import Boards
from bot.matches.clock import checked_clock
from bot.matches.service import ChannelBusy, MatchService
from bot.matches.settings import CheckHere, ServerSettings
from bot.matches.start import MatchStarter
from bot.matches.view import take_over_view
from bot.render.refusals import refusal_text
from core.game import Game
from core.games import GAMES
from core.options import Options
from core.players import Computer


class PlayCommands:
    """Starts a match, or invites members to one."""

    def __init__(
        self,
        matches: MatchService,
        starter: MatchStarter,
        invitations: InvitationService,
        boards: Boards,
        channels: Channels,
        check_here: CheckHere,
    ):
        self._matches = matches
        self._starter = starter
        self._invitations = invitations
        self._boards = boards
        self._channels = channels
        self._check_here = check_here

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /play and the entry of members' menus."""
        games = [self._command(game, build) for game in GAMES.values()]
        return [
            build.group("play", games),
            build.member_menu("menu.challenge", self.ask_which_game, private=True),
        ]

    def _command(self, game: Game, build: CommandBuilder) -> app_commands.Command[Any, ..., None]:
        command = build.with_options(
            game.key, self._play(game), f"game.{game.key}.command", annotations(game)
        )
        build.describe(
            command,
            descriptions(game, build.texts),
            choices(game, build.texts),
            {"level": complete_level(game)},
        )
        return command

    def _play(self, game: Game) -> Handler:
        """Return the handler of a game's subcommand; it takes the options of the game."""

        async def play(interaction: Interaction, **given: Any) -> None:
            try:
                await begin(interaction, given)
            except ChannelBusy as busy:
                if not self._matches.may_take_over(busy.stored, asker_of(interaction)):
                    raise
                texts = texts_of(interaction)
                view = take_over_view(refusal_text(busy, texts), busy.stored, texts)
                await response_of(interaction).whisper(view)

        async def begin(interaction: Interaction, given: Mapping[str, Any]) -> None:
            settings = await self._check_here(interaction)
            named = [somebody for name in others_of(game) if (somebody := given.get(name))]
            is_open = bool(given.get("open"))
            own = given_options(game, given.items())
            resolved, texts = game.resolve(own), texts_of(interaction)
            level = read_level(game, resolved, given.get("level"), texts)
            held = holders(interaction, game, named, level, is_open=is_open)
            options = _agreed(game, own, resolved, held)
            seats = in_order(held, self._drawn(given.get("first")))
            chosen = given.get("clock")
            clock = settings.clock if chosen is None else checked_clock(chosen)
            if complete(seats):
                await self._start(interaction, game, options, seats, clock, settings)
                return
            # The fairer board of a match between members may have other levels.
            fill_level = read_level(game, options, given.get("level"), texts) if is_open else None
            invitation = Invitation(
                place=place_of(interaction),
                game=game.key,
                options=options,
                owner=person_of(interaction.user),
                seats=seats,
                fill_level=fill_level,
                clock=clock,
            )
            await invite(
                interaction,
                self._channels,
                self._invitations,
                invitation,
                settings.challenge_seconds,
            )

        return play

    def _drawn(self, first: str | None) -> First:
        """Return who takes the first seat, ME or OPPONENT; the lot is drawn here."""
        chosen = First(first) if first else First.ME
        if chosen is First.RANDOM:
            return First.ME if self._matches.rng.random() < 0.5 else First.OPPONENT
        return chosen

    async def _start(
        self,
        interaction: Interaction,
        game: Game,
        options: Options,
        seats: Sequence[Holder],
        clock: int | None,
        settings: ServerSettings,
    ) -> None:
        """Start a match that nobody has to agree to."""
        place = place_of(interaction)
        async with self._matches.lock(place.channel_id):
            stored = await self._starter.start(place, game, options, seating(seats), clock=clock)
        await self._boards.show_first(interaction, stored, settings)
        await tell_missing(interaction, clock=None)

    async def ask_which_game(self, interaction: Interaction, member: discord.Member) -> None:
        """Ask for the game of a challenge to this member."""
        check_member(interaction, member)
        texts = texts_of(interaction)
        games = Row(
            *(
                button(texts(f"game.{key}"), Challenge(MemberId(member.id), key))
                for key, game in GAMES.items()
                if game.seats == 2  # a challenge names one opponent
            )
        )
        asked = texts("challenge.which", opponent=f"**{escape(member.display_name)}**")
        await response_of(interaction).whisper(layout(ui.TextDisplay(asked), games))


def _agreed(game: Game, given: Options, resolved: Options, seats: Sequence[Holder]) -> Options:
    """Return the options of a match; members who leave the flags open get the fairer board."""
    chosen = given.keys() & flags_of(game)
    with_computer = any(isinstance(holder, Computer) for holder in seats)
    return resolved if chosen or with_computer else game.evened(resolved)
