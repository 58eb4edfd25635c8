"""Achievements: feats of a member in one match, or in several, by the rules alone.

Each is a function of a finished match and a seat. A match can bring achievements only if different
players have played it to its end on the board. So there is nothing to gain from an agreement, a
resignation, a loss on time, or a match with oneself.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice

from core.engine.analysis import Analysis
from core.engine.bitboards import split
from core.engine.levels import Level
from core.game import Game
from core.games import GAMES
from core.match import Match
from core.options import Choice, Options
from core.outcome import Result, Termination
from core.players import Computer, Member
from core.position import Blank, Position
from core.views import DropView, LineView

MARATHON_PLIES = 60
"""The least number of moves of a long match."""

# The least length of a line for `_straight`: shorter ones are completed by chance.
_LONG_LINE = 4
_MEN = 3
# The fork, a move that parries one threat, and the move that carries out the other.
_FORK_PLIES = 3
# The most positions of a match in which a proof is looked for: each may cost a search.
_MOST_PROOFS = 3


class Achievement(StrEnum):
    """An achievement; they are shown in this order."""

    FORK = "fork"
    STRAIGHT = "straight"
    LAST_SQUARE = "last_square"
    MARATHON = "marathon"
    COMEBACK = "comeback"
    DIAGONAL = "diagonal"
    ONCE = "once"
    MAJORITY = "majority"
    EVERY_BOARD = "every_board"
    EVERY_GAME = "every_game"
    PERFECT_DRAW = "perfect_draw"
    EASY = "level_easy"
    MEDIUM = "level_medium"
    HARD = "level_hard"
    STRONG = "level_strong"
    PERFECT = "level_perfect"

    @property
    def level(self) -> Level | None:
        """The level of the computer that was beaten, None for other achievements."""
        return Level(self.removeprefix("level_")) if self.startswith("level_") else None


def may_bring(match: Match, seat: int) -> bool:
    """Return whether a seat may have achieved anything in a match.

    It may if different players have played the match to its end on the board, and the seat hasn't
    lost.
    """
    people = [player for player in match.players if isinstance(player, Member)]
    away = match.ending is not None or match.withdrawals
    if match.outcome is None or away or len({*people}) < len(people):
        return False
    return match.outcome.result(seat) is not Result.LOSS


def in_one_match(match: Match, seat: int) -> set[Achievement]:
    """Return the achievements of a seat in a match that `may_bring` some, except `COMEBACK`."""
    return {achievement for achievement, achieved in _RULES.items() if achieved(match, seat)}


def won(match: Match, seat: int) -> bool:
    """Return whether a seat has won a match."""
    return match.outcome is not None and match.outcome.winner == seat


def _fork(match: Match, seat: int) -> bool:
    """Return whether a seat won by a move that made two threats at once.

    It had no threat before that move, and its opponent, who couldn't win at once, could only
    parry one of them.
    """
    if not _won_by_line(match, seat) or match.ply < _FORK_PLIES:
        return False
    before, forked = match.positions[-4:-2]
    if before.to_move != seat or forked.to_move in (seat, None):
        return False
    others = [other for other in range(match.game.seats) if other != seat]
    return (
        threats(before, seat) == 0
        and threats(forked, seat) > 1
        and not any(threats(forked, other) for other in others)
    )


def threats(position: Position, seat: int) -> int:
    """Return the number of moves with which a seat would win if it were its turn.

    It is 0 in games without lines, and where completing a line loses.
    """
    view = position.view
    if isinstance(view, LineView) and view.board.owner_wins:
        mine, theirs = _by_seat(position, view, seat)
        missing = {own & ~mine for own in view.board.sets if not own & theirs}
        return len({bits for bits in missing if bits.bit_count() == 1})
    if isinstance(view, DropView):
        mine, theirs = _by_seat(position, view, seat)
        free = view.board.playable(mine | theirs)
        return sum(bool(view.board.completed(mine | bit)) for bit in split(free))
    return 0


def _straight(match: Match, seat: int) -> bool:
    """Return whether a seat won by one line of four or more, and has no other marks."""
    if match.outcome is None or not _won_by_line(match, seat):
        return False
    squares, grid = match.outcome.squares, match.position.grid
    own = {square for square in grid.squares if match.position.content(square) == seat}
    if len(squares) < _LONG_LINE or squares != own:
        return False
    # The deciding squares may also be several lines, or the four corners.
    return squares in grid.runs(len(squares), wrap=True)


def _last_square(match: Match, seat: int) -> bool:
    """Return whether a seat won by a line that took the last free square of the board."""
    content = map(match.position.content, match.position.grid.squares)
    return _won_by_line(match, seat) and Blank.OPEN not in content


def _marathon(match: Match, seat: int) -> bool:
    """Return whether a seat won a long match of two players."""
    return match.game.seats == 2 and match.ply >= MARATHON_PLIES and won(match, seat)


def _diagonal(match: Match, seat: int) -> bool:
    """Return whether a seat won connect four by a diagonal line."""
    if match.game.key != "connectfour" or not won(match, seat) or match.outcome is None:
        return False
    cells = {(square.column, square.row) for square in match.outcome.squares}
    line = range(int(match.options["line"]))
    return any(
        all((column + n, row + up * n) in cells for n in line)
        for column, row in cells
        for up in (1, -1)
    )


def _once(match: Match, seat: int) -> bool:
    """Return whether a seat won Nine Holes by a line, with each man moved once."""
    moves = sum(position.to_move == seat for position in match.positions[:-1])
    return match.game.key == "nineholes" and _won_by_line(match, seat) and moves == _MEN


def _majority(match: Match, seat: int) -> bool:
    """Return whether a seat won Tribolo with more squares than both others together."""
    scores = match.position.scores() if match.game.key == "tribolo" else None
    return scores is not None and won(match, seat) and 2 * scores[seat] > sum(scores)


def _perfect_draw(match: Match, seat: int) -> bool:
    """Return whether a seat drew against the computer at its perfect level."""
    drawn = match.outcome is not None and match.outcome.result(seat) is Result.DRAW
    return drawn and _all_others(match, seat, Level.PERFECT)


def _beaten(level: Level) -> Callable[[Match, int], bool]:
    """Return the rule for a win against the computer at a level, with nobody else playing."""
    return lambda match, seat: won(match, seat) and _all_others(match, seat, level)


_RULES: Mapping[Achievement, Callable[[Match, int], bool]] = {
    Achievement.FORK: _fork,
    Achievement.STRAIGHT: _straight,
    Achievement.LAST_SQUARE: _last_square,
    Achievement.MARATHON: _marathon,
    Achievement.DIAGONAL: _diagonal,
    Achievement.ONCE: _once,
    Achievement.MAJORITY: _majority,
    Achievement.PERFECT_DRAW: _perfect_draw,
    **{achievement: _beaten(achievement.level) for achievement in Achievement if achievement.level},
}


def over_all(wins: Collection[tuple[str, Options]]) -> set[Achievement]:
    """Return the achievements for all `wins` of a member, given as games with options."""
    found = set()
    if {key for key, _ in wins} >= {*GAMES}:
        found.add(Achievement.EVERY_GAME)
    if any(_every_board(game, wins) for game in GAMES.values()):
        found.add(Achievement.EVERY_BOARD)
    return found


def _every_board(game: Game, wins: Collection[tuple[str, Options]]) -> bool:
    """Return whether a game has variants or sizes, and each of them was won."""
    choices = [option for option in game.declared if isinstance(option, Choice)]
    return bool(choices) and all(
        {*choice.choices} <= {options.get(choice.name) for key, options in wins if key == game.key}
        for choice in choices
    )


def lost_once(match: Match, seat: int) -> Iterator[Sequence[Position]]:
    """Yield positions that may have been lost for a seat that won, each with all before it.

    They are the last few positions in which the seat was to move and couldn't win at once, the
    latest first. A proof for one of them makes the win a comeback.
    """
    if match.game.seats == 2 and won(match, seat):
        histories = (match.positions[:ply] for ply in range(match.ply, 0, -1))
        own = (one for one in histories if one[-1].to_move == seat)
        yield from islice((one for one in own if not _wins_at_once(one[-1], seat)), _MOST_PROOFS)


def _wins_at_once(position: Position, seat: int) -> bool:
    after = (position.play(move).outcome() for move in position.legal_moves())
    return any(outcome and outcome.winner == seat for outcome in after)


def proves_loss(analysis: Analysis, seat: int) -> bool:
    """Return whether an analysis proves that a seat loses against best play."""
    return analysis.value is not None and analysis.value.ranks[seat] > 1


def _won_by_line(match: Match, seat: int) -> bool:
    """Return whether a seat has won by a line of its own."""
    outcome = match.outcome
    if outcome is None or outcome.termination is not Termination.LINE or not won(match, seat):
        return False
    return all(match.position.content(square) == seat for square in outcome.squares)


def _all_others(match: Match, seat: int, level: Level) -> bool:
    others = [player for other, player in enumerate(match.players) if other != seat]
    return all(player == Computer(level) for player in others)


def _by_seat(position: Position, view: LineView | DropView, seat: int) -> tuple[int, int]:
    """Return the marks of a seat and of the other one."""
    if position.to_move == seat:
        return view.mine, view.theirs
    return view.theirs, view.mine
