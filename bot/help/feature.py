"""The feature: /help with the welcome and its buttons, and /rules."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from bot.db.errors import CorruptRowError
from bot.gateway.commands import CommandBuilder, choices_of
from bot.gateway.components import Layout, Upload
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, own_texts_of, place_of
from bot.gateway.limits import answer_until
from bot.gateway.permissions import may_organise
from bot.gateway.responses import response_of
from bot.help.model import ShowCommands, ShowRules, example
from bot.help.view import commands_view, example_names, moderators_view, rules_view, welcome_view
from bot.i18n import Texts
from bot.matches.here import SettingsHere
from bot.matches.presses import OpenRules
from bot.matches.store import MatchStore
from bot.matches.ways import ways_in
from bot.pictures.client import PictureClient
from bot.refusals import Refusal
from bot.workers.errors import NoResultError
from bot.workers.fair_queue import Ticket
from core.game import Game
from core.games import GAMES


class Help(Feature):
    """The help; `links` are the addresses of the host's pages, by the key of their name."""

    def __init__(
        self,
        match_store: MatchStore,
        pictures: PictureClient,
        here: SettingsHere,
        links: Mapping[str, str],
    ):
        self._match_store = match_store
        self._pictures = pictures
        self._here = here
        self._links = links

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /rules and /help."""
        return [
            build.command(
                "rules",
                self.rules,
                {"game": "option.game"},
                private=True,
                choices={"game": choices_of("game.{}", GAMES)},
            ),
            build.command("help", self.help, {"commands": "button.commands"}, private=True),
        ]

    def routes(self) -> Sequence[Route]:
        """Return the presses on the welcome, and those that show the rules of a game."""
        return [
            route(ShowRules, self.press_rules),
            route(OpenRules, self.open_rules),
            route(ShowCommands, self.press_commands),
        ]

    def welcome(self, texts: Texts) -> Layout:
        """Return the first message of the bot."""
        return welcome_view(self._links, texts)

    async def help(self, interaction: Interaction, *, commands: bool = False) -> None:
        """Show what the bot can do, with buttons for it, or all `commands`."""
        if commands:
            await self.press_commands(interaction, ShowCommands())
            return
        texts = own_texts_of(interaction)
        why_no_match = await self._here.why_no_match(interaction, texts)
        place = place_of(interaction)
        ways = [] if why_no_match else ways_in(place.context)
        on_server = place.server_id is not None
        view = welcome_view(self._links, texts, ways, why_no_match, on_server=on_server)
        await response_of(interaction).whisper(view)

    async def press_commands(self, interaction: Interaction, _press: ShowCommands) -> None:
        """Show the commands that are offered in this place.

        Members who may use the commands for moderators get them as a second message.
        """
        on_server = place_of(interaction).server_id is not None
        texts, response = own_texts_of(interaction), response_of(interaction)
        await response.whisper(commands_view(texts, on_server=on_server))
        may = interaction.permissions
        if on_server and may_organise(may):
            view = moderators_view(texts, manages_channels=may.manage_channels)
            await response.whisper(view)

    async def rules(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the rules of a game; if none is named, of the one that is played here."""
        view = await self._rules(interaction, game or await self._game_here(interaction))
        await response_of(interaction).whisper(view)

    async def _game_here(self, interaction: Interaction) -> str:
        """Return the key of the game last played in a channel; before that, the first of all."""
        with suppress(CorruptRowError):
            latest = await self._match_store.latest(place_of(interaction).channel_id)
            if latest is not None:
                return latest.match.game.key
        return next(iter(GAMES))

    async def press_rules(self, interaction: Interaction, press: ShowRules) -> None:
        """Show the rules of a game in place of another's; from the welcome, as /rules does."""
        if not press.game:
            await self.rules(interaction)
            return
        await response_of(interaction).edit(await self._rules(interaction, press.game))

    async def open_rules(self, interaction: Interaction, press: OpenRules) -> None:
        """Show the rules of the game that the pressed message is about; that message stays."""
        await self.rules(interaction, press.game)

    async def _rules(self, interaction: Interaction, key: str) -> Layout:
        """Return the rules of a game with the picture of its example; raise Refusal."""
        if key not in GAMES:
            raise Refusal("refusal.unknown_button")
        picture = await self._picture(interaction, GAMES[key])
        texts = own_texts_of(interaction)
        playable = not await self._here.why_no_match(interaction, texts)
        return rules_view(GAMES[key], picture, texts, playable=playable)

    async def _picture(self, interaction: Interaction, game: Game) -> Upload | None:
        """Return the end of a game's example as a PNG, None if it can't be drawn just now."""
        names = example_names(game, own_texts_of(interaction))
        ticket = Ticket(place_of(interaction).queue_id, until=answer_until(interaction))
        try:
            picture = await self._pictures.board(ticket, example(game), names)
        except NoResultError:
            return None
        return Upload(f"{game.key}.png", picture)
