"""Leaving a match of three that the others continue: by diagram, and in random play."""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.levels import Level
from core.errors import HasLeft, MatchOver, NotAPlayer, NothingToUndo, NotYourTurn
from core.game import Game
from core.games import GAMES
from core.grid import Move
from core.match import Match
from core.match.diagram import news
from core.match.leaving import Withdrawal
from core.outcome import Outcome, Result, Termination
from core.players import Computer, Member, Player
from tests.core.boards import ALICE, BOB, CAROL, TRIBOLO, some_moves

FOR_MORE = [game for game in GAMES.values() if game.seats > 2]
ROBOT, OTHER_ROBOT = Computer(Level.EASY), Computer(Level.HARD)


def begin(*players: Player, text: str = ".BRRG/.RGG./RB.../GGBR. B") -> Match:
    """Return a match of three (default: alice, bob and carol) from a position."""
    return Match(TRIBOLO, {"size": "small"}, players or (ALICE, BOB, CAROL), TRIBOLO.parse(text))


def test_a_seat_that_left_is_passed_over() -> None:
    """Its squares stay, it moves no more, and the others continue in order."""
    match = some_moves(begin(), 1)
    assert match.to_move == 1
    left = match.resign(BOB)
    assert left.withdrawals == (Withdrawal(1, 1),)
    assert (left.outcome, left.to_move, left.staying, left.ply) == (None, 2, (0, 2), 1)
    assert left.position.grid == match.position.grid
    for square in match.position.grid.squares:
        assert left.position.content(square) == match.position.content(square)
    assert left.position.notation == match.position.notation.replace(" R", " G") + " -R"
    movers = set()
    while left.to_move is not None:
        movers.add(left.to_move)
        left = some_moves(left, 1)
    assert movers == {0, 2}


def test_leaving_out_of_turn_keeps_the_turn() -> None:
    """The same seat is to move."""
    left = begin().resign(CAROL)
    assert (left.to_move, left.next_player, left.outcome) == (0, ALICE, None)


@pytest.mark.parametrize(("first", "second"), list(permutations(range(3), 2)))
def test_the_last_seat_wins(first: int, second: int) -> None:
    """The only seat left wins, and the first to leave is last."""
    players = (ALICE, BOB, CAROL)
    match = some_moves(begin().resign(players[first]), 1).resign(players[second])
    last = 3 - first - second
    assert match.outcome is not None
    assert match.outcome.termination is Termination.RESIGNATION
    assert [match.outcome.ranks[seat] for seat in (last, second, first)] == [1, 2, 3]
    assert match.outcome.result(last) is Result.WIN
    assert match.to_move is None
    with pytest.raises(MatchOver):
        match.resign(players[last])


def test_a_timeout_leaves_like_a_resignation() -> None:
    """The seat to move leaves; when one seat remains the match ends by timeout."""
    match = begin().time_out()
    assert match.withdrawals == (Withdrawal(0, 0, Termination.TIMEOUT),)
    assert match.next_player == BOB
    ended = match.time_out()
    assert ended.outcome == Outcome(Termination.TIMEOUT, (3, 2, 1))
    with pytest.raises(MatchOver):
        ended.time_out()


def test_a_departure_leaves_like_a_resignation() -> None:
    """A departed player leaves a match of three and loses one of two; the termination says why."""
    match = begin().depart(BOB)
    assert match.withdrawals == (Withdrawal(1, 0, Termination.DEPARTURE),)
    assert match.outcome is None
    with pytest.raises(HasLeft):
        match.depart(BOB)


def test_departures_between_two_moves_have_no_order() -> None:
    """They share the last rank, found at once or one by one; a move between them gives an order.

    So does a resignation.
    """
    at_once = begin().depart(BOB, CAROL)
    assert at_once == begin().depart(BOB).depart(CAROL)
    assert at_once.outcome == Outcome(Termination.DEPARTURE, (1, 2, 2))
    match = some_moves(begin().depart(CAROL), 1).depart(BOB)
    assert match.outcome == Outcome(Termination.DEPARTURE, (1, 2, 3))
    match = begin().resign(BOB).depart(CAROL)
    assert match.outcome == Outcome(Termination.DEPARTURE, (1, 3, 2))


@pytest.mark.parametrize("gone", [(ALICE, BOB), (BOB, ALICE)])
def test_the_only_seat_that_can_move_departs_with_another(gone: tuple[Player, ...]) -> None:
    """Nobody can move without alice, but both have left, and carol wins."""
    match = begin(text="BR..../....../G..... B").depart(*gone)
    assert match.outcome == Outcome(Termination.DEPARTURE, (2, 2, 1))
    assert match.position.to_move is None, "its moves can still be replayed"


@pytest.mark.parametrize(
    ("players", "gone"),
    [
        ((ALICE, BOB, CAROL), (ALICE, BOB, CAROL)),
        ((ALICE, BOB, ROBOT), (BOB, ALICE)),
    ],
)
def test_a_match_that_all_have_left_is_abandoned(
    players: tuple[Player, ...], gone: tuple[Player, ...]
) -> None:
    """It ends without a result, even with a computer left; a seat that resigned first is last."""
    match = some_moves(begin(*players), 2).depart(*gone)
    assert match.outcome is not None
    assert match.outcome.termination is Termination.ABANDONED
    assert not match.outcome.counts and match.withdrawals == ()
    later = some_moves(begin(), 1).resign(BOB).depart(ALICE, CAROL)
    assert later.outcome == Outcome(Termination.ABANDONED, (1, 3, 1))


def test_a_duel_that_both_have_left_is_abandoned() -> None:
    """If one of two is gone, the other wins; if both are, nobody does."""
    duel = Match.start("tictactoe", players=(ALICE, BOB)).play("b2")
    assert duel.depart(ALICE, BOB).outcome == Outcome(Termination.ABANDONED, (1, 1))
    assert duel.depart(BOB).outcome == Outcome(Termination.DEPARTURE, (1, 2))
    alone = Match.start("tictactoe", players=(ALICE, ROBOT)).play("b2")
    assert alone.depart(ALICE).outcome == Outcome(Termination.DEPARTURE, (2, 1))


def test_seats_that_left_rank_last() -> None:
    """They rank last whatever they own; the others rank by their squares."""
    match = begin().resign(ALICE)
    while match.to_move is not None:
        match = some_moves(match, 1)
    assert match.outcome is not None
    assert match.outcome.termination is Termination.EXHAUSTED
    assert match.outcome.ranks[0] == 3
    assert set(match.outcome.ranks[1:]) <= {1, 2}


def test_a_draw_is_agreed_by_the_remaining_seats() -> None:
    """They share rank 1, and the seat that left ranks after them."""
    assert begin().resign(BOB).agree_draw().outcome == Outcome(Termination.AGREEMENT, (1, 3, 1))


@pytest.mark.parametrize(
    ("players", "leaving", "ranks"),
    [
        ((ALICE, ROBOT, OTHER_ROBOT), [ALICE], (3, 1, 1)),
        ((ROBOT, ALICE, OTHER_ROBOT), [ALICE], (1, 3, 1)),
        ((ALICE, ROBOT, BOB), [ALICE, BOB], (3, 1, 2)),
        ((ALICE, ALICE, ROBOT), [ALICE, ALICE], (3, 2, 1)),
    ],
)
def test_computers_do_not_play_on_alone(
    players: tuple[Player, ...], leaving: list[Player], ranks: tuple[int, ...]
) -> None:
    """When every member has left the match ends, and the computers share the top rank."""
    match = begin(*players)
    for player in leaving:
        assert match.outcome is None
        match = match.resign(player)
    assert match.outcome == Outcome(Termination.RESIGNATION, ranks)
    assert match.to_move is None


@pytest.mark.parametrize(
    ("players", "leaving", "deserted"),
    [
        ((ALICE, BOB, CAROL), [ALICE], False),
        ((ALICE, BOB, CAROL), [ALICE, BOB], False),
        ((ALICE, ROBOT, BOB), [ALICE, BOB], False),
        ((ALICE, BOB, ROBOT), [ALICE], False),
        ((ALICE, ROBOT, OTHER_ROBOT), [], False),
        ((ALICE, ROBOT, OTHER_ROBOT), [ALICE], True),
    ],
)
def test_a_match_is_deserted_if_several_computers_are_left(
    players: tuple[Player, ...], leaving: list[Player], deserted: bool
) -> None:
    """It isn't while a member plays on, nor if only one player is left, since that player wins."""
    match = begin(*players)
    for player in leaving:
        match = match.resign(player)
    assert match.deserted == deserted


def test_moving_or_leaving_after_leaving() -> None:
    """A player who left is refused with `HasLeft`, a stranger with `NotAPlayer`."""
    match = begin().resign(CAROL)
    move = match.position.legal_moves()[0]
    for ask in (match.resign, match.check_turn, lambda who: match.play(move, by=who)):
        with pytest.raises(HasLeft):
            ask(CAROL)
        with pytest.raises(NotAPlayer):
            ask(Member(99))
    with pytest.raises(NotYourTurn):
        match.play(move, by=BOB)
    assert match.seat_of(CAROL) == 2


def test_a_player_with_several_seats_leaves_them_in_turn() -> None:
    """The seat to move leaves first, then a remaining one."""
    match = begin(ALICE, BOB, ALICE).resign(ALICE)
    assert match.withdrawals == (Withdrawal(0, 0),) and match.next_player == BOB
    assert match.seat_of(ALICE) == 2
    assert match.resign(ALICE).outcome == Outcome(Termination.RESIGNATION, (3, 1, 2))


def test_undo_reverts_no_withdrawal() -> None:
    """Undo reverts moves since the last withdrawal, and nothing before it."""
    match = some_moves(begin(), 2).resign(CAROL)
    assert match.next_player == ALICE
    for player in (ALICE, BOB, CAROL):
        with pytest.raises(NothingToUndo):
            match.undo(player)
    later = some_moves(match, 2)
    assert later.undo(ALICE) == match
    assert later.undo(BOB) == some_moves(match, 1)
    with pytest.raises(NothingToUndo):
        later.undo(CAROL)
    with pytest.raises(NothingToUndo):
        later.resign(BOB).undo(ALICE)


def test_a_match_as_it_was_when_a_seat_had_left() -> None:
    match = some_moves(begin(), 1).resign(BOB)
    later = some_moves(match, 2)
    assert [later.at(ply).withdrawals for ply in (0, 1)] == [(), match.withdrawals]


def test_moves_that_are_news_to_the_player_to_move() -> None:
    """All moves since the player's own last one are news, and always the last move.

    After the end only the last move is.
    """
    match = begin()
    for move in "d2 c2 a3 e1 a4 e3 e2".split():  # Red moves fifth and sixth
        match = match.play(move)
    assert [news(match.at(ply)) for ply in range(8)] == [0, 0, 0, 1, 2, 4, 3, 6]


@pytest.mark.parametrize(
    "withdrawals",
    [
        (Withdrawal(3, 0),),
        (Withdrawal(-1, 0),),
        (Withdrawal(0, 3),),
        (Withdrawal(0, -1),),
        (Withdrawal(0, 1), Withdrawal(0, 2)),
        (Withdrawal(0, 2), Withdrawal(1, 1)),
        (Withdrawal(0, 0, Termination.AGREEMENT),),
        (Withdrawal(0, 0), Withdrawal(1, 1)),  # over after one ply, yet with two withdrawals
        (Withdrawal(0, 2), Withdrawal(1, 2), Withdrawal(2, 2)),
    ],
    ids=str,
)
def test_impossible_withdrawals_are_detected(withdrawals: tuple[Withdrawal, ...]) -> None:
    """Unknown seats, plies and kinds, repetition, wrong order and acts after the end are errors."""
    with pytest.raises(ValueError, match="3 seats"):
        replace(some_moves(begin(), 2), withdrawals=withdrawals)


def test_nobody_leaves_after_the_only_member() -> None:
    """The match ends when the only member leaves, though two computers are left."""
    alone = some_moves(begin(ALICE, ROBOT, OTHER_ROBOT), 2)
    assert replace(alone, withdrawals=(Withdrawal(0, 2),)).outcome is not None
    with pytest.raises(ValueError, match="3 seats"):
        replace(alone, withdrawals=(Withdrawal(0, 2), Withdrawal(1, 2)))


def test_no_withdrawal_after_the_end() -> None:
    """A withdrawal after the last move on the board makes the match invalid."""
    over = begin(text="BRG -")
    with pytest.raises(MatchOver):
        over.resign(ALICE)
    with pytest.raises(ValueError, match="seat 0"):
        _ = replace(over, withdrawals=(Withdrawal(0, 0),)).position


@pytest.mark.parametrize("left", list(permutations(range(4), 2)))
def test_ranks_keep_the_order_of_the_remaining_seats(left: tuple[int, int]) -> None:
    """If two of four seats leave, the others keep their order and take ranks 1 and 2."""
    stayed = sorted({0, 1, 2, 3} - set(left))
    outcome = Outcome(Termination.EXHAUSTED, (2, 4, 1, 3)).behind([{seat} for seat in left])
    assert [outcome.ranks[seat] for seat in left] == [4, 3]
    better = (2, 4, 1, 3)[stayed[0]] < (2, 4, 1, 3)[stayed[1]]
    assert [outcome.ranks[seat] for seat in stayed] == ([1, 2] if better else [2, 1])


@st.composite
def deserting(draw: st.DrawFn) -> Match:
    """Return a match of any game for more than two, with random moves, withdrawals and undos."""
    game: Game = draw(st.sampled_from(FOR_MORE))
    rng = Random(draw(st.integers(0, 2**32)))
    match = Match.start(game, rng=rng)
    for step in draw(st.lists(st.sampled_from("mmmmmmmmrtu"), max_size=40)):
        if match.outcome is not None:
            break
        match = _stepped(match, step, rng)
    return match


def _stepped(match: Match, step: str, rng: Random) -> Match:
    player = match.next_player
    assert player is not None
    if step == "m":
        return match.play(rng.choice(match.position.legal_moves()))
    if step == "u":
        try:
            return match.undo(player)
        except NothingToUndo:
            return match
    return match.time_out() if step == "t" else match.resign(match.players[match.staying[0]])


@given(deserting())
def test_a_match_with_withdrawals_round_trips(match: Match) -> None:
    """Start, move notation and withdrawals give the same match, and positions round-trip."""
    rebuilt = Match(
        match.game,
        match.options,
        match.players,
        match.game.parse(match.initial.notation),
        tuple(Move.parse(str(move)) for move in match.moves),
        match.ending,
        match.withdrawals,
    )
    assert (rebuilt, rebuilt.positions, rebuilt.outcome) == (match, match.positions, match.outcome)
    for position in match.positions:
        assert match.game.parse(position.notation) == position


@given(deserting())
def test_only_remaining_seats_move_and_win(match: Match) -> None:
    """No seat moves after leaving, and at the end all that left rank behind the others."""
    for withdrawal in match.withdrawals:
        after_it = match.positions[withdrawal.ply :]
        assert withdrawal.seat not in {position.to_move for position in after_it}
    while match.to_move is not None:
        match = some_moves(match, 1)
    assert match.outcome is not None
    ranks = match.outcome.ranks
    left = [withdrawal.seat for withdrawal in match.withdrawals]
    assert [ranks[seat] for seat in left] == [match.game.seats - i for i in range(len(left))]
    assert min(ranks[seat] for seat in match.staying) == 1
