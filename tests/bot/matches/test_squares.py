"""The squares of a board as buttons."""

from dataclasses import replace
from typing import Any

from bot.identity import MatchId
from bot.matches.model import StoredMatch
from bot.matches.presses import on_board
from bot.matches.view import board_view, square_rows
from core.games.nineholes.board import GRID, HOMES
from core.games.nineholes.position import NineHolesPosition
from core.grid import Move, Square
from core.match import Match
from tests.bot.playing import HERE, NAMES, begin
from tests.core.either import Either


class _OntoOwn(NineHolesPosition):
    """Nine Holes in which the man on a1 may also take the place of the one on b1."""

    def legal_moves(self) -> tuple[Move, ...]:
        return (*super().legal_moves(), Move(Square(1, 0), Square(0, 0)))


class _Entering(NineHolesPosition):
    """Nine Holes in which a man enters by a move that only names the hole, until all have."""

    def _next_man(self) -> Square | None:
        home = self.men[self.mover] & HOMES[self.mover]
        return min(GRID.squares_of(home), default=None)

    def legal_moves(self) -> tuple[Move, ...]:
        man, moves = self._next_man(), super().legal_moves()
        return tuple(Move(move.to) for move in moves if move.origin == man) if man else moves

    def play(self, move: Move) -> "_Entering":
        after = super().play(Move(move.to, move.origin or self._next_man()))
        return _Entering(after.variant, after.men, after.mover)


def pressed(match: Match, pick: Square) -> dict[str, str]:
    """Return what pressing each square asks for while a man is picked up, by square."""
    rows: list[Any] = square_rows(match, on_board(MatchId(1), 0), pick)
    asked = [button["custom_id"] for row in rows for button in row["components"]]
    squares = [str(square) for square in match.position.grid.squares]
    columns = match.position.grid.columns
    starts = reversed(range(0, len(squares), columns))
    shown = [square for at in starts for square in squares[at : at + columns]]
    return dict(zip(shown, asked, strict=True))


def test_another_man_is_picked_up_instead_unless_the_move_is_legal() -> None:
    """A press on one's own man makes the move onto it if that is legal, else picks the man up."""
    match = replace(begin(game="nineholes"), initial=_OntoOwn("free"))
    asked = pressed(match, Square(0, 0))
    assert (asked["a1"], asked["b1"], asked["c1"]) == ("p:1:0:", "m:1:0:a1-b1", "p:1:0:c1")
    assert asked["b2"] == "m:1:0:a1-b2"


def test_a_mark_that_is_nobodys_can_be_picked_up_instead() -> None:
    """A press on a mark that is nobody's and can move isn't taken for a target."""
    asked = pressed(Match.start(Either()), Square(0, 1))
    assert (asked["a2"], asked["b2"], asked["b1"]) == ("p:1:0:", "p:1:0:b2", "m:1:0:a2-b1")


def test_each_kind_of_move_is_explained_to_each_player() -> None:
    """Once all men have entered, the board says how to move one, as it would at the beginning."""
    match = begin(game="nineholes", options={"variant": "drop-first"})
    match = replace(match, initial=_Entering("drop-first"))
    explained = []
    for ply, move in enumerate("a2 b2 b3 a3 c2 c4 c2-c3 c4-a4 a2-c4".split()):
        stored = StoredMatch(MatchId(1), HERE, match, NAMES, MatchId(1), (0.0, 0.0))
        if "Press one of your pieces" in str(board_view(stored).to_components()):
            explained.append(ply)
        match = match.play(move)
    assert explained == [6, 7]
