"""Laws that hold for every game with any options, at any ply of any playout."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from random import Random
from time import process_time

import pytest
from hypothesis import assume, example, given, reject
from hypothesis import strategies as st

from core.errors import GameError, IllegalMove, MatchOver, OptionError, PositionError
from core.game import Game
from core.games import GAMES
from core.grid import SWAP, Move, Square
from core.marks import Mark
from core.match import Match
from core.options import OFF, ON, Flag, Number, Option
from core.players import Member
from core.position import Blank, Content, Position
from core.views import LineView
from tests.core.either import Either

REGISTERED = tuple(GAMES.values())
# `Either` has shapes that none of the bot's games has.
ALL = (*REGISTERED, Either())

STRANGER = Member(99)
# The characters of positions' texts, and a 3 in another script.
_LETTERS = "XOBRG.#-/ 0345swap٣"


@dataclass
class Played:
    """A match and the random source of its moves."""

    match: Match
    rng: Random

    def move(self) -> bool:
        """Make a random legal move; return False if the match is over."""
        player = self.match.next_player
        if player is None:
            return False
        move = self.rng.choice(self.match.position.legal_moves())
        self.match = self.match.play(move, by=player)
        return True


def values(option: Option) -> st.SearchStrategy[int | str]:
    """Return the values that an option allows."""
    if isinstance(option, Number):
        return st.integers(option.low, option.high)
    return st.sampled_from((OFF, ON) if isinstance(option, Flag) else option.choices)


@st.composite
def played(draw: st.DrawFn, games: Sequence[Game] = ALL, most_plies: int = 40) -> Played:
    """Return a match of any game with any options, after random moves."""
    game = draw(st.sampled_from(games))
    asked = {option.name: draw(values(option)) for option in game.declared if draw(st.booleans())}
    rng = Random(draw(st.integers(0, 2**32)))
    try:
        match = Match.start(game, asked, rng=rng)
    except OptionError:
        reject()
    so_far = Played(match, rng)
    for _ in range(draw(st.integers(0, most_plies))):
        so_far.move()
    return so_far


# Random moves rarely come to a swap.
_FIRST_MARK = Match.start("tictactoe", {"swap": ON}).play("b2")
_swap_next = example(Played(_FIRST_MARK, Random(1)))
_swapped = example(Played(_FIRST_MARK.play(SWAP).play("a1"), Random(1)))


def board(position: Position) -> dict[Square, Content]:
    """Return the owner of each square."""
    return {square: position.content(square) for square in position.grid.squares}


def imaginable(position: Position, rng: Random) -> list[Move]:
    """Return the legal moves and many others, some of them off the board."""
    edge = [Square(c, position.grid.rows) for c in range(position.grid.columns + 1)]
    places = [*position.grid.squares, *edge]
    drops = [*map(Move, places), *map(Move.into, range(position.grid.columns + 1))]
    walks = [Move(to, origin) for to, origin in product(places, repeat=2)]
    return [*position.legal_moves(), SWAP, *drops, *rng.sample(walks, min(300, len(walks)))]


@given(played())
@_swap_next
def test_a_move_changes_exactly_what_the_rules_say(so_far: Played) -> None:
    """A mark takes the open square it lands on; a man leaves one square and takes an open one.

    Only in games with scores may a move take others' squares too. A swap exchanges all squares of
    the two seats. A mark may be nobody's, and stays where a move only names it.
    """
    position = so_far.match.position
    seat = position.to_move
    for move in position.legal_moves():
        before, after = board(position), board(position.play(move))
        changed = {square for square in before if before[square] != after[square]}
        if move == SWAP:
            exchanged = {0: 1, 1: 0, Blank.OPEN: Blank.OPEN}
            assert after == {square: exchanged[owner] for square, owner in before.items()}
            continue
        if position.scores() is not None:
            taken = {square for square in changed if not isinstance(before[square], Blank)}
            assert all(before[square] != seat == after[square] for square in taken)
            changed -= taken
        landed = position.landing(move)
        assert before[landed] is Blank.OPEN
        named = before[move.origin] if move.origin else None
        if isinstance(named, Mark):
            assert (after[landed], changed) == (named, {landed})
            continue
        assert after[landed] == seat or isinstance(after[landed], Mark)
        if move.origin is None:
            assert changed == {landed}
        else:
            assert changed == {landed, move.origin}
            assert before[move.origin] == seat
            assert isinstance(after[move.origin], Blank)


@given(played())
@_swap_next
def test_the_moves_of_a_position_are_of_one_kind(so_far: Played) -> None:
    """Boards look at the first one to see how moves are pressed; a swap has its own button."""
    moves = [move for move in so_far.match.position.legal_moves() if move != SWAP]
    assert len({(move.origin is None, move.column is None) for move in moves}) <= 1


@given(played())
@_swap_next
def test_legal_moves_are_the_only_gate(so_far: Played) -> None:
    """A move can be played if and only if it is among the legal moves."""
    position = so_far.match.position
    legal = position.legal_moves()
    assert len(set(legal)) == len(legal)
    for move in imaginable(position, so_far.rng):
        if move in legal:
            position.play(move)
        else:
            with pytest.raises((IllegalMove, MatchOver)):
                position.play(move)


@given(played())
@_swap_next
def test_undo_reverts_the_move(so_far: Played) -> None:
    """Playing any legal move and undoing it gives the same match."""
    match = so_far.match
    player = match.next_player
    assume(player is not None)
    assert player is not None
    for move in match.position.legal_moves():
        assert match.play(move).undo(player) == match


@given(played())
@_swapped
def test_a_match_is_rebuilt_from_its_texts(so_far: Played) -> None:
    """The start's text, the move notation and the options give the same match."""
    match = so_far.match
    notation = [str(move) for move in match.moves]
    rebuilt = Match(
        match.game,
        match.game.resolve(match.options),
        match.players,
        match.game.parse(match.initial.notation),
        tuple(Move.parse(text.upper()) for text in notation),
    )
    assert (rebuilt, rebuilt.positions, rebuilt.outcome) == (match, match.positions, match.outcome)
    assert hash(rebuilt) == hash(match)


@given(played())
@_swapped
def test_a_position_round_trips(so_far: Played) -> None:
    """A position parses from its text to an equal one, with the same moves, turn and outcome.

    So does one that a seat has left. Parsing examines the whole board and playing only the lines
    through the last move; the winner is the same either way.
    """
    game, positions = so_far.match.game, so_far.match.positions
    left = [
        position.without(seat)
        for position in positions
        if game.seats > 2
        for seat in range(game.seats)
    ]
    for position in (*positions, *left):
        text = position.notation
        read = game.parse(text)
        assert "\n" not in text
        assert (read, read.notation, hash(read)) == (position, text, hash(position))
        assert read.outcome() == position.outcome()
        assert (read.to_move, read.legal_moves()) == (position.to_move, position.legal_moves())


@given(played())
def test_a_text_is_that_of_its_position_or_of_none(so_far: Played) -> None:
    """A text close to a position's is refused, or is the exact text of the position it gives."""
    game, rng = so_far.match.game, so_far.rng
    for _ in range(20):
        text = so_far.match.position.notation
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(("", *_LETTERS)) + text[at + rng.randrange(2) :]
        with suppress(PositionError):
            assert game.parse(text).notation == text


@pytest.mark.parametrize("game", REGISTERED, ids=GAMES.keys())
def test_a_very_long_text_is_refused_soon(game: Game) -> None:
    """The time grows with the length and not with its square."""
    long_row = f"{game.marks[0].letter * 500_000}/"
    began = process_time()
    with pytest.raises(PositionError):
        game.parse(game.example.start.replace("/", long_row, 1))
    assert process_time() - began < 1


@given(played())
@_swapped
def test_a_board_is_read_at_once_as_square_by_square(so_far: Played) -> None:
    """`contents` has for each square what `content` returns for it."""
    position = so_far.match.position
    assert position.contents() == list(board(position).values())


@given(played(), st.data())
def test_positions_belong_to_the_options_of_their_match(
    so_far: Played, data: st.DataObject
) -> None:
    """A first position belongs to no others."""
    match = so_far.match
    assert all(match.game.can_occur(position, match.options) for position in match.positions)
    other = data.draw(played([match.game], most_plies=0)).match.options
    assert match.game.can_occur(match.initial, other) is (match.options == other)


@given(played([GAMES["tictactoe"]], most_plies=0))
def test_the_symmetries_of_a_line_board_keep_its_sets(so_far: Played) -> None:
    """The engine searches positions that a symmetry maps onto each other as one."""
    view = so_far.match.position.view
    assert isinstance(view, LineView)
    playing = view.board
    squares = range(playing.squares)
    sets = {frozenset(square for square in squares if mask >> square & 1) for mask in playing.sets}
    assert len(sets) == len(playing.sets)
    assert min(map(len, sets)) > 1
    for symmetry in playing.symmetries:
        assert sorted(symmetry) == [*squares]
        assert {frozenset(symmetry[square] for square in one) for one in sets} == sets


@given(played())
def test_a_position_has_moves_or_an_outcome(so_far: Played) -> None:
    """A position has a seat to move and legal moves, or else an outcome; never both."""
    for position in so_far.match.positions:
        over = position.outcome() is not None
        assert (position.to_move is None) == over == (not position.legal_moves())
        assert position.to_move in (None, *range(so_far.match.game.seats))


@given(played(most_plies=0))
def test_every_playout_ends_with_ranks(so_far: Played) -> None:
    """Random play ends, the outcome ranks all seats from 1, and no more moves are taken."""
    plies = 0
    while so_far.move():
        plies += 1
        assert plies <= 200
    outcome = so_far.match.outcome
    assert outcome is not None
    assert len(outcome.ranks) == so_far.match.game.seats
    assert min(outcome.ranks) == 1
    position = so_far.match.position
    owners = {position.content(square) for square in outcome.squares}
    assert len(owners) <= 1, "the deciding squares belong to one seat"
    if position.to_move is None:  # a match may be over before its board is
        for move in imaginable(position, so_far.rng):
            with pytest.raises(MatchOver):
                position.play(move)


@given(played())
def test_a_refusal_changes_nothing(so_far: Played) -> None:
    """After any error the match is the same as before."""
    match = so_far.match

    def state() -> tuple[object, ...]:
        shown = board(match.position)
        return match.position.notation, match.moves, match.outcome, match.to_move, shown

    before = state()
    player = match.next_player or match.players[0]
    others = [other for other in (*match.players, STRANGER) if other != player]
    illegal = set(imaginable(match.position, so_far.rng)) - set(match.position.legal_moves())
    move = Move(Square(0, 0))
    refused: list[Callable[[], object]] = [
        *(lambda by=by: match.play(move, by=by) for by in others),
        *(
            lambda ply=ply: match.play(move, by=player, ply=ply)
            for ply in (match.ply - 1, match.ply + 1)
        ),
        *(lambda m=m: match.play(m) for m in list(illegal)[:20]),
        lambda: match.undo(STRANGER),
        lambda: match.resign(STRANGER),
    ]
    for ask in refused:
        with pytest.raises(GameError):
            ask()
    assert state() == before


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_a_game_declares_itself(game: Game) -> None:
    """It is registered under its key, and has a mark per seat and a default for each option.

    Marks differ in letter and in shape. Flags that are off are omitted.
    """
    assert GAMES[game.key] is game
    assert game.seats == len(game.marks) > 1
    for looks in ({mark.letter for mark in game.marks}, {mark.shape for mark in game.marks}):
        assert len(looks) == game.seats
    full = game.resolve({})
    assert list(full) == [o.name for o in game.declared if not isinstance(o, Flag)]
    assert game.resolve(full) == full
