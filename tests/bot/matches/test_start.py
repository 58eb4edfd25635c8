"""Starting matches, and continuing series."""

import pytest

from bot.identity import ChannelId, Place
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.refusals import Refusal
from core.games import GAMES
from core.match import Match
from core.options import Options
from tests.bot.playing import ALICE_ID, HERE, ON_SQLITE, both
from tests.bot.serving import HOT_SEAT, MEMBERS, SOLO, start
from tests.core.boards import ALICE, BOB, CAROL
from tests.services import Seating, new_match


async def test_two_starts_at_once_start_one_match(starter: MatchStarter) -> None:
    """Of two simultaneous starts in a channel, one is refused with the usual error.

    The refusal isn't chained to the database's error, which would then be logged with it.
    """
    first, second = await both(start(starter), start(starter, SOLO))
    assert isinstance(second, Refusal)
    assert second.board == first
    assert second.__context__ is None


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
@ON_SQLITE
async def test_a_series_needs_the_same_players_and_settings(
    starter: MatchStarter, matches: MatchService, seating: Seating, options: Options, goes_on: bool
) -> None:
    """The channel's next match continues the series if players and settings are the same."""
    first = await matches.resign(await start(starter), ALICE_ID)
    second = await start(starter, seating, options)
    assert second.series_id == (first.series_id if goes_on else second.id)
    assert await matches.get(second.id) == second


async def test_a_series_belongs_to_one_channel(
    starter: MatchStarter, matches: MatchService
) -> None:
    """Elsewhere the same players start another series; another match in between ends it."""
    first = await matches.resign(await start(starter), ALICE_ID)
    game = GAMES["tictactoe"]
    place = Place(HERE.server_id, ChannelId(21))
    elsewhere = await starter.start(new_match(place, game, MEMBERS))
    assert elsewhere.series_id == elsewhere.id
    await matches.resign(await start(starter, SOLO), ALICE_ID)
    assert (await start(starter)).series_id not in {first.series_id, elsewhere.series_id}


# --- the score of a series


def score(stored: StoredMatch) -> list[float]:
    """Return the score of each seat's player before the next match."""
    return [stored.series.points[player] for player in stored.match.players]


async def test_a_series_against_oneself(starter: MatchStarter, matches: MatchService) -> None:
    """A member's points from both seats form one score, not two."""
    over = await matches.resign(await start(starter, HOT_SEAT), ALICE_ID)
    assert score(over) == [1, 1]
    again = await starter.rematch(over)
    assert list(again.brought) == [1, 1]
    assert score(await matches.resign(again, ALICE_ID)) == [2, 2]


async def test_a_rematch_goes_on_with_its_own_series(
    starter: MatchStarter, matches: MatchService
) -> None:
    """It does even if the same players have begun another series in the channel since.

    Only the match before it counts as played again.
    """
    first = await matches.resign(await start(starter), ALICE_ID)
    await matches.resign(await start(starter, SOLO), ALICE_ID)
    other = await matches.resign(await start(starter), ALICE_ID)
    assert other.series_id == other.id
    again = await starter.rematch(first)
    assert again.series_id == first.id
    read = [await matches.get(one.id) for one in (first, other, again)]
    assert [one.played_again for one in read] == [True, False, False]


async def test_every_start_by_lot_is_drawn(starter: MatchStarter, matches: MatchService) -> None:
    """A rematch doesn't have the start of the match before it."""
    seating, starts = [(ALICE, "Alice"), (BOB, "Bob"), (CAROL, "Carol")], set[str]()
    stored = await starter.start(new_match(HERE, GAMES["tribolo"], seating))
    for _ in range(3):
        stored = await starter.rematch(await matches.change(stored, Match.call_off))
        starts.add(stored.match.initial.notation)
    assert len(starts) > 1
