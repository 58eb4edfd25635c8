"""The services, as commands and buttons call them, on both databases and without Discord."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from bot.computer import ComputerPlayer
from bot.errors import LaggingView, Refusal
from bot.matches import Matches, Seating
from bot.offers import Offers
from bot.records import OfferKind, Place, StoredMatch
from bot.searches import Searches
from bot.storage.matches import MatchStore
from bot.storage.offers import OfferStore
from bot.storage.scores import ScoreStore
from core.engine.levels import Engine, Level
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
from core.game import Options, Position, Termination
from core.games import GAMES
from core.grid import Move
from core.match import Computer, Member
from tests.bot.playing import HERE, NOW, both
from tests.core.boards import ALICE, BOB, CAROL, ROBOT

MEMBERS: Seating = [(ALICE, "Alice"), (BOB, "Bob")]
SOLO: Seating = [(ALICE, "Alice"), (ROBOT, None)]
ROBOT_FIRST: Seating = [(ROBOT, None), (ALICE, "Alice")]
HOT_SEAT: Seating = [(ALICE, "Alice"), (ALICE, "Alice")]
LIFETIME = 900
X_WINS = "a1 a3 b1 b3 c1"


class StumblingEngine(Engine):
    """A computer player that fails at its first `stumbles` moves."""

    def __init__(self, stumbles: int):
        super().__init__()
        self.stumbles = stumbles

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        if self.stumbles:
            self.stumbles -= 1
            raise ZeroDivisionError("stumbled")
        return super().choose(position, level, rng, history)


@dataclass
class Clock:
    """Unix seconds that a test moves on by hand."""

    now: int = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine() -> StumblingEngine:
    return StumblingEngine(0)


@pytest.fixture
def matches(
    store: MatchStore, engine: StumblingEngine, searches: Searches, clock: Clock
) -> Matches:
    rng = Random(1)
    return Matches(store, ComputerPlayer(engine, searches, rng), rng, clock)


@pytest.fixture
def offers(offer_store: OfferStore, matches: Matches) -> Offers:
    return Offers(offer_store, matches)


async def start(
    matches: Matches, seating: Seating = MEMBERS, options: Options | None = None
) -> StoredMatch:
    return await matches.start(HERE, GAMES["tictactoe"], options or {}, seating)


async def play_all(matches: Matches, stored: StoredMatch, moves: str) -> StoredMatch:
    """Play `moves`, each by whoever is to move."""
    for move in moves.split():
        player = stored.match.next_player
        assert isinstance(player, Member)
        stored = await matches.play(stored.id, player.id, move, stored.match.ply)
    return stored


# --- turns


async def test_a_whole_match(matches: Matches) -> None:
    """Members play turn by turn to the end, and every turn is what the database then holds."""
    stored = await start(matches)
    for move in X_WINS.split():
        stored = await play_all(matches, stored, move)
        assert await matches.get(stored.id) == stored
    assert stored.match.outcome is not None
    with pytest.raises(Refusal) as over:
        await matches.live(HERE.channel_id)
    assert isinstance(over.value.reason, MatchOver)
    assert await matches.latest(HERE.channel_id) == stored


async def test_every_refusal_of_a_move_is_its_own(matches: Matches) -> None:
    """Each wrong move has an error of its own, knows the board, and changes nothing."""
    stored = await play_all(matches, await start(matches), "b2")
    refused = [
        (CAROL, "a1", 1, NotAPlayer),
        (ALICE, "a1", 1, NotYourTurn),
        (BOB, "a1", 0, StalePly),
        (BOB, "castle", 1, BadNotation),
        (BOB, "b2", 1, IllegalMove),
        (BOB, "z9", None, IllegalMove),
    ]
    for player, move, ply, error in refused:
        with pytest.raises(Refusal) as caught:
            await matches.play(stored.id, player.id, move, ply)
        assert type(caught.value.reason) is error
        assert caught.value.board == stored
    assert await matches.get(stored.id) == stored
    over = await matches.resign(stored, ALICE.id)
    with pytest.raises(Refusal) as caught:
        await matches.play(over.id, BOB.id, "a1", 1)
    assert type(caught.value.reason) is MatchOver
    with pytest.raises(Refusal, match="no_such_match"):
        await matches.play(stored.id + 1, BOB.id, "a1")


@pytest.mark.parametrize("seating", [MEMBERS, SOLO], ids=["members", "computer"])
async def test_a_doubled_press_plays_once(matches: Matches, seating: Seating) -> None:
    """Two presses of one square at the same moment make one move; the other is refused."""
    stored = await start(matches, seating)
    first, second = await both(
        matches.play(stored.id, ALICE.id, "b2", 0), matches.play(stored.id, ALICE.id, "b2", 0)
    )
    assert isinstance(second, Refusal)
    assert await matches.get(stored.id) == first
    assert first.match.ply == (1 if seating is MEMBERS else 2)


async def test_two_squares_at_once_play_once(matches: Matches) -> None:
    """Of two different squares that one member presses at once, one is played."""
    stored = await start(matches)
    first, second = await both(
        matches.play(stored.id, ALICE.id, "b2", 0), matches.play(stored.id, ALICE.id, "a1", 0)
    )
    assert isinstance(second, Refusal)
    assert await matches.get(stored.id) == first
    assert first.match.ply == 1


async def test_a_board_left_behind_is_told_from_an_old_one(matches: Matches) -> None:
    """A press on an older message is refused; one on the newest that lags asks for a new view."""
    stored = await play_all(matches, await start(matches), "b2")
    matches.boards.shown(stored, 500)
    with pytest.raises(Refusal, match="old_board") as old:
        await matches.play(stored.id, BOB.id, "a1", 1, 499)
    assert not isinstance(old.value, LaggingView)
    with pytest.raises(LaggingView) as lagging:
        await matches.play(stored.id, BOB.id, "a1", 0, 500)
    assert lagging.value.current.match == stored.match
    assert (await matches.play(stored.id, BOB.id, "a1", 1, 500)).match.ply == 2


async def test_where_a_board_stands_is_known_before_it_is_written(
    matches: Matches, store: MatchStore
) -> None:
    """A board's message is known at once, written down later, and then read from the database."""
    stored = await start(matches)
    matches.boards.shown(stored, 500)
    assert (await matches.get(stored.id)).board_id == 500
    unwritten = await store.load(stored.id)
    assert unwritten is not None
    assert unwritten.board_id is None
    await matches.boards.write_down()
    assert (await store.load(stored.id)) == replace(stored, board_id=500)
    assert (await matches.live(HERE.channel_id)).board_id == 500


# --- the computer


@pytest.mark.parametrize("level", Level)
async def test_the_computer_answers(matches: Matches, level: Level) -> None:
    """At every level the computer has moved when a member's turn comes back, also at the start."""
    stored = await start(matches, [(Computer(level), None), (ALICE, "Alice")])
    assert stored.match.ply == 1
    free = str(stored.match.position.legal_moves()[0])
    played = await matches.play(stored.id, ALICE.id, free, 1)
    assert played.match.ply == 3
    assert await matches.get(stored.id) == played


async def test_a_failing_computer_costs_no_move(
    matches: Matches, store: MatchStore, engine: StumblingEngine
) -> None:
    """When the computer fails, the member's move is kept, the match waits, and is taken up."""
    stored = await start(matches, SOLO)
    engine.stumbles = 1
    kept = await matches.play(stored.id, ALICE.id, "b2", 0)
    assert kept.match.moves == (Move.parse("b2"),)
    assert await matches.get(stored.id) == kept
    assert await store.due() == [stored.id]
    with pytest.raises(Refusal):
        await matches.play(stored.id, ALICE.id, "a1", 1)
    resumed = await matches.resume(kept)
    assert resumed.match.ply == 2
    assert await matches.get(stored.id) == resumed
    assert await store.due() == []
    assert await matches.resume(resumed) is resumed


async def test_a_computer_that_keeps_failing_keeps_the_match(
    matches: Matches, store: MatchStore, engine: StumblingEngine
) -> None:
    """Taking a match up in vain changes nothing, and the member can still take back or resign."""
    engine.stumbles = 3
    stored = await start(matches, ROBOT_FIRST)
    assert stored.match.ply == 0
    assert await matches.resume(stored) is stored
    assert await store.due() == [stored.id]
    over = await matches.resign(stored, ALICE.id)
    assert over.match.outcome is not None
    assert await store.due() == []


async def test_resuming_twice_answers_once(matches: Matches, engine: StumblingEngine) -> None:
    """Two that take up a match at the same moment make one move of the computer's; both see it."""
    engine.stumbles = 1
    stored = await matches.play((await start(matches, SOLO)).id, ALICE.id, "b2", 0)
    first, second = await both(matches.resume(stored), matches.resume(stored))
    assert first == second == await matches.get(stored.id)
    assert first.match.ply == 2


# --- starting, series, rematch


async def test_a_busy_channel_is_refused_with_its_board(matches: Matches) -> None:
    """A second match in a channel is refused, and the refusal knows the board being played."""
    stored = await start(matches)
    matches.boards.shown(stored, 500)
    with pytest.raises(Refusal, match="channel_busy") as caught:
        await start(matches, SOLO)
    assert caught.value.board == replace(stored, board_id=500)


async def test_two_starts_at_once_begin_one_match(matches: Matches) -> None:
    """Of two members who start in a channel at the same moment, one is refused properly."""
    first, second = await both(start(matches), start(matches, SOLO))
    assert isinstance(second, Refusal)
    assert second.board == first


async def test_options_that_make_no_board_start_nothing(matches: Matches) -> None:
    """An OptionError comes through, and the channel stays free."""
    with pytest.raises(OptionError):
        await start(matches, MEMBERS, {"line": 4})
    await matches.check_free(HERE.channel_id)


@pytest.mark.parametrize(
    ("seating", "options", "goes_on"),
    [
        (MEMBERS, {}, True),
        (MEMBERS[::-1], {}, True),
        (MEMBERS, {"rows": 3, "columns": 3}, True),
        (MEMBERS, {"rows": 4}, False),
        (MEMBERS, {"variant": "misere"}, False),
        ([(ALICE, "Alice"), (CAROL, "Carol")], {}, False),
        (SOLO, {}, False),
    ],
    ids=["same", "seats changed", "same, spelt out", "size", "variant", "player", "computer"],
)
async def test_a_series_is_players_and_settings(
    matches: Matches, seating: Seating, options: Options, goes_on: bool
) -> None:
    """The next match of a channel goes on with the series if players and settings are the same."""
    first = await matches.resign(await start(matches), ALICE.id)
    second = await start(matches, seating, options)
    assert second.series_id == (first.series_id if goes_on else second.id)
    assert await matches.get(second.id) == second


async def test_a_series_is_of_one_channel(matches: Matches) -> None:
    """The same players elsewhere begin another series; another match in between ends it."""
    first = await matches.resign(await start(matches), ALICE.id)
    game = GAMES["tictactoe"]
    elsewhere = await matches.start(Place(10, 21), game, {}, MEMBERS)
    assert elsewhere.series_id == elsewhere.id
    await matches.resign(await start(matches, SOLO), ALICE.id)
    assert (await start(matches)).series_id not in {first.series_id, elsewhere.series_id}


async def test_a_rematch_changes_seats_and_keeps_the_series(
    matches: Matches, scores: ScoreStore
) -> None:
    """Seats go round with their names, settings stay, and the series counts both matches."""
    first = await start(matches, MEMBERS, {"rows": 4, "line": 3})
    over = await matches.resign(first, ALICE.id)
    second = await matches.rematch(over)
    assert second.match.players == (BOB, ALICE)
    assert second.names == ("Bob", "Alice")
    assert second.match.options == first.match.options
    assert second.series_id == first.id
    third = await matches.rematch(await matches.resign(second, BOB.id))
    assert third.match.players == (ALICE, BOB)
    assert third.series_id == first.id
    assert await scores.series(first.id) == {ALICE: 1, BOB: 1}


async def test_a_rematch_against_the_computer_lets_it_begin(matches: Matches) -> None:
    """Where the computer has moved to the first seat, it has made its move."""
    over = await matches.resign(await start(matches, SOLO), ALICE.id)
    again = await matches.rematch(over)
    assert again.match.players == (ROBOT, ALICE)
    assert again.match.ply == 1
    assert again.series_id == over.series_id


# --- taking back, drawing, resigning


async def test_undo_against_the_computer(matches: Matches, offers: Offers) -> None:
    """Taking back happens at once, with the computer's answer, also after the end."""
    stored = await start(matches, SOLO)
    played = await matches.play(stored.id, ALICE.id, "b2", 0)
    undone = await offers.make(played, OfferKind.UNDO, ALICE.id)
    assert undone == stored == await matches.get(stored.id)
    over = await matches.resign(await matches.play(stored.id, ALICE.id, "a1", 0), ALICE.id)
    undone = await offers.make(over, OfferKind.UNDO, ALICE.id)
    assert undone == stored


async def test_undo_in_hot_seat(matches: Matches, offers: Offers) -> None:
    """One member at both seats takes back one ply, at once."""
    stored = await play_all(matches, await start(matches, HOT_SEAT), "b2 a1")
    undone = await offers.make(stored, OfferKind.UNDO, ALICE.id)
    assert undone is not None
    assert undone.match.moves == (Move.parse("b2"),)


async def test_undo_into_a_busy_channel(matches: Matches) -> None:
    """An ended match doesn't come back beside another; the refusal shows the other's board."""
    over = await play_all(matches, await start(matches, HOT_SEAT), X_WINS)
    other = await start(matches)
    with pytest.raises(Refusal, match="channel_busy") as caught:
        await matches.undo(over, ALICE)
    assert caught.value.board == other
    assert await matches.get(over.id) == over


async def test_nothing_to_undo(matches: Matches, offers: Offers) -> None:
    """Before one's own first move there is nothing to take back."""
    stored = await play_all(matches, await start(matches), "b2")
    with pytest.raises(Refusal) as caught:
        await offers.make(stored, OfferKind.UNDO, BOB.id)
    assert type(caught.value.reason) is NothingToUndo


async def test_a_change_on_an_old_state_is_too_late(matches: Matches) -> None:
    """Resigning on what was read before another's move changes nothing and says so."""
    stored = await start(matches)
    played = await matches.play(stored.id, ALICE.id, "b2", 0)
    with pytest.raises(Refusal, match="too_late") as caught:
        await matches.resign(stored, ALICE.id)
    assert caught.value.board == played == await matches.get(stored.id)


@pytest.mark.parametrize("kind", OfferKind)
async def test_an_offer_needs_the_other(matches: Matches, offers: Offers, kind: OfferKind) -> None:
    """An offer alone does nothing, and can't be repeated; once agreed to, it happens."""
    for by_button in (True, False):
        stored = await play_all(matches, await start(matches), "b2 a1 c3")
        if kind is OfferKind.REMATCH:
            stored = await matches.resign(stored, ALICE.id)
        assert await offers.make(stored, kind, ALICE.id) is None
        with pytest.raises(Refusal, match="offer_stands"):
            await offers.make(stored, kind, ALICE.id)
        assert await matches.get(stored.id) == stored
        made = await (
            offers.agree(stored, kind, 3, 0, BOB.id)
            if by_button
            else offers.make(stored, kind, BOB.id)
        )
        assert made is not None
        assert await matches.get(made.id) == made
        _check_carried_out(stored, made, kind)
        if made.match.outcome is None:
            await matches.resign(made, BOB.id)


def _check_carried_out(stored: StoredMatch, made: StoredMatch, kind: OfferKind) -> None:
    if kind is OfferKind.DRAW:
        assert made.match.outcome is not None
        assert made.match.outcome.termination is Termination.AGREEMENT
    elif kind is OfferKind.UNDO:
        assert made.match.moves == stored.match.moves[:2]
    else:
        assert made.id != stored.id
        assert made.match.players == stored.match.players[::-1]
        assert made.series_id == stored.series_id


async def test_an_undo_takes_back_the_askers_move(matches: Matches, offers: Offers) -> None:
    """Whoever asked first goes back to their own last decision, whoever agreed."""
    stored = await play_all(matches, await start(matches), "b2 a1 c3")
    await offers.make(stored, OfferKind.UNDO, BOB.id)
    undone = await offers.make(stored, OfferKind.UNDO, ALICE.id)
    assert undone is not None
    assert undone.match.moves == (Move.parse("b2"),)


async def test_an_old_offer_doesnt_stand(matches: Matches, offers: Offers) -> None:
    """Once a move is made, an offer from before can't be agreed to, nor merged with."""
    stored = await play_all(matches, await start(matches), "b2 a1")
    await offers.make(stored, OfferKind.DRAW, ALICE.id)
    moved = await play_all(matches, stored, "c3")
    for ply in (2, 3):
        with pytest.raises(Refusal, match="offer_gone"):
            await offers.agree(moved, OfferKind.DRAW, ply, 0, BOB.id)
    assert await offers.make(moved, OfferKind.DRAW, BOB.id) is None
    assert await matches.get(stored.id) == moved


async def test_a_declined_offer_is_gone(matches: Matches, offers: Offers) -> None:
    """After a refusal the offer can't be agreed to; only others than the asker answer it."""
    stored = await start(matches)
    await offers.make(stored, OfferKind.DRAW, ALICE.id)
    with pytest.raises(Refusal, match="own_offer"):
        await offers.agree(stored, OfferKind.DRAW, 0, 0, ALICE.id)
    with pytest.raises(Refusal) as caught:
        await offers.decline(stored, OfferKind.DRAW, 0, 0, CAROL.id)
    assert type(caught.value.reason) is NotAPlayer
    await offers.decline(stored, OfferKind.DRAW, 0, 0, BOB.id)
    with pytest.raises(Refusal, match="offer_gone"):
        await offers.agree(stored, OfferKind.DRAW, 0, 0, BOB.id)


async def test_two_who_offer_at_once_agree_once(matches: Matches, offers: Offers) -> None:
    """Two that ask for a rematch at the same moment get one match, and neither waits for ever."""
    over = await matches.resign(await start(matches), ALICE.id)

    async def ask(member: Member) -> StoredMatch | None:
        async with matches.turn(HERE.channel_id):
            return await offers.make(over, OfferKind.REMATCH, member.id)

    made = [each for each in await both(ask(ALICE), ask(BOB)) if each is not None]
    assert made == [await matches.live(HERE.channel_id)]


async def test_offers_that_make_no_sense(matches: Matches, offers: Offers) -> None:
    """No draw with the computer or after the end, no undo of a result, no rematch before it."""
    solo = await start(matches, SOLO)
    with pytest.raises(Refusal, match="computer_plays_on"):
        await offers.make(solo, OfferKind.DRAW, ALICE.id)
    with pytest.raises(Refusal, match="not_over"):
        await offers.make(solo, OfferKind.REMATCH, ALICE.id)
    with pytest.raises(Refusal) as caught:
        await offers.make(solo, OfferKind.REMATCH, BOB.id)
    assert type(caught.value.reason) is NotAPlayer
    await matches.resign(solo, ALICE.id)
    over = await play_all(matches, await start(matches), X_WINS)
    with pytest.raises(Refusal, match="result_stands"):
        await offers.make(over, OfferKind.UNDO, BOB.id)
    with pytest.raises(Refusal) as caught:
        await offers.make(over, OfferKind.DRAW, BOB.id)
    assert type(caught.value.reason) is MatchOver
