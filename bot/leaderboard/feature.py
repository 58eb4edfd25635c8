"""The feature: /leaderboard, page by page."""

from collections.abc import Sequence
from contextlib import suppress

from bot.db.errors import CorruptRowError
from bot.gateway.commands import CommandBuilder, Page, choices_of, read_choice
from bot.gateway.components import Layout
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, asker_of, place_of, server_of
from bot.gateway.limits import Kind, Limits
from bot.gateway.responses import response_of
from bot.leaderboard.model import Period, Scope, TurnEverywhere, TurnPage
from bot.leaderboard.service import LeaderboardService
from bot.leaderboard.view import leaderboard_view
from bot.matches.here import SettingsHere
from bot.matches.store import MatchStore
from bot.ratings.model import By
from bot.ratings.store import ScoreStore
from core.games import GAMES
from core.players import Member


class Leaderboard(Feature):
    """The best players of a server, by rating or by wins."""

    def __init__(
        self,
        match_store: MatchStore,
        scores: ScoreStore,
        leaderboards: LeaderboardService,
        limits: Limits,
        here: SettingsHere,
    ):
        self._match_store = match_store
        self._scores = scores
        self.service = leaderboards
        self._limits = limits
        self._here = here

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /leaderboard."""
        command = build.command(
            "leaderboard",
            self.leaderboard,
            {
                "game": "option.game",
                "period": "option.period",
                "by": "option.by",
                "scope": "option.scope",
                "page": "option.page",
            },
            choices={
                "game": choices_of("game.{}", GAMES),
                "period": choices_of("period.{}", Period),
                "by": choices_of("by.{}", By),
                "scope": choices_of("scope.{}", Scope),
            },
            on_servers=True,
        )
        return [command]

    def routes(self) -> Sequence[Route]:
        """Return the buttons that turn its pages."""
        return [route(kind, self.turn_page) for kind in (TurnPage, TurnEverywhere)]

    async def leaderboard(
        self,
        interaction: Interaction,
        game: str | None = None,
        period: str = Period.ALL.value,
        by: str | None = None,
        scope: str = Scope.SERVER.value,
        page: Page = 1,
    ) -> None:
        """Show a page; without a game, it is of the game that members play here."""
        ordered = read_choice("by", by, By) if by else By.RATING
        if game is None and ordered is By.RATING:
            game = await self._game_of(interaction)
        covered = read_choice("period", period, Period)
        everywhere = read_choice("scope", scope, Scope) is Scope.EVERYWHERE
        kind = TurnEverywhere if everywhere else TurnPage
        asked = kind(game or "", covered, ordered, page - 1, asker_of(interaction))
        self._limits.count(Kind.LEADERBOARD, asker_of(interaction))
        await response_of(interaction).post(await self._view(interaction, asked))

    async def _game_of(self, interaction: Interaction) -> str:
        """Return the key of the game that members last played in a channel.

        If the last match there was against the computer, it is the game of the server's last rated
        match. If there is none, or this version doesn't know its game, it is the first of all
        games.
        """
        with suppress(CorruptRowError):
            latest = await self._match_store.latest(place_of(interaction).channel_id)
            if latest is not None and all(isinstance(p, Member) for p in latest.match.players):
                return latest.match.game.key
        rated = await self._scores.last_rated(server_of(interaction))
        return rated if rated in GAMES else next(iter(GAMES))

    async def turn_page(self, interaction: Interaction, page: TurnPage) -> None:
        """Show another page in place of the one whose button was pressed."""
        self._limits.count(Kind.PAGE, asker_of(interaction))
        await response_of(interaction).edit(await self._view(interaction, page))

    async def _view(self, interaction: Interaction, page: TurnPage) -> Layout:
        server_id = server_of(interaction)
        listing = self.service.listing(server_id, page.game, page.period, page.by)
        everywhere = isinstance(page, TurnEverywhere)
        read = self.service.everywhere if everywhere else self.service.page
        shown = await read(listing, page.number, page.asker)
        texts = await self._here.texts(interaction)
        why_no_match = await self._here.why_no_match(interaction, texts)
        return leaderboard_view(shown, page, why_no_match, texts)
