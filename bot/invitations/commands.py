"""/play, with a subcommand for each game, /answer, and *Challenge* in a member's menu."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from bot.gateway.commands import CommandBuilder, Handler, localized, localized_by, read_choice
from bot.gateway.feature import AnyCommand
from bot.gateway.interactions import Interaction
from bot.i18n import Texts
from bot.identity import MemberId
from bot.invitations.answers import Answers
from bot.invitations.matchmaker import Matchmaker
from bot.invitations.model import First, Verb
from bot.invitations.options import annotations, choices, complete_level, descriptions, others_of
from bot.invitations.view import button_keys
from bot.invitations.wishes import Wish
from bot.matches.options import given_options
from core.game import Game
from core.games import GAMES


class PlayCommands:
    """Parses `/play` and `/answer`; the entry of members' menus needs no parsing."""

    def __init__(self, matchmaker: Matchmaker, answers: Answers):
        self._matchmaker = matchmaker
        self._answers = answers

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /play, /answer and the entry of members' menus."""
        games = [self._command(game, build) for game in GAMES.values()]
        return [
            build.group("play", games),
            build.command(
                "answer",
                self.answer,
                {"answer": "option.answer", "member": "option.answer.member"},
                choices={"answer": [_choice(verb) for verb in Verb]},
            ),
            build.member_menu("menu.challenge", self._matchmaker.ask_against, private=True),
        ]

    def _command(self, game: Game, build: CommandBuilder) -> app_commands.Command[Any, ..., None]:
        return build.with_options(
            game.key,
            self._begin(game),
            localized(f"game.{game.key}.command"),
            annotations(game),
            descriptions(game),
            choices(game),
            {"level": complete_level(game)},
        )

    async def answer(
        self,
        interaction: Interaction,
        answer: str,
        member: discord.User | discord.Member | None = None,
    ) -> None:
        """Answer the invitation in this channel that is meant, as its button does."""
        owner = None if member is None else MemberId(member.id)
        await self._answers.answer(interaction, read_choice("answer", answer, Verb), owner)

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


def _choice(verb: Verb) -> app_commands.Choice[str]:
    """Return an answer under the names of its buttons, on challenges and on tables."""

    def named(texts: Texts) -> str:
        return " / ".join(texts(key) for key in button_keys(verb))

    return app_commands.Choice(name=localized_by(named), value=verb.value)
