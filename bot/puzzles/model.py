"""The puzzles of a server, members' tries at them, and the presses on their boards, as values."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal, NamedTuple

from bot.gateway.components import PageNumber, Press
from bot.identity import ChannelId, MatchId, MemberId, Posted, PuzzleId, ServerId
from bot.matches.presses import GroupOrNone, MovePresses, MoveText, SquareOrNone
from bot.times import DAY, HOUR
from core.grid import Move
from core.match import Match
from core.players import Player
from core.puzzles import GamePuzzle
from core.puzzles.finding import Difficulty, Step

Steps = Annotated[int, "[0-9]{1,2}"]


def day_of(moment: int) -> int:
    """Return the day (UTC) of a moment in Unix seconds, counted from 1970-01-01."""
    return moment // DAY


def streaks(days: Collection[int], today: int) -> tuple[int, int]:
    """Return the lengths of the run of days up to today or yesterday, and of the longest run."""
    runs = dict[int, int]()
    for day in sorted(days):
        runs[day] = runs.get(day - 1, 0) + 1
    return runs.get(today) or runs.get(today - 1, 0), max(runs.values(), default=0)


@dataclass(frozen=True)
class Given:
    """A puzzle that a server was given; `day` is the day whose puzzle it is, None for no day's.

    `match_id` is the match of the server from which it comes, None for a shipped one. `posted` is
    the message that shows it to its channel, None if it wasn't posted.
    """

    id: PuzzleId
    server_id: ServerId
    found: GamePuzzle
    day: int | None = None
    match_id: MatchId | None = None
    posted: Posted | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The moves to be found."""
        return self.found.puzzle.steps


@dataclass(frozen=True)
class Try:
    """A member's try at a puzzle; `steps` counts the moves that they have found.

    `missed` says that they made a wrong move. `ended_at` is in Unix seconds. `day` is the day that
    the try adds to their streak, None for none.
    """

    steps: int = 0
    missed: bool = False
    ended_at: int | None = None
    solved: bool = False
    day: int | None = None


@dataclass(frozen=True)
class Attempt:
    """A puzzle with a member's try; `wrong` is the wrong move that they have just made."""

    given: Given
    member_id: MemberId
    own: Try
    wrong: Move | None = None

    def match(self, players: Sequence[Player] | None = None) -> Match:
        """Return the board as it stands: after the steps found, or at the end of the line.

        After a wrong move, it is the board after the refutation. `players` are as for
        `GamePuzzle.match`.
        """
        puzzle = self.given.found
        if self.own.ended_at is not None:
            match = puzzle.match(players=players)
            for move in puzzle.puzzle.line:
                match = match.play(move)
            return match
        match = puzzle.match(self.own.steps, players)
        if self.wrong is not None:
            step = self.given.steps[self.own.steps]
            for move in (self.wrong, *step.refutations[self.wrong]):
                match = match.play(move)
        return match


class Solved(NamedTuple):
    """How many puzzles a member has solved on a server, and their streaks of days.

    A day counts if its puzzle was solved on that day, at the first try. The current streak ends
    with today or yesterday, and is 0 if neither counts.
    """

    number: int
    streak: int
    longest: int


@dataclass(frozen=True)
class Daily:
    """A server's settings for the puzzle of the day: where and at which hour (UTC).

    `due_at` is when the next post is due, None if posts are switched off. `failures` counts the
    posts in a row that failed.
    """

    channel_id: ChannelId | None = None
    hour: int | None = None
    due_at: int | None = None
    failures: int = 0


@dataclass(frozen=True)
class DuePost:
    """A server whose puzzle of the day is due, since `due_at`."""

    server_id: ServerId
    channel_id: ChannelId
    hour: int
    due_at: int
    failures: int

    def after(self, now: int) -> int:
        """Return when the next puzzle is due, later than today."""
        return (day_of(now) + 1) * DAY + self.hour * HOUR


def next_at(hour: int, now: int) -> int:
    """Return the next moment after `now` at which this hour (UTC) begins."""
    today = day_of(now) * DAY + hour * HOUR
    return today if today > now else today + DAY


class SolvePuzzle(Press, tag="z"):
    """Make a move in a puzzle of which `steps` steps are found."""

    puzzle: PuzzleId
    steps: Steps
    move: MoveText


class PickMan(Press, tag="zp"):
    """Pick up the man on `square`; put him back if `square` is empty."""

    puzzle: PuzzleId
    steps: Steps
    square: SquareOrNone


class ShowGroup(Press, tag="zw"):
    """Show a page, from 0, of the moves of a row or of a man; of the groups if `group` is empty."""

    puzzle: PuzzleId
    steps: Steps
    group: GroupOrNone
    page: PageNumber


class OpenPuzzle(Press, tag="zo"):
    """Show a puzzle to the presser, in a new message or instead of the pressed one."""

    puzzle: PuzzleId
    where: Literal["new", "here"]


class ShowSolution(Press, tag="zs"):
    """Give a puzzle up, and show its solution."""

    puzzle: PuzzleId


class NextPuzzle(Press, tag="zn"):
    """Show another puzzle, of the same difficulty as one that has ended."""

    difficulty: Difficulty


def on_puzzle(puzzle_id: PuzzleId, steps: int) -> MovePresses:
    """Return the presses on the board of a puzzle of which `steps` steps are found."""
    return MovePresses(
        play=partial(SolvePuzzle, puzzle_id, steps),
        pick=partial(PickMan, puzzle_id, steps),
        group=partial(ShowGroup, puzzle_id, steps),
    )
