"""/play, with a subcommand for each game, and *Challenge* in a member's menu."""

from collections.abc import Sequence
from typing import Any

from discord import app_commands

from bot.gateway.commands import CommandBuilder, Handler, read_choice
from bot.gateway.feature import AnyCommand
from bot.gateway.interactions import Interaction
from bot.invitations.matchmaker import Matchmaker
from bot.invitations.model import First
from bot.invitations.options import annotations, choices, complete_level, descriptions, others_of
from bot.invitations.wishes import Wish
from bot.matches.options import given_options
from core.game import Game
from core.games import GAMES


class PlayCommands:
    """Parses `/play`; the entry of members' menus needs no parsing."""

    def __init__(self, matchmaker: Matchmaker):
        self._matchmaker = matchmaker

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /play and the entry of members' menus."""
        games = [self._command(game, build) for game in GAMES.values()]
        return [
            build.group("play", games),
            build.member_menu("menu.challenge", self._matchmaker.ask_against, private=True),
        ]

    def _command(self, game: Game, build: CommandBuilder) -> app_commands.Command[Any, ..., None]:
        command = build.with_options(
            game.key,
            self._begin(game),
            build.text(f"game.{game.key}.command"),
            annotations(game),
        )
        build.describe(
            command,
            descriptions(game, build),
            choices(game, build),
            {"level": complete_level(game)},
        )
        return command

    def _begin(self, game: Game) -> Handler:
        """Return the handler of a game's subcommand; it takes the options of the game."""

        async def begin(interaction: Interaction, **given: Any) -> None:
            first = given.get("first")
            wish = Wish(
                game,
                given_options(game, given.items()),
                [somebody for name in others_of(game) if (somebody := given.get(name))],
                given.get("level"),
                is_open=bool(given.get("open")),
                first=read_choice("first", first, First) if first else First.ME,
                clock=given.get("clock"),
            )
            await self._matchmaker.begin(interaction, wish)

        return begin
