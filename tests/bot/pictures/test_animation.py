"""Animated matches: the frames, their durations, and the file size."""

import time
from pathlib import Path
from random import Random

import pytest
from PIL.Image import Image

from bot.pictures.colours import GOLD, RECENT, RED, SKY
from bot.pictures.frames import animate
from bot.pictures.marks import BLANKS, MARKS
from bot.pictures.tiles import tile
from core.grid import Square
from core.marks import Mark, Shape
from core.match import Match
from core.match.diagram import Cell, Look
from core.match.record import read
from core.options import ON
from core.position import Blank
from tests.bot.pictures.pixels import coloured, film, lit, square
from tests.bot.playing import DRAWN, NAMES, O_WINS, X_WINS, begin
from tests.core.boards import ALICE, BOB, after, squares
from tests.core.playthroughs import play_at_random
from tests.core.records import FOLDER, put_off

COLOURS = {"X": RED, "O": SKY}
ODD = ("\u202e\n\x00\ud800 $x$ \U0010ffff" * 50, "日本語 🎲 e" + "\u0301" * 400)


def of_size(rows: int, line: int) -> Match:
    """Return a match on a square board, played until the board is full."""
    match = Match.start("tictactoe", players=[ALICE, BOB], rng=Random(1), rows=rows, line=line)
    match = put_off(match, Random(3)) if rows < 10 else play_at_random(match, Random(3))
    assert match.ply == rows * rows
    return match


@pytest.mark.parametrize("moves", [X_WINS, O_WINS, DRAWN, "b2 a1", "b2 swap a1 c3"])
def test_a_mark_appears_on_its_square(moves: str) -> None:
    """Each frame shows one more ply: a mark is on its square from its ply on.

    A swap moves no mark; it changes the player that a mark belongs to.
    """
    match = after(begin(options={"swap": ON}), moves)
    frames = film(animate(match, NAMES)).frames
    assert len(frames) == match.ply + 1
    for ply, frame in enumerate(frames[:-1]):
        for at in match.initial.grid.squares:
            content = match.positions[ply].content(at)
            shown = square(frame, at, match.initial.grid)
            for seat, mark in enumerate(match.positions[ply].marks):
                assert bool(coloured(shown, COLOURS[mark.letter])) is (content == seat)


def test_the_last_move_is_highlighted() -> None:
    """Only the target of the last move is highlighted and framed."""
    match = after(begin(), DRAWN)
    frames = film(animate(match, NAMES)).frames
    for ply, frame in enumerate(frames):
        lit_up = {s for s in match.initial.grid.squares if coloured(square(frame, s, GRID), RECENT)}
        assert lit_up == ({match.moves[ply - 1].to} if ply else set())


GRID = begin().initial.grid


def test_the_winning_line_is_highlighted() -> None:
    """In the last frame, and only there, the deciding squares are golden."""
    match = after(begin(), X_WINS)
    *before, last = film(animate(match, NAMES)).frames
    golden = {s for s in GRID.squares if coloured(square(last, s, GRID), GOLD)}
    assert golden == squares("a1 b1 c1")
    assert not any(coloured(frame, GOLD) for frame in before)


@pytest.mark.parametrize("drawn", [False, True])
def test_a_resignation_or_agreed_draw_is_shown(drawn: bool) -> None:
    """After a resignation the winner's line of text is golden; after a draw none is."""
    match = after(begin(), "b2 a1 c3")
    played_on = film(animate(match, NAMES)).frames
    ended = film(animate(match.agree_draw() if drawn else match.resign(ALICE), NAMES)).frames
    assert [f.tobytes() for f in ended[:-1]] == [f.tobytes() for f in played_on[:-1]]
    assert ended[-1].tobytes() != played_on[-1].tobytes()
    assert bool(coloured(ended[-1], GOLD)) is not drawn


def test_a_match_without_a_result_brings_no_points() -> None:
    """The players' lines have no points, as while it was played; after a draw they have ½."""
    match = after(begin(), "b2 a1 c3")
    empty, called_off, drawn = (
        points(film(animate(one, NAMES)).frames[-1])
        for one in (match, match.call_off(), match.agree_draw())
    )
    assert called_off == empty != drawn


def test_the_animation_of_a_game_that_an_organiser_decided() -> None:
    """A tournament's game whose player was taken out looks like a resigned one."""
    match = after(begin(), "b2 a1 c3")
    dropped, resigned = (
        film(animate(one, NAMES)).frames[-1] for one in (match.drop(ALICE), match.resign(ALICE))
    )
    assert dropped.tobytes() == resigned.tobytes()


def points(frame: Image) -> bytes:
    """Return the pixels at the ends of the players' lines."""
    return frame.crop((frame.width - 40, frame.height - 110, frame.width, frame.height)).tobytes()


def test_a_man_leaves_one_square_and_enters_another() -> None:
    """Nine Holes: the man's old square is empty and marked, and the man is on its new one."""
    match = after(begin(game="nineholes"), "a1-b3")
    first, second = film(animate(match, NAMES)).frames
    grid = match.initial.grid
    home, hole = Square.parse("a1"), Square.parse("b3")
    assert coloured(square(first, home, grid), RED)
    assert not coloured(square(second, home, grid), RED)
    assert lit(square(second, home, grid))  # the corners
    assert not coloured(square(first, hole, grid), RED)
    assert coloured(square(second, hole, grid), RED)


def test_the_last_frame_lasts_longest_and_the_animation_loops() -> None:
    """Plies last equally long, shorter in long matches, and the animation loops for ever.

    The longest match of a board takes seconds to draw and stays within Discord's size limit.
    """
    began = time.process_time()
    gif = animate(of_size(10, 9), NAMES)
    assert time.process_time() - began < 5
    assert len(gif) < 8_000_000
    short, long = film(animate(of_size(3, 3), NAMES)), film(gif)
    for shown in (short, long):
        assert all(max(frame.size) <= 700 for frame in shown.frames)
        assert shown.loop == 0
        assert len(set(shown.durations[:-1])) == 1
        assert shown.durations[-1] == 4_000
    assert short.durations[0] > long.durations[0] >= 250
    assert sum(long.durations) < 45_000


RECORDS = sorted(FOLDER.glob("*.rowbot"))
SAMPLED_ONE_IN = 6


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[] if number % SAMPLED_ONE_IN == 1 else [pytest.mark.slow])
        for number, path in enumerate(RECORDS)
    ],
    ids=lambda path: path.stem,
)
def test_golden_records_can_be_drawn(path: Path) -> None:
    """Every golden record has an animation with one frame per ply; CI draws one in six."""
    match = read(path.read_text("utf-8")).match
    gif = animate(match, ODD[:1] * match.game.seats)
    assert len(film(gif).frames) == match.ply + 1


def test_names_change_only_their_own_lines() -> None:
    """Long and odd names change neither the board nor the size of the frame."""
    match = after(begin(), X_WINS)
    plain, odd = (film(animate(match, names)).frames[-1] for names in (NAMES, ODD))
    assert plain.size == odd.size
    board = (0, 0, plain.width, 286)
    assert plain.crop(board).tobytes() == odd.crop(board).tobytes()
    assert plain.tobytes() != odd.tobytes()


def test_every_shape_and_every_blank_has_a_drawing() -> None:
    """A new game needs no drawing of its own; those of blanks differ."""
    assert set(MARKS) == set(Shape)
    assert set(BLANKS) == set(Blank)
    assert len(set(BLANKS.values())) == len(Blank)


def test_shapes_differ_without_colour() -> None:
    """Marks, blanks and highlights differ in shape, so they differ in black and white."""
    marks = [Mark("?", shape) for shape in Shape]
    at = Square(0, 0)
    looks = (Look.LAST, Look.TAKEN, Look.DECIDING)
    cells = [Cell(at, content) for content in (*marks, *Blank)]
    cells += [Cell(at, marks[0], look) for look in looks]
    cells += [Cell(at, Blank.OPEN, look) for look in (Look.CHANGED, Look.HINTED, Look.TARGET)]
    cells += [Cell(at, Blank.OPEN, Look.TARGET, gain) for gain in (0, 8, 12)]
    drawn = [lit(tile(60, cell.content, cell.look, cell.gain)) for cell in cells]
    for number, one in enumerate(drawn):
        for other in drawn[:number]:
            # Open and closed empty squares differ by their outline, which is equally dark.
            assert len(one ^ other) > 60 or not (one or other)


def test_a_swap_changes_the_marks_of_the_players() -> None:
    """In each frame each player's line has the mark they play with at that ply.

    No square stands out after a swap, as on boards in emoji.
    """
    match = after(begin(options={"swap": ON}), "b2 swap a1")
    frames = film(animate(match, NAMES)).frames
    lit_up = {s for s in GRID.squares if coloured(square(frames[2], s, GRID), RECENT)}
    assert not lit_up
    below = [frame.crop((0, frame.height - 110, 60, frame.height)) for frame in frames[1:3]]
    first, second = ((0, 0, 60, 40), (0, 40, 60, 80))
    for frame, (alices, bobs) in zip(below, (("X", "O"), ("O", "X")), strict=True):
        assert coloured(frame.crop(first), COLOURS[alices])
        assert coloured(frame.crop(second), COLOURS[bobs])
