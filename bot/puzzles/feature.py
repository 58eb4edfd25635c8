"""The feature: /puzzle, the boards of puzzles, and the puzzle of the day."""

from collections.abc import Callable, Sequence
from functools import partial

from bot.gateway.commands import CommandBuilder, choices_of, read_choice, typed_move
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, asker_of, name_of, own_texts_of, server_of
from bot.gateway.loops import Loop
from bot.gateway.sight import Sight
from bot.i18n import ChannelTexts
from bot.identity import MemberId, PuzzleId, ServerId
from bot.matches.board_pictures import Marked
from bot.matches.moves import NOTHING, Chosen, check_pick, has_page
from bot.matches.private import PrivateBoards
from bot.puzzles.daily import DailyPosts
from bot.puzzles.model import (
    Attempt,
    NextPuzzle,
    OpenPuzzle,
    PickMan,
    ShowGroup,
    ShowSolution,
    SolvePuzzle,
    day_of,
)
from bot.puzzles.search import PuzzleSearch
from bot.puzzles.service import PuzzleService
from bot.puzzles.sources import Sources
from bot.puzzles.store import TryStore
from bot.puzzles.view import ended_view, puzzle_view, wrong_view
from bot.refusals import Refusal
from core.engine.levels import Level
from core.grid import Square
from core.players import Computer, Member
from core.puzzles.finding import Difficulty


class Puzzles(Feature):
    """Puzzles for members, and one a day for a channel; `now` gives Unix seconds."""

    def __init__(
        self,
        tries: TryStore,
        puzzles: PuzzleService,
        private: PrivateBoards,
        sources: Sources,
        sight: Sight,
        daily: DailyPosts,
        search: PuzzleSearch,
        now: Callable[[], int],
    ):
        self._tries = tries
        self._puzzles = puzzles
        self._private = private
        self._sources = sources
        self._sight = sight
        self._daily = daily
        self._search = search
        self._now = now

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /puzzle."""
        options = {
            "difficulty": "option.puzzle.difficulty",
            "move": "option.puzzle.move",
            "solution": "button.puzzle.solution",
        }
        return [
            build.command(
                "puzzle",
                self.puzzle,
                options,
                private=True,
                choices={"difficulty": choices_of("puzzle.difficulty.{}", Difficulty)},
                on_servers=True,
            )
        ]

    def routes(self) -> Sequence[Route]:
        """Return the presses on puzzles."""
        return [
            route(SolvePuzzle, self.press_move),
            route(PickMan, self.press_man),
            route(ShowGroup, self.press_group),
            route(OpenPuzzle, self.press_open),
            route(ShowSolution, self.press_solution),
            route(NextPuzzle, self.press_next),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loops that post puzzles and look for new ones."""
        return [*self._daily.loops, self._search.loop]

    async def profile_line(
        self, server_id: ServerId, member_id: MemberId, texts: ChannelTexts
    ) -> str | None:
        """Return the line of a profile with the puzzles that a member has solved, None for none."""
        number, streak, longest = await self._tries.solved(server_id, member_id, self._now())
        if not number:
            return None
        return texts("profile.puzzles", count=number, streak=streak, longest=longest)

    async def puzzle(
        self,
        interaction: Interaction,
        difficulty: str | None = None,
        move: str | None = None,
        *,
        solution: bool = False,
    ) -> None:
        """Show the asker a puzzle, make a `move` in their current one, or give that up."""
        server_id, asker = server_of(interaction), asker_of(interaction)
        if sum((difficulty is not None, move is not None, solution)) > 1:
            raise Refusal("refusal.puzzle.one")
        if solution:
            current = await self._puzzles.open_current(server_id, asker)
            attempt = await self._puzzles.give_up(current)
        elif move is not None:
            current = await self._puzzles.open_current(server_id, asker)
            attempt = await self._puzzles.play(current, current.own.steps, typed_move(move))
        else:
            wanted = read_choice("difficulty", difficulty, Difficulty) if difficulty else None
            attempt = await self._puzzles.open_wanted(server_id, asker, wanted)
        await self._show(interaction, attempt, instead=False)

    async def press_open(self, interaction: Interaction, press: OpenPuzzle) -> None:
        """Show a puzzle to the presser."""
        attempt = await self._pressed(interaction, press.puzzle)
        await self._show(interaction, attempt, instead=press.where == "here")

    async def press_next(self, interaction: Interaction, press: NextPuzzle) -> None:
        """Show another puzzle instead of the pressed one."""
        server_id, asker = server_of(interaction), asker_of(interaction)
        attempt = await self._puzzles.open_wanted(server_id, asker, press.difficulty)
        await self._show(interaction, attempt, instead=True)

    async def press_move(self, interaction: Interaction, press: SolvePuzzle) -> None:
        """Make a move in a puzzle."""
        seen = await self._pressed(interaction, press.puzzle)
        attempt = await self._puzzles.play(seen, press.steps, press.move)
        await self._show(interaction, attempt, instead=True)

    async def press_man(self, interaction: Interaction, press: PickMan) -> None:
        """Show the board with a man picked up, or put back."""
        attempt = await self._pressed(interaction, press.puzzle)
        pick = Square.parse(press.square) if press.square else None
        match = attempt.match()
        lagging = attempt.own.ended_at is not None or press.steps != attempt.own.steps
        if pick is not None and not lagging:
            check_pick(match.position, pick)
        chosen = NOTHING if lagging else Chosen(pick)
        await self._show(interaction, attempt, chosen, instead=True)

    async def press_group(self, interaction: Interaction, press: ShowGroup) -> None:
        """Show a page of moves, or of groups of moves."""
        attempt = await self._pressed(interaction, press.puzzle)
        match = attempt.match()
        known = has_page(match.position.legal_moves(), press.group, press.page)
        chosen = Chosen(group=press.group, page=press.page) if known else NOTHING
        await self._show(interaction, attempt, chosen, instead=True)

    async def press_solution(self, interaction: Interaction, press: ShowSolution) -> None:
        """Show the solution of a puzzle."""
        attempt = await self._puzzles.give_up(await self._pressed(interaction, press.puzzle))
        await self._show(interaction, attempt, instead=True)

    async def _pressed(self, interaction: Interaction, puzzle_id: PuzzleId) -> Attempt:
        return await self._puzzles.open(server_of(interaction), asker_of(interaction), puzzle_id)

    async def _show(
        self, interaction: Interaction, attempt: Attempt, chosen: Chosen = NOTHING, *, instead: bool
    ) -> None:
        """Show a puzzle as it stands: to be solved, after a wrong move, or ended."""
        texts = own_texts_of(interaction)
        match = attempt.match(_seats(attempt))
        if attempt.own.ended_at is not None:
            now, given = self._now(), attempt.given
            solved = await self._tries.solved(given.server_id, attempt.member_id, now)
            look = partial(ended_view, attempt, solved, day_of(now), texts)
        elif (wrong := attempt.wrong) is not None:
            spent = attempt.given.day == day_of(self._now())
            look = partial(wrong_view, attempt, wrong, texts, spent=spent)
        else:
            seen = partial(self._sight.seen, interaction)
            source = await self._sources.of(attempt.given, seen, texts)
            look = partial(puzzle_view, attempt, match, chosen, source, texts)
        name = name_of(interaction.user)
        names = [name if isinstance(player, Member) else None for player in match.players]
        board = Marked(match, names)
        await self._private.show(interaction, board, look, instead=instead)


def _seats(attempt: Attempt) -> tuple[Member | Computer, ...]:
    """Return the players of a puzzle's board: the solver, and the computer that answers."""
    found, member = attempt.given.found, Member(attempt.member_id)
    computer = Computer(Level.PERFECT)
    solver = found.puzzle.start.to_move
    return tuple(member if one == solver else computer for one in range(found.game.seats))
