"""Matches: who may act and when, undo, and the seats of rematches."""

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from core.engine.levels import Level
from core.errors import (
    BadNotation,
    IllegalMove,
    MatchOver,
    NotAPlayer,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    StalePly,
)
from core.games import GAMES
from core.grid import Move
from core.match import Match
from core.match.leaving import Withdrawal
from core.outcome import Ending, Outcome, Result, Termination
from core.players import Computer, Member, Player
from tests.core.boards import ALICE, BOB, CAROL, NINE_HOLES, ROBOT, after, begin, moves, squares

X_WINS = "a1 a3 b1 b3 c1"
B2 = Move.parse("b2")


def test_a_match_is_its_moves() -> None:
    """Moves are kept in order, seats alternate, and a replay gives the same position."""
    match = after(begin(), "b2 a1 c3")
    assert list(match.moves) == moves("b2 a1 c3")
    assert (match.ply, match.to_move, match.next_player) == (3, 1, BOB)
    assert match.position.notation == "classic 3 ..X/.X./O.."
    replayed = Match(match.game, match.options, match.players, match.initial, match.moves)
    assert replayed == match
    assert replayed.positions == match.positions


def test_a_match_starts_from_a_key_and_options() -> None:
    """A key or a game works, and options may be a mapping or keywords."""
    match = Match.start("tictactoe", rows=4, line=3)
    assert match == Match.start(
        GAMES["tictactoe"], {"rows": 4}, line=3, players=(Member(0), Member(1))
    )
    assert match.options["columns"] == 4
    with pytest.raises(OptionError, match="'chess', allowed: tictactoe, connectfour"):
        Match.start("chess")
    with pytest.raises(ValueError, match="tictactoe takes 2 players, not 1"):
        Match.start("tictactoe", players=(ALICE,))


def test_a_flag_is_also_true_or_false() -> None:
    """A flag may be a word, as in records, or a bool; no other option may be a bool."""
    assert Match.start("tictactoe", swap=True) == Match.start("tictactoe", swap="on")
    assert Match.start("tictactoe", swap=False) == Match.start("tictactoe")
    with pytest.raises(OptionError):
        Match.start("tictactoe", rows=True)


def test_a_match_prints_as_its_board() -> None:
    """``print`` draws the board; the repr names the game and its moves, legal or not."""
    match = after(begin(), "b2 a1")
    assert repr(match.position) == "<MnkPosition classic 3 .../.X./O..>"
    assert repr(match.moves) == "(Move.parse('b2'), Move.parse('a1'))"
    assert repr(match.moves[0].to) == "Square.parse('b2')"
    assert str(match) == str(match.position)
    assert repr(match) == "<Match tictactoe: b2 a1>"
    assert repr(replace(match, moves=(*match.moves, match.moves[0]))).endswith("b2 a1 b2>")


@pytest.mark.parametrize("game", GAMES)
def test_the_start_depends_on_the_random_source(game: str) -> None:
    """Starts are equal, except in a game that draws lots from another random source."""
    assert Match.start(game) == Match.start(game)
    first_by_lot = GAMES[game].first_by_lot
    assert (Match.start(game, rng=Random(1)) != Match.start(game)) is first_by_lot


def test_moves_are_played_for_the_seat_to_move() -> None:
    """A move may be notation or a value, by any player who has the seat."""
    match = begin()
    assert match.play("b2") == match.play(B2) == match.play("B2", by=ALICE, ply=0)
    with pytest.raises(StalePly):
        match.play("b2", ply=1)
    with pytest.raises(MatchOver):
        after(match, X_WINS).play("b2")


def test_illegal_stored_moves_are_detected() -> None:
    """A stored match whose moves break the rules raises instead of giving another position."""
    twice = (B2, B2)
    with pytest.raises(IllegalMove):
        _ = Match(begin().game, {}, (ALICE, BOB), begin().initial, twice).position


def test_a_match_ends_on_the_board() -> None:
    """The board's outcome is the match's, and no seat is to move."""
    match = after(begin(), X_WINS)
    assert match.outcome == Outcome(Termination.LINE, (1, 2), squares("a1 b1 c1"))
    assert [match.outcome.result(seat) for seat in (0, 1)] == [Result.WIN, Result.LOSS]
    assert (match.to_move, match.next_player) == (None, None)


def test_five_refusals_are_five_errors() -> None:
    """Bad notation, an illegal move, out of turn, an old ply, and after the end all differ."""
    match = after(begin(), "b2")
    for text in ("castle", "b"):  # nothing falls into a column here
        with pytest.raises(BadNotation):
            match.play(text, by=BOB)
    with pytest.raises(IllegalMove):
        match.play(B2, by=BOB)
    with pytest.raises(NotYourTurn):
        match.play("a1", by=ALICE)
    with pytest.raises(StalePly) as stale:
        match.play("a1", by=BOB, ply=0)
    assert (stale.value.asked, stale.value.current) == (0, 1)
    with pytest.raises(MatchOver):
        after(begin(), X_WINS).play(B2, by=BOB)


def test_the_turn_is_checked_before_the_notation() -> None:
    """Out of turn and after the end, a text that is no move is refused for the turn."""
    with pytest.raises(NotYourTurn):
        begin().play("castle", by=BOB)
    with pytest.raises(MatchOver):
        after(begin(), X_WINS).play("castle", by=BOB)


@pytest.mark.parametrize(
    ("played", "player", "ply", "error"),
    [
        ("b2", CAROL, 1, NotAPlayer),
        (X_WINS, CAROL, 5, NotAPlayer),
        (X_WINS, BOB, 3, MatchOver),
        (X_WINS, ALICE, None, MatchOver),
        ("b2", BOB, 0, StalePly),
        ("b2", BOB, 2, StalePly),
        ("b2", ALICE, 0, StalePly),
        ("b2", ALICE, 1, NotYourTurn),
        ("b2", ALICE, None, NotYourTurn),
    ],
)
def test_refusals_have_an_order(
    played: str, player: Player, ply: int | None, error: type[Exception]
) -> None:
    """Not a player, over, an old ply, out of turn: the first that applies is raised."""
    with pytest.raises(error):
        after(begin(), played).check_turn(player, ply)


def test_a_valid_act() -> None:
    """The player to move may move, with the current ply or none."""
    match = after(begin(), "b2")
    match.check_turn(BOB)
    match.check_turn(BOB, 1)
    assert match.play("a1", by=BOB, ply=1) == after(begin(), "b2 a1")


@pytest.mark.parametrize(
    ("players", "played", "asker", "kept"),
    [
        ((ALICE, ALICE), "b2 a1 c3", ALICE, "b2 a1"),  # one member at both seats: one ply
        ((ALICE, BOB), "b2 a1 c3", ALICE, "b2 a1"),
        ((ALICE, BOB), "b2 a1 c3", BOB, "b2"),  # alice's reply too
        ((ALICE, BOB), "b2", ALICE, ""),
        ((ALICE, ROBOT), "b2 a1 c3 a3", ALICE, "b2 a1"),  # the computer's reply too
        ((ALICE, ROBOT), "b2 a1 c3", ALICE, "b2 a1"),  # before the computer's reply
        ((ROBOT, ALICE), "b2 a1 c3", ALICE, "b2"),
        ((ALICE, BOB), X_WINS, ALICE, "a1 a3 b1 b3"),  # after the end
        ((ALICE, BOB), X_WINS, BOB, "a1 a3 b1"),
        ((ALICE, ROBOT), "a1 b1 a2 b2 c3 b3", ALICE, "a1 b1 a2 b2"),
    ],
)
def test_undo_returns_to_the_last_decision_of_the_asker(
    players: tuple[Player, Player], played: str, asker: Player, kept: str
) -> None:
    """The asker's last move and all later ones are undone, and the asker is to move."""
    undone = after(begin(*players), played).undo(asker)
    assert undone == after(begin(*players), kept)
    assert undone.next_player == asker


@pytest.mark.parametrize("drawn", [True, False])
def test_undo_after_a_resignation_or_an_agreed_draw(drawn: bool) -> None:
    """The ending is undone together with the asker's last move."""
    match = after(begin(), "b2 a1 c3")
    ended = match.agree_draw() if drawn else match.resign(BOB)
    undone = ended.undo(BOB)
    assert (undone, undone.outcome) == (after(begin(), "b2"), None)
    assert undone.next_player == BOB


@pytest.mark.parametrize(
    ("players", "played", "asker", "error"),
    [
        ((ALICE, BOB), "", ALICE, NothingToUndo),
        ((ALICE, BOB), "b2", BOB, NothingToUndo),
        ((ROBOT, ALICE), "b2", ALICE, NothingToUndo),
        ((ALICE, BOB), "b2", CAROL, NotAPlayer),
    ],
)
def test_undo_needs_a_move(
    players: tuple[Player, Player], played: str, asker: Player, error: type[Exception]
) -> None:
    """A player without a move has nothing to undo."""
    with pytest.raises(error):
        after(begin(*players), played).undo(asker)


@pytest.mark.parametrize(
    ("players", "played", "who", "ranks"),
    [
        ((ALICE, BOB), "b2", ALICE, (2, 1)),
        ((ALICE, BOB), "b2", BOB, (1, 2)),
        ((ALICE, BOB), "", BOB, (1, 2)),
        ((ALICE, ROBOT), "b2 a1", ALICE, (2, 1)),
        ((ALICE, ALICE), "b2", ALICE, (1, 2)),  # one member at both seats: the side to move
        ((ALICE, ALICE), "b2 a1", ALICE, (2, 1)),
    ],
)
def test_a_resignation_loses(
    players: tuple[Player, Player], played: str, who: Player, ranks: tuple[int, int]
) -> None:
    """A player may resign at any time, in or out of turn; all others win."""
    match = after(begin(*players), played).resign(who)
    assert match.outcome == Outcome(Termination.RESIGNATION, ranks)
    assert (match.to_move, match.ply) == (None, len(moves(played)))


@pytest.mark.parametrize(("played", "ranks"), [("", (2, 1)), ("b2", (1, 2))])
def test_a_timeout_loses(played: str, ranks: tuple[int, ...]) -> None:
    """With two seats the seat to move loses on time; undo resumes the match."""
    match = after(begin(), played)
    lost = match.time_out()
    assert lost.outcome == Outcome(Termination.TIMEOUT, ranks)
    assert (lost.withdrawals, lost.ply) == ((), match.ply)
    with pytest.raises(MatchOver):
        lost.time_out()


def test_a_match_of_two_has_no_withdrawals() -> None:
    """With two seats leaving ends the match, so a stored withdrawal is corrupt."""
    match = begin()
    with pytest.raises(ValueError, match="2 seats"):
        Match(match.game, {}, (ALICE, BOB), match.initial, withdrawals=(Withdrawal(0, 0),))


def test_an_agreed_draw() -> None:
    """It ends the match with shared rank 1, and the moves stay."""
    match = after(begin(), "b2 a1").agree_draw()
    assert match.outcome == Outcome(Termination.AGREEMENT, (1, 1))
    assert [match.outcome.result(seat) for seat in (0, 1)] == [Result.DRAW, Result.DRAW]
    assert match.ply == 2


@pytest.mark.parametrize(
    "over",
    [
        after(begin(), X_WINS),
        after(begin(), "b2").resign(ALICE),
        after(begin(), "b2").agree_draw(),
        after(begin(game=NINE_HOLES), "a1-a2 a5-a4" + " a2-b2 a4-b4 b2-a2 b4-a4" * 2),
    ],
    ids=["line", "resignation", "agreement", "repetition"],
)
def test_a_finished_match_takes_no_action(over: Match) -> None:
    """No move, resignation or draw after the end; strangers still get their own error."""
    assert over.outcome is not None
    assert over.next_player is None
    with pytest.raises(MatchOver):
        over.play(B2, by=ALICE)
    with pytest.raises(MatchOver):
        over.play(B2, by=BOB)
    with pytest.raises(MatchOver):
        over.resign(ALICE)
    with pytest.raises(MatchOver):
        over.agree_draw()
    with pytest.raises(NotAPlayer):
        over.resign(CAROL)


def test_a_refusal_names_the_asker() -> None:
    """So a log or a terminal tells more than the kind of error."""
    match = after(begin(), "b2")
    with pytest.raises(NotYourTurn, match=re.escape(str(ALICE))):
        match.play("a1", by=ALICE)
    with pytest.raises(NotAPlayer, match=re.escape(str(CAROL))):
        match.resign(CAROL)
    with pytest.raises(NothingToUndo, match=re.escape(str(BOB))):
        match.undo(BOB)


def test_a_match_as_it_was() -> None:
    """The match has no ending at an earlier ply, and a negative ply is refused."""
    begun = after(begin(), "b2")
    ended = after(begun, "a1").resign(ALICE)
    assert [ended.at(ply) for ply in range(4)] == [begin(), begun, ended, ended]
    with pytest.raises(ValueError, match="ply -1"):
        ended.at(-1)


def test_a_rematch_rotates_the_seats() -> None:
    """The second player moves first; after as many rematches as seats the order is restored."""
    players = begin().rematch_players
    assert players == (BOB, ALICE)
    assert begin(*players).rematch_players == (ALICE, BOB)
    of_three = Match.start("tribolo", players=(ALICE, BOB, CAROL))
    assert of_three.rematch_players == (BOB, CAROL, ALICE)


@pytest.mark.parametrize("end", [Match.strand, Match.call_off])
def test_a_rematch_of_a_match_without_a_result(end: Callable[[Match], Match]) -> None:
    """Everybody keeps their seat: the match that didn't come about is played again."""
    assert end(after(begin(), "b2")).rematch_players == (ALICE, BOB)


@pytest.mark.parametrize(
    ("players", "rated"),
    [
        ((ALICE, BOB), True),
        ((ALICE, ALICE), False),
        ((ALICE, ROBOT), False),
        ((Computer(Level.EASY), ROBOT), False),
        ((ALICE, BOB, CAROL), True),
        ((ALICE, BOB, ROBOT), False),
    ],
)
def test_only_matches_between_members_are_rated(players: tuple[Player, ...], rated: bool) -> None:
    """A match counts if different members have all of its seats."""
    (game,) = (one for one in ("tictactoe", "tribolo") if GAMES[one].seats == len(players))
    assert Match.start(game, players=players).rated is rated


def test_two_computers_may_play() -> None:
    """Equal computers at both seats are one player, as a member at both seats is."""
    match = after(begin(ROBOT, ROBOT), "b2 a1")
    assert match.next_player == ROBOT
    assert [match.seat_of(ROBOT), match.play("c3", by=ROBOT).seat_of(ROBOT)] == [0, 1]


def test_options_are_resolved_at_the_start() -> None:
    """A match stores every option, so that a changed default never affects it."""
    assert begin(options={"rows": 4}).options == {
        "rows": 4,
        "columns": 4,
        "line": 4,
        "variant": "classic",
    }
    with pytest.raises(OptionError):
        begin(options={"rows": 2})


@pytest.mark.parametrize(
    ("ending", "plies", "unmoved"),
    [
        (Ending(Termination.TIMEOUT, 0), 0, 0),
        (Ending(Termination.TIMEOUT, 1), 1, 1),
        (Ending(Termination.TIMEOUT, 0), 2, None),
        (Ending(Termination.RESIGNATION, 0), 0, None),
    ],
)
def test_the_seat_that_never_moved(ending: Ending, plies: int, unmoved: int | None) -> None:
    """With two seats, it is the seat that ran out of time before its first move."""
    assert ending.unmoved(plies) == unmoved


@pytest.mark.parametrize(
    ("ending", "ranks"),
    [
        (Ending(Termination.RESIGNATION, 0), (2, 1, 1)),
        (Ending(Termination.RESIGNATION, 2), (1, 1, 2)),
        (Ending(Termination.AGREEMENT), (1, 1, 1)),
    ],
)
def test_endings_rank_any_number_of_seats(ending: Ending, ranks: tuple[int, ...]) -> None:
    """A resigning seat is last and the others share rank 1; an agreed draw is shared by all."""
    assert ending.outcome(3) == Outcome(ending.termination, ranks)


def test_a_shared_first_place_is_a_draw() -> None:
    """A sole rank 1 wins, a shared rank 1 draws, and all others lose."""
    outcome = Outcome(Termination.FULL, (1, 1, 3))
    assert [outcome.result(s) for s in range(3)] == [Result.DRAW, Result.DRAW, Result.LOSS]
    assert outcome.winner is None
    won = Outcome.won(2, 3, Termination.FULL)
    assert won.result(2) is Result.WIN and won.winner == 2
