"""A puzzle as one line of text that reads back: `write` and `read`.

::

    tictactoe rows=3 columns=3 line=3 variant=classic | classic 3 XOX/.../O.. | win 3 medium
    | c1 b2: a2 c2 b1 > b2; b2 > c1 | c2: a2 b1 > c2 |

It is one line, which is broken here. Its fields are the game with its options, the position, the
goal with the plies to the end and the difficulty, then the steps, and the rest of the main line. A
step is the right move with the best defence, if there is one, and after a colon the wrong moves.
Wrong moves that the same line refutes stand together, before a `>` and that line.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import GameError, RecordError
from core.game import Game
from core.grid import Move
from core.match import Match
from core.match.record import board_words, read_game, read_options
from core.options import Options
from core.players import Member, Player
from core.position import Position
from core.puzzles.finding import Difficulty, Goal, Puzzle, Step

_FIELD = " | "


@dataclass(frozen=True)
class GamePuzzle:
    """A puzzle of a game with resolved options."""

    game: Game
    options: Options
    puzzle: Puzzle

    @property
    def key(self) -> str:
        """The identity of the puzzle: the game with its options, and the position."""
        return _FIELD.join(_head(self))

    def match(self, steps: int = 0, players: Sequence[Player] | None = None) -> Match:
        """Return a match from the puzzle's position on, after `steps` steps.

        Without `players`, seat s is taken by ``Member(s)``.
        """
        seated = tuple(map(Member, range(self.game.seats)) if players is None else players)
        puzzle = self.puzzle
        return Match(self.game, self.options, seated, puzzle.start, puzzle.moves(steps))


def _head(found: GamePuzzle) -> tuple[str, str]:
    return board_words(found.game, found.options), found.puzzle.start.notation


@dataclass(frozen=True)
class PuzzleLine:
    """The line of a puzzle, with the facts that need no `read` of the whole line."""

    line: str

    @property
    def key(self) -> str:
        """The key of the puzzle."""
        return _FIELD.join(self.line.split(_FIELD, 2)[:2])

    @property
    def board(self) -> str:
        """The game with its options."""
        return self.line.partition(_FIELD)[0]

    @property
    def game(self) -> str:
        """The key of the puzzle's game."""
        return self.line.partition(" ")[0]

    @property
    def difficulty(self) -> Difficulty:
        """How hard the puzzle is."""
        return Difficulty(self.line.split(_FIELD, 3)[2].split()[-1])


def write(found: GamePuzzle) -> str:
    """Return the line of a puzzle."""
    puzzle = found.puzzle
    steps = [_step_words(step) for step in puzzle.steps]
    goal = f"{puzzle.goal} {puzzle.plies} {puzzle.difficulty}"
    return _FIELD.join([*_head(found), goal, *steps, _words(puzzle.rest)])


def _words(moves: tuple[Move, ...]) -> str:
    return " ".join(map(str, moves))


def _step_words(step: Step) -> str:
    refuted: dict[str, list[str]] = {}
    for move, line in step.refutations.items():
        refuted.setdefault(_words(line), []).append(str(move))
    groups = [f"{' '.join(wrong)} > {line}".strip() for line, wrong in refuted.items()]
    made = (step.answer,) if step.reply is None else (step.answer, step.reply)
    return f"{_words(made)}: {'; '.join(groups)}"


def read(line: str) -> GamePuzzle:
    """Return the puzzle of a line; raise RecordError if there is none or its moves aren't legal.

    It doesn't prove again that the moves are right.
    """
    try:
        head, position, goal, *steps, rest = line.split(_FIELD)
        key, _, options = head.partition(" ")
        game = read_game(key)
        found = GamePuzzle(
            game, read_options(game, options), _read_puzzle(game, position, goal, steps, rest)
        )
        _check(found)
    except (ValueError, GameError) as error:
        raise RecordError(f"no puzzle: {line!r}") from error
    return found


def _read_puzzle(game: Game, position: str, goal: str, steps: list[str], rest: str) -> Puzzle:
    kind, plies, difficulty = goal.split()
    return Puzzle(
        game.parse(position),
        Goal(kind),
        int(plies),
        Difficulty(difficulty),
        tuple(map(_read_step, steps)),
        _read_moves(rest),
    )


def _read_step(text: str) -> Step:
    made, _, groups = text.partition(":")
    answer, *replies = _read_moves(made)
    (reply,) = replies or (None,)
    return Step(answer, reply, _read_refutations(groups))


def _read_refutations(text: str) -> Mapping[Move, tuple[Move, ...]]:
    refutations = dict[Move, tuple[Move, ...]]()
    for group in text.split(";"):
        wrong, _, line = group.partition(">")
        refutations |= dict.fromkeys(_read_moves(wrong), _read_moves(line))
    return refutations


def _read_moves(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.parse, text.split()))


def _check(found: GamePuzzle) -> None:
    """Raise GameError or ValueError for another board, or for moves that can't be made."""
    if not found.game.can_occur(found.puzzle.start, found.options):
        raise ValueError(found.puzzle.start)
    position = found.puzzle.start
    for number, step in enumerate(found.puzzle.steps, start=1):
        last = number == len(found.puzzle.steps)
        told = {step.answer, *step.refutations}
        if told != set(position.legal_moves()) or last is not (step.reply is None):
            raise ValueError(number)
        for move, line in step.refutations.items():
            _play(position.play(move), line)
        position = _play(position, (step.answer, *([step.reply] if step.reply else [])))
    if not found.puzzle.steps:
        raise ValueError("there is nothing to find")
    _play(position, found.puzzle.rest)


def _play(position: Position, moves: Iterable[Move]) -> Position:
    for move in moves:
        position = position.play(move)
    return position
