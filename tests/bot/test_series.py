"""How matches begin, and which series they go on with."""

from dataclasses import replace

import pytest

from bot.matches.model import OfferKind, Place, StoredMatch
from bot.matches.service import Matches
from bot.matches.start import Beginnings, Seating
from bot.offers.service import Offers
from bot.refusals import Refusal
from core.engine.levels import Level
from core.errors import (
    OptionError,
)
from core.games import GAMES
from core.options import Options
from core.players import Computer
from tests.bot.playing import HERE, X_WINS, both
from tests.bot.serving import HOT_SEAT, MEMBERS, SOLO, play_all, start
from tests.core.boards import ALICE, BOB, CAROL, ROBOT


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
    elsewhere = await Beginnings(matches).start(Place(10, 21), game, {}, MEMBERS)
    assert elsewhere.series_id == elsewhere.id
    await matches.resign(await start(matches, SOLO), ALICE.id)
    assert (await start(matches)).series_id not in {first.series_id, elsewhere.series_id}


async def test_a_rematch_changes_seats_and_keeps_the_series(matches: Matches) -> None:
    """Seats go round with their names, settings stay, and the series counts both matches."""
    first = await start(matches, MEMBERS, {"rows": 4, "line": 3})
    over = await matches.resign(first, ALICE.id)
    second = await Beginnings(matches).rematch(over)
    assert second.match.players == (BOB, ALICE)
    assert second.names == ("Bob", "Alice")
    assert second.match.options == first.match.options
    assert second.series_id == first.id
    third = await Beginnings(matches).rematch(await matches.resign(second, BOB.id))
    assert third.match.players == (ALICE, BOB)
    assert third.series_id == first.id
    assert list(third.brought) == [1, 1]


async def test_a_rematch_against_the_computer_lets_it_begin(matches: Matches) -> None:
    """Where the computer has moved to the first seat, it has made its move."""
    over = await matches.resign(await start(matches, SOLO), ALICE.id)
    again = await Beginnings(matches).rematch(over)
    assert again.match.players == (ROBOT, ALICE)
    assert again.match.ply == 1
    assert again.series_id == over.series_id


# --- its score


def score(stored: StoredMatch) -> list[float]:
    """Return the points of each seat's player, as the next match will find them."""
    return [stored.series.points[player] for player in stored.match.players]


async def test_the_series_is_scored_by_player(matches: Matches) -> None:
    """A win is a point and a draw a half, whatever the seat; what is being played counts nothing.

    Each match has the points that its players brought along, as it is read back as well.
    """
    stored = await start(matches)
    seen = [stored.brought]
    for end in ("alice resigns", "agreed", "bob resigns", "bob resigns"):
        over = (
            await matches.agree_draw(stored)
            if end == "agreed"
            else await matches.resign(stored, (ALICE if "alice" in end else BOB).id)
        )
        assert await matches.get(over.id) == over
        stored = await Beginnings(matches).rematch(over)
        assert await matches.get(stored.id) == stored
        assert stored.series.points == over.series.points
        seen.append(stored.brought)
    assert seen == [(0, 0), (1, 0), (0.5, 1.5), (1.5, 1.5), (2.5, 1.5)]


async def test_a_new_series_stands_at_nil(matches: Matches) -> None:
    """Other settings begin anew, and so do the old ones after them."""
    first = await matches.resign(await start(matches), ALICE.id)
    assert score(first) == [0, 1]
    other = await start(matches, MEMBERS, {"rows": 4})
    assert list(other.brought) == [0, 0]
    await matches.resign(other, BOB.id)
    again = await start(matches)
    assert list(again.brought) == [0, 0]
    assert again.series.id == again.id


async def test_a_series_against_the_computer_is_scored(matches: Matches) -> None:
    """The computer at its level is a player like any other; another level is another player."""
    over = await matches.resign(await start(matches, SOLO), ALICE.id)
    assert score(over) == [0, 1]
    again = await Beginnings(matches).rematch(over)
    assert again.match.players == (ROBOT, ALICE)
    assert list(again.brought) == [1, 0]
    await matches.resign(again, ALICE.id)
    easier = await start(matches, [(ALICE, "Alice"), (Computer(Level.EASY), None)])
    assert list(easier.brought) == [0, 0]


async def test_a_series_of_one_member_at_both_seats(matches: Matches) -> None:
    """What a member wins against themselves is one score, not two."""
    over = await matches.resign(await start(matches, HOT_SEAT), ALICE.id)
    assert score(over) == [1, 1]
    again = await Beginnings(matches).rematch(over)
    assert list(again.brought) == [1, 1]
    assert score(await matches.resign(again, ALICE.id)) == [2, 2]


async def test_an_undone_end_leaves_no_wrong_score(matches: Matches, offers: Offers) -> None:
    """A match that goes on after its end counts once, as it ends at last."""
    over = await matches.resign(await start(matches, HOT_SEAT), ALICE.id)
    played = await Beginnings(matches).rematch(over)
    played = await play_all(matches, played, X_WINS)
    assert score(played) == [2, 2]
    undone = await offers.make(played, OfferKind.UNDO, ALICE.id)
    assert undone is not None
    assert score(undone) == [1, 1]
    drawn = await matches.agree_draw(undone)
    assert score(drawn) == [2, 2]  # a half at each seat
