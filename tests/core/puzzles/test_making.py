"""The program that makes the shipped puzzles, which isn't in the wheel."""

from pathlib import Path
from random import Random

import pytest

from core.games import GAMES
from core.games.tictactoe import TicTacToe
from core.games.tictactoe.position import MnkPosition
from core.grid import Move
from core.options import Options
from core.puzzles import PuzzleLine, read, shipped
from core.puzzles.make import __main__ as program
from core.puzzles.make import generator
from core.puzzles.make.generator import KINDS, Kind, generate


class PlainPosition(MnkPosition):
    """A position of tic-tac-toe that has its rules alone."""

    @property
    def view(self) -> None:  # type: ignore[override]  # other games may have none
        return None

    def play(self, move: Move) -> "PlainPosition":
        after = super().play(move)
        return PlainPosition(after.board, after.bitboards, after.decided)


class Plain(TicTacToe):
    """Tic-tac-toe without a search of its own."""

    key = "plain"

    def start(self, options: Options, rng: Random) -> PlainPosition:
        return PlainPosition(super().start(options, rng).board)


def test_a_game_with_its_rules_alone_has_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position without a view counts as the image of no other."""
    monkeypatch.setitem(GAMES, Plain.key, Plain())
    monkeypatch.setattr(generator, "_GAMES", 2)
    found = generate(Kind(Plain.key, {}, 1, first=4), 1)
    assert [read(line).game.key for line in found] == [Plain.key]


def test_boards_that_have_puzzles_keep_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only boards without puzzles get new ones; on others the levels may play otherwise by now."""
    board = Kind("tictactoe", {"rows": 3, "columns": 4}, 1, first=2)
    file = tmp_path / "shipped.txt"
    monkeypatch.setattr(generator, "_GAMES", 2)
    monkeypatch.setattr(program, "KINDS", (*KINDS, board))
    monkeypatch.setattr(program, "FILE", file)
    program.main(1)
    lines = file.read_text("utf-8").splitlines()
    assert lines[: len(shipped())] == [one.line for one in shipped()]
    added = [PuzzleLine(line).board for line in lines[len(shipped()) :]]
    assert {*added} == {"tictactoe rows=3 columns=4 line=3 variant=classic"}
