"""The pie rule: after the first mark the second player may take over the other's side."""

from collections import Counter

import pytest

from core.errors import GameError, Illegal, IllegalMove, PositionError
from core.game import Game
from core.grid import SWAP, Square
from core.match import Match
from core.match.__main__ import show
from core.match.record import read, write
from core.options import ON, Options
from tests.core.boards import ALICE, BOB, NINE_HOLES, TICTACTOE, TRIBOLO, after, begin, start
from tests.core.games.test_perft import frontiers

SWAPPING: Options = {"swap": ON}
B2 = Square.parse("b2")


def swapping(moves: str = "", **options: int | str) -> Match:
    """Return a match with the swap rule after `moves`."""
    return after(begin(options={**SWAPPING, **options}), moves)


def test_a_swap_is_legal_on_the_second_ply_only() -> None:
    """It comes last among the second player's legal moves; without the rule it is never legal."""
    assert SWAP not in swapping().position.legal_moves()
    answers = swapping("b2").position.legal_moves()
    assert (answers[-1], len(answers)) == (SWAP, 9)
    for moves in ("b2 a1", "b2 swap", "b2 swap a1", "b2 a1 c3"):
        assert SWAP not in swapping(moves).position.legal_moves()
    assert SWAP not in after(begin(), "b2").position.legal_moves()


@pytest.mark.parametrize("moves", ["", "b2 a1", "b2 swap", "b2 swap a1"])
def test_a_swap_at_another_time_has_its_own_reason(moves: str) -> None:
    """The reason is the same before the first mark, after the second one, and after a swap."""
    with pytest.raises(IllegalMove) as refused:
        swapping(moves).play(SWAP)
    assert refused.value.reason is Illegal.NO_SWAP


@pytest.mark.parametrize("game", [TICTACTOE, NINE_HOLES, TRIBOLO], ids=lambda game: game.key)
def test_a_swap_without_the_rule(game: Game) -> None:
    """Every game refuses it, as `Illegal.NO_SWAP`."""
    with pytest.raises(IllegalMove) as refused:
        Match.start(game).play(SWAP)
    assert refused.value.reason is Illegal.NO_SWAP


def test_after_a_swap_the_marks_stay_and_the_players_change_sides() -> None:
    """The second player now has the first mark and plays X; the first player continues with O."""
    before, changed = swapping("b2"), swapping("b2 swap")
    assert (before.position.content(B2), changed.position.content(B2)) == (0, 1)
    assert list(map(str, before.position.marks)) == ["X", "O"]
    assert list(map(str, changed.position.marks)) == ["O", "X"]
    assert (before.next_player, changed.next_player) == (BOB, ALICE)
    assert changed.position.notation == "classic 3 .../.X./... swapped"
    assert changed.play("a1", by=ALICE).position.notation == "classic 3 .../.X./O.. swapped"


@pytest.mark.parametrize(
    ("moves", "ranks"),
    [
        ("b2 swap a1 b1 a2 b3", (2, 1)),  # X's line, owned by bob
        ("b2 swap a1 b1 a2 c1 a3", (1, 2)),  # O's line, owned by alice
        ("b2 a1 b1 a2 b3", (1, 2)),
    ],
)
def test_a_line_wins_for_the_owner_of_its_side(moves: str, ranks: tuple[int, int]) -> None:
    """Ranks belong to seats, and the deciding squares to the winner."""
    outcome = swapping(moves).outcome
    assert outcome is not None
    assert outcome.ranks == ranks
    position = swapping(moves).position
    assert {position.content(square) for square in outcome.squares} == {ranks.index(1)}


def test_in_misere_the_owner_of_the_line_loses() -> None:
    """X completes the line; bob, who took that side, is last."""
    outcome = swapping("b2 swap a1 b1 a2 b3", variant="misere").outcome
    assert outcome is not None
    assert outcome.ranks == (1, 2)


def test_a_swap_is_undone_like_a_mark() -> None:
    """The player who swapped may undo and move otherwise; so may the maker of the first mark."""
    match = swapping("b2 swap")
    assert match.undo(BOB) == swapping("b2")
    assert match.undo(ALICE) == swapping()
    assert match.undo(BOB).play("a1", by=BOB) == swapping("b2 a1")


def test_a_declined_swap_leaves_an_ordinary_position() -> None:
    """The second mark settles the rule: the position equals that of a match without it."""
    assert swapping("b2 a1").position == after(begin(), "b2 a1").position
    assert swapping("b2").position != after(begin(), "b2").position
    assert swapping("b2 swap a1").position != swapping("b2 a1").position


def test_sequences_of_plies_on_nine_squares() -> None:
    """After each first mark there is one move more, the swap, and eight squares after it.

    So each count without a swap (9, 72, 504 …) comes once more, one ply later.
    """
    plain = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    expected = [n + late for n, late in zip([*plain, 0], [0, *plain], strict=True)]
    counted = [frontier.total() for frontier in frontiers(start(TICTACTOE, SWAPPING))]
    assert counted == [*expected, 0]
    assert counted[:3] == [9, 72 + 9, 504 + 72]


def test_a_swap_exchanges_the_wins_of_the_seats() -> None:
    """X wins 131,184 games without a swap and O 77,904; with one the seats exchange."""
    games: Counter[tuple[int, ...]] = Counter()
    for frontier in frontiers(start(TICTACTOE, SWAPPING)):
        for position, ways in frontier.items():
            if (outcome := position.outcome()) is not None:
                games[outcome.ranks] += ways
    either = 131_184 + 77_904
    assert games == {(1, 2): either, (2, 1): either, (1, 1): 2 * 46_080}


@pytest.mark.parametrize(
    "text",
    [
        "classic 3 .../.../... swapped",  # no mark to take over
        "classic 3 O../.X./... swap",  # the second mark is made
        "classic 3 .../.X./... swap swap",
        "classic 3 .../.X./... off",
        "classic 3 .../.X./... ",
        "classic 3 .../.X./... SWAP",
        "classic 3 .../.O./... swapped",
    ],
)
def test_impossible_positions_with_the_rule(text: str) -> None:
    """Texts of positions that can't occur are refused."""
    with pytest.raises(PositionError):
        TICTACTOE.parse(text)


@pytest.mark.parametrize(
    ("text", "without", "with_rule"),
    [
        ("classic 3 .../.../...", True, False),
        ("classic 3 .../.../... swap", False, True),
        ("classic 3 .../.X./... swap", False, True),
        ("classic 3 .../.X./... swapped", False, True),
        ("classic 3 .../.X./...", True, False),
        ("classic 3 O../.X./...", True, True),
        ("classic 3 O../.X./... swapped", False, True),
    ],
)
def test_positions_of_a_board_with_the_rule(text: str, without: bool, with_rule: bool) -> None:
    """Once the second mark is made, a position equals one without the rule unless sides changed."""
    position = TICTACTOE.parse(text)
    options = TICTACTOE.resolve({})
    assert TICTACTOE.can_occur(position, options) is without
    assert TICTACTOE.can_occur(position, {**options, "swap": ON}) is with_rule


def test_a_record_has_the_swap() -> None:
    """A record with a swap round-trips, and a terminal shows each player's mark."""
    match = swapping("b2 swap a1")
    text = write(match, ("Alice", "Bob"))
    assert "swap=on\n" in text and "moves: b2 swap a1\n" in text
    record = read(text)
    assert record.match.positions == match.positions
    assert 'O: "Alice"\nX: "Bob"' in show(record)
    for old, new in (("b2 swap", "swap b2"), (" swap=on", ""), ("swap=on", "swap=true")):
        with pytest.raises(GameError):
            read(text.replace(old, new).replace("... swap\n", "...\n"))


def test_off_equals_no_rule() -> None:
    """`swap` off isn't stored, so options equal those that were stored before the rule existed."""
    assert TICTACTOE.resolve({"swap": "off"}) == TICTACTOE.resolve({})
    assert "swap" not in TICTACTOE.resolve({})


@pytest.mark.parametrize(
    ("options", "fairer"),
    [
        ({"columns": 4, "rows": 3}, True),
        ({"rows": 4, "line": 3}, True),
        ({"rows": 9, "columns": 4, "line": 3}, True),
        ({"rows": 6, "line": 4}, True),
        ({}, False),
        ({"rows": 4}, False),
        ({"rows": 5}, False),
        ({"rows": 4, "line": 3, "variant": "misere"}, False),
        ({"rows": 4, "line": 3, "variant": "torus"}, False),  # all squares are alike
    ],
)
def test_boards_the_rule_makes_fairer(options: Options, fairer: bool) -> None:
    """The rule is proposed where the first player has a forced win, and removes it.

    Boards with such a win are one-sided; only a torus still is with the rule.
    """
    resolved = TICTACTOE.resolve(options)
    even = TICTACTOE.evened(resolved)
    assert even == (resolved | {"swap": ON} if fairer else resolved)
    won = TICTACTOE.forced_win(resolved) is not None
    assert (TICTACTOE.one_sided(resolved), TICTACTOE.one_sided(even)) == (won, won and not fairer)
    assert TICTACTOE.one_sided({**resolved, "swap": ON}) is (won and not fairer)
    assert TICTACTOE.forced_win({**resolved, "swap": ON}) is None
