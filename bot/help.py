"""The feature: /rules and /help, two texts, and links to the host's pages."""

from collections.abc import Sequence

from discord import app_commands

from bot.gateway.commands import CommandBuilder
from bot.gateway.components import text_view
from bot.gateway.feature import AnyCommand, Feature
from bot.gateway.responses import Interaction, response_of, texts_of
from core.games import GAMES


class Help(Feature):
    """Texts about the games and the bot; `privacy_url` and `terms_url` are the host's, if any."""

    def __init__(self, privacy_url: str | None = None, terms_url: str | None = None):
        self._links = {"help.privacy_link": privacy_url, "help.terms_link": terms_url}

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /rules and /help."""
        games = [app_commands.Choice(name=build.texts(f"game.{g}"), value=g) for g in GAMES]
        return [
            build.command(
                "rules",
                self.rules,
                {"game": "option.game"},
                private=True,
                choices={"game": games},
            ),
            build.command("help", self.help, private=True),
        ]

    async def rules(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the rules of one game, or of all."""
        texts = texts_of(interaction)
        keys = [game] if game in GAMES else list(GAMES)
        text = "\n\n".join(texts(f"game.{key}.rules") for key in keys)
        await response_of(interaction).whisper(text_view(text))

    async def help(self, interaction: Interaction) -> None:
        """Show what the bot can do."""
        texts = texts_of(interaction)
        links = [texts(key, url=url) for key, url in self._links.items() if url is not None]
        text = "\n".join([texts("help"), " · ".join([texts("help.stored"), *links])])
        await response_of(interaction).whisper(text_view(text))
