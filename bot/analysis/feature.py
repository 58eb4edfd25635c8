"""The feature: hints, reviews and replays for the asker alone."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from discord import app_commands

from bot.analysis.finished import FinishedMatches
from bot.analysis.model import (
    BestLine,
    ReviewedMove,
    ReviewProgress,
    ShowLine,
    ShowReview,
    is_incomplete,
)
from bot.analysis.replays import along, line_view, replay_view
from bot.analysis.reviews import ReviewPage, review_view
from bot.analysis.service import AnalysisService, RatedRefusal
from bot.analysis.view import hint_view, play_on_unrated_view
from bot.gateway.commands import CommandBuilder, Page
from bot.gateway.components import Layout, view_of
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, place_of
from bot.gateway.limits import Kind, Limits, answer_until
from bot.gateway.responses import response_of
from bot.matches.board_pictures import Marked
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.presses import Analyse, AskHint, Replay, Step, board_pressed
from bot.matches.private import PrivateBoards
from bot.matches.service import MatchService
from bot.refusals import Refusal
from bot.render.refusals import refusal_text
from core.players import Member

# The pause between edits of a message: Discord slows down faster ones.
_PROGRESS_SECONDS = 2.0


class Analysis(Feature):
    """Hints in a running match; reviews and replays of a finished one."""

    def __init__(
        self,
        matches: MatchService,
        analysis: AnalysisService,
        finished: FinishedMatches,
        limits: Limits,
        boards: Boards,
        private: PrivateBoards,
    ):
        self._matches = matches
        self._analysis = analysis
        self._finished = finished
        self._limits = limits
        self._boards = boards
        self._private = private

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /hint, /analyse and /replay."""
        match, page = {"match": "option.match"}, {"page": "option.page"}
        steps = {"move": "option.replay.move", "best_line": "button.line"}
        return [
            build.command("hint", self.hint, private=True),
            build.command("analyse", self.analyse, match | page, private=True),
            build.command("replay", self.replay, match | steps, private=True),
        ]

    def routes(self) -> Sequence[Route]:
        """Return the presses below boards and replays."""
        return [
            route(AskHint, self.press_hint),
            route(Analyse, self.press_analyse),
            route(ShowReview, self.turn_review),
            route(Replay, self.press_replay),
            route(ShowLine, self.press_line),
        ]

    async def hint(self, interaction: Interaction) -> None:
        """Show the best move to the member whose turn it is."""
        await self._hint(interaction, await self._matches.live(place_of(interaction).channel_id))

    async def press_hint(self, interaction: Interaction, press: AskHint) -> None:
        """Show a hint, without the channel's lock, so that nobody has to wait for it.

        If the board lags behind, the current one is shown instead.
        """
        me, board = asker_of(interaction), board_pressed(interaction, press)
        found = await self._matches.pressed(press.match, me, board)
        if found.lagging:
            await self._boards.show_current(interaction, found.stored)
        else:
            await self._hint(interaction, found.stored)

    async def _hint(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Show a hint; in a match that may be rated, show a button to ask the others to agree."""
        asker, texts = asker_of(interaction), own_texts_of(interaction)
        try:
            with self._limits.one_at_a_time(Kind.HINT, asker):
                found = await self._analysis.hint(stored, asker, answer_until(interaction))
        except RatedRefusal as refusal:
            view = play_on_unrated_view(refusal_text(refusal, texts), refusal.board, texts)
            await response_of(interaction).whisper(view)
            return
        board = Marked(stored.match, stored.names, hint=found.moves[0])
        look = partial(hint_view, stored, found, texts)
        await self._private.show(interaction, board, look)

    async def analyse(
        self, interaction: Interaction, match: int | None = None, page: Page = 1
    ) -> None:
        """Show a page of the review of a match, by default the channel's last one."""
        await self._review(interaction, await self._finished.meant(interaction, match), page - 1)

    async def press_analyse(self, interaction: Interaction, press: Analyse) -> None:
        """Show the review of a finished match."""
        await self._review(interaction, await self._finished.pressed(interaction, press.match))

    async def turn_review(self, interaction: Interaction, press: ShowReview) -> None:
        """Show another page of a review, in place of the one whose button was pressed.

        If the review is forgotten by now, it is made again, as a new message.
        """
        stored = await self._finished.pressed(interaction, press.match)
        steps = self._analysis.known_review(stored)
        if steps is None:
            await self._review(interaction, stored, press.number)
            return
        self._limits.count(Kind.PAGE, asker_of(interaction))
        await self._page(interaction, stored, steps, press.number, instead=True)

    async def _review(self, interaction: Interaction, stored: StoredMatch, number: int = 0) -> None:
        """Show a page of a review; make the review first, or complete it, if need be."""
        asker = asker_of(interaction)
        steps = self._analysis.known_review(stored)
        if steps is None or is_incomplete(steps):
            with self._limits.one_at_a_time(Kind.REVIEW, asker):
                steps = await self._work_out(interaction, stored)
        else:
            self._limits.count(Kind.PAGE, asker)
        await self._page(interaction, stored, steps, number)

    async def _work_out(
        self, interaction: Interaction, stored: StoredMatch
    ) -> tuple[ReviewedMove, ...]:
        """Return the review of a match, and tell meanwhile how far it is."""
        response, texts = response_of(interaction), own_texts_of(interaction)
        progress = ReviewProgress()

        def view() -> Layout:
            return view_of(texts("review.progress", done=progress.done, total=progress.total))

        await response.promise(private=True)
        review = self._analysis.review(stored, answer_until(interaction), progress)
        return await response.showing_progress(review, _PROGRESS_SECONDS, view)

    async def _page(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        steps: tuple[ReviewedMove, ...],
        number: int,
        *,
        instead: bool = False,
    ) -> None:
        """Show a page of a review; the page of a mistake has the board and the best line."""
        asker = Member(asker_of(interaction))
        players = stored.match.players
        side = players.index(asker) if asker in players else 0
        page = ReviewPage(stored, steps, number, side)
        board = None
        if (mistake := page.mistake) is not None:
            board = Marked(stored.match.at(mistake.ply - 1), stored.names, hint=mistake.better)
            with suppress(Refusal):  # the button for the line says why there is none
                line = await self._line(interaction, stored, mistake.ply - 1)
                page = replace(page, line=line)
        look = partial(review_view, page, own_texts_of(interaction))
        await self._private.show(interaction, board, look, instead=instead)

    async def replay(
        self,
        interaction: Interaction,
        match: int | None = None,
        move: app_commands.Range[int, 0, 9999] | None = None,
        *,
        best_line: bool = False,
    ) -> None:
        """Show a match again after a `move`, or the best line from there."""
        stored = await self._finished.meant(interaction, match)
        if best_line:
            await self.press_line(interaction, ShowLine(stored.id, move or 0, 1, Step.OPEN))
        else:
            await self._replay(interaction, stored, move or 0)

    async def press_replay(self, interaction: Interaction, press: Replay) -> None:
        """Go to another move of a replay, or open one."""
        stored = await self._finished.pressed(interaction, press.match)
        await self._replay(interaction, stored, press.ply, instead=press.step is not Step.OPEN)

    async def _replay(
        self, interaction: Interaction, stored: StoredMatch, ply: int, *, instead: bool = False
    ) -> None:
        """Show a match after `ply` moves, `instead` of the pressed replay or as a new one.

        If the match's review is known and the next move was a mistake, the replay says so.
        """
        self._limits.count(Kind.PAGE, asker_of(interaction))
        steps = self._analysis.known_review(stored) or ()
        mistake = next((step for step in steps if step.mistake and step.ply == ply + 1), None)
        look = partial(replay_view, stored, ply, mistake, own_texts_of(interaction))
        board = Marked(stored.match.at(ply), stored.names)
        await self._private.show(interaction, board, look, instead=instead)

    async def press_line(self, interaction: Interaction, press: ShowLine) -> None:
        """Show the best line from a move of a replay on, or go along it.

        After the last move nothing can be played, so from there the line begins before it.
        """
        self._limits.count(Kind.PAGE, asker_of(interaction))
        stored = await self._finished.pressed(interaction, press.match)
        if not stored.match.moves:
            raise Refusal("review.empty", stored)
        ply = min(press.ply, stored.match.ply - 1)
        line = await self._line(interaction, stored, ply)
        match = along(stored, ply, line, press.number)
        look = partial(line_view, stored, ply, line, match, own_texts_of(interaction))
        board = Marked(match, stored.names)
        instead = press.step is not Step.OPEN
        await self._private.show(interaction, board, look, instead=instead)

    async def _line(self, interaction: Interaction, stored: StoredMatch, ply: int) -> BestLine:
        """Return the best line from a move of a match on; raise Refusal."""
        if (known := await self._analysis.known_line(stored, ply)) is not None:
            return known
        with self._limits.one_at_a_time(Kind.HINT, asker_of(interaction)):
            return await self._analysis.line(stored, ply, answer_until(interaction))
