"""Starting matches, and continuing series."""

from dataclasses import replace

import pytest

from bot.identity import ChannelId, MessageId, Place
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.offers.service import OfferService
from bot.refusals import Refusal
from core.engine.levels import Level
from core.errors import OptionError
from core.games import GAMES
from core.match import Match
from core.options import Options
from core.players import Computer
from tests.bot.playing import ALICE_ID, BOB_ID, HERE, X_WINS, both
from tests.bot.serving import HOT_SEAT, MEMBERS, SOLO, play_all, start
from tests.core.boards import ALICE, BOB, CAROL, ROBOT
from tests.services import Seating, new_match


async def test_a_busy_channel_is_refused_with_its_board(matches: MatchService) -> None:
    """A second match in a channel is refused, and the error has the current board."""
    stored = await start(matches)
    matches.store.board_ids.note(stored, MessageId(500))
    with pytest.raises(Refusal, match="channel_busy") as caught:
        await start(matches, SOLO)
    assert caught.value.board == replace(stored, board_id=MessageId(500))


async def test_two_starts_at_once_start_one_match(matches: MatchService) -> None:
    """Of two simultaneous starts in a channel, one is refused with the usual error.

    The database's error isn't behind it: it would be in the log if the refusal can't be told.
    """
    first, second = await both(start(matches), start(matches, SOLO))
    assert isinstance(second, Refusal)
    assert second.board == first
    assert second.__context__ is None


async def test_invalid_options_start_nothing(matches: MatchService) -> None:
    """OptionError is raised, and the channel stays free."""
    with pytest.raises(OptionError):
        await start(matches, MEMBERS, {"rows": 3, "line": 4})
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
async def test_a_series_needs_the_same_players_and_settings(
    matches: MatchService, seating: Seating, options: Options, goes_on: bool
) -> None:
    """The channel's next match continues the series if players and settings are the same."""
    first = await matches.resign(await start(matches), ALICE_ID)
    second = await start(matches, seating, options)
    assert second.series_id == (first.series_id if goes_on else second.id)
    assert await matches.get(second.id) == second


async def test_a_series_belongs_to_one_channel(matches: MatchService) -> None:
    """Elsewhere the same players start another series; another match in between ends it."""
    first = await matches.resign(await start(matches), ALICE_ID)
    game = GAMES["tictactoe"]
    place = Place(HERE.server_id, ChannelId(21))
    elsewhere = await MatchStarter(matches).start(new_match(place, game, MEMBERS))
    assert elsewhere.series_id == elsewhere.id
    await matches.resign(await start(matches, SOLO), ALICE_ID)
    assert (await start(matches)).series_id not in {first.series_id, elsewhere.series_id}


async def test_a_rematch_rotates_seats_and_keeps_the_series(matches: MatchService) -> None:
    """Names rotate with the seats, settings stay, and the series counts both matches."""
    first = await start(matches, MEMBERS, {"rows": 4, "line": 3})
    over = await matches.resign(first, ALICE_ID)
    second = await MatchStarter(matches).rematch(over)
    assert second.match.players == (BOB, ALICE)
    assert second.names == ("Bob", "Alice")
    assert second.match.options == first.match.options
    assert second.series_id == first.id
    third = await MatchStarter(matches).rematch(await matches.resign(second, BOB_ID))
    assert third.match.players == (ALICE, BOB)
    assert third.series_id == first.id
    assert list(third.brought) == [1, 1]


# --- the score of a series


def score(stored: StoredMatch) -> list[float]:
    """Return the score of each seat's player before the next match."""
    return [stored.series.points[player] for player in stored.match.players]


async def test_the_series_is_scored_by_player(matches: MatchService) -> None:
    """A win is one point and a draw half, whatever the seat; live matches don't count.

    Each match stores its players' scores before it.
    """
    stored = await start(matches)
    seen = [stored.brought]
    for end in ("alice resigns", "agreed", "bob resigns", "bob resigns"):
        over = (
            await matches.change(stored, Match.agree_draw)
            if end == "agreed"
            else await matches.resign(stored, ALICE_ID if "alice" in end else BOB_ID)
        )
        assert await matches.get(over.id) == over
        stored = await MatchStarter(matches).rematch(over)
        assert await matches.get(stored.id) == stored
        assert stored.series.points == over.series.points
        seen.append(stored.brought)
    assert seen == [(0, 0), (1, 0), (0.5, 1.5), (1.5, 1.5), (2.5, 1.5)]


async def test_a_new_series_starts_at_zero(matches: MatchService) -> None:
    """Other settings start a new series, and so does a return to the old ones."""
    first = await matches.resign(await start(matches), ALICE_ID)
    assert score(first) == [0, 1]
    other = await start(matches, MEMBERS, {"rows": 4})
    assert list(other.brought) == [0, 0]
    await matches.resign(other, BOB_ID)
    again = await start(matches)
    assert list(again.brought) == [0, 0]
    assert again.series.id == again.id


async def test_a_series_against_the_computer_is_scored(matches: MatchService) -> None:
    """A computer at one level is one player; another level is another player.

    Where a rematch gives it the first seat, it has moved.
    """
    over = await matches.resign(await start(matches, SOLO), ALICE_ID)
    assert score(over) == [0, 1]
    again = await MatchStarter(matches).rematch(over)
    assert again.match.players == (ROBOT, ALICE)
    assert again.match.ply == 1
    assert again.series_id == over.series_id
    assert list(again.brought) == [1, 0]
    await matches.resign(again, ALICE_ID)
    easier = await start(matches, [(ALICE, "Alice"), (Computer(Level.EASY), None)])
    assert list(easier.brought) == [0, 0]


async def test_a_series_against_oneself(matches: MatchService) -> None:
    """A member's points from both seats form one score, not two."""
    over = await matches.resign(await start(matches, HOT_SEAT), ALICE_ID)
    assert score(over) == [1, 1]
    again = await MatchStarter(matches).rematch(over)
    assert list(again.brought) == [1, 1]
    assert score(await matches.resign(again, ALICE_ID)) == [2, 2]


async def test_a_rematch_goes_on_with_its_own_series(matches: MatchService) -> None:
    """Also if the same players have begun another one in the channel since."""
    first = await matches.resign(await start(matches), ALICE_ID)
    await matches.resign(await start(matches, SOLO), ALICE_ID)
    other = await matches.resign(await start(matches), ALICE_ID)
    assert other.series_id == other.id
    assert (await MatchStarter(matches).rematch(first)).series_id == first.id


async def test_every_start_by_lot_is_drawn(matches: MatchService) -> None:
    """A rematch doesn't begin where the match before it did."""
    seating, starts = [(ALICE, "Alice"), (BOB, "Bob"), (CAROL, "Carol")], set[str]()
    stored = await MatchStarter(matches).start(new_match(HERE, GAMES["tribolo"], seating))
    for _ in range(3):
        stored = await MatchStarter(matches).rematch(await matches.change(stored, Match.call_off))
        starts.add(stored.match.initial.notation)
    assert len(starts) > 1


async def test_an_undone_end_counts_once(matches: MatchService, offers: OfferService) -> None:
    """A match resumed after its end counts once, by its final outcome."""
    over = await matches.resign(await start(matches, HOT_SEAT), ALICE_ID)
    played = await MatchStarter(matches).rematch(over)
    played = await play_all(matches, played, X_WINS)
    assert score(played) == [2, 2]
    undone = await offers.make(played, OfferKind.UNDO, ALICE_ID, played.place)
    assert undone is not None
    assert score(undone) == [1, 1]
    drawn = await matches.change(undone, Match.agree_draw)
    assert score(drawn) == [2, 2]  # half a point for each seat
