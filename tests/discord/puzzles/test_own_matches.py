"""Puzzles from a server's own matches, which are searched in the background."""

from tests.conftest import Calendar
from tests.discord.matches.passing import DAY, HOUR
from tests.discord.puzzles.solving import open_puzzle
from tests.discord.world import World, text

ROUND = 60
# After a1 O must take b2, and X wins by c1 alone later.
MATCH = "a1 c2 b2 c3 c1 a3 b1"


async def test_a_match_that_cannot_be_read(world: World, calendar: Calendar) -> None:
    """It is passed over, and the next match is searched."""
    for _ in range(2):
        await world.played(MATCH)
    await world.sql("UPDATE matches SET moves = 'nonsense' WHERE id = 1")
    await open_puzzle(world, world.alice)
    calendar.ahead += DAY + HOUR
    await world.env.advance_time(3 * ROUND)
    found = await world.sql("SELECT DISTINCT match_id FROM puzzles WHERE match_id IS NOT NULL")
    assert found == [(2,)]


async def test_own_matches_become_puzzles(world: World, calendar: Calendar) -> None:
    """A match is searched once, a day after its end; its puzzle is the next day's."""
    await world.played(MATCH)
    await open_puzzle(world, world.alice)
    calendar.ahead += 2 * HOUR
    await world.env.advance_time(2 * ROUND)
    own = "SELECT id FROM puzzles WHERE match_id IS NOT NULL"
    assert await world.sql(own) == [], "somebody may still take a move back"
    calendar.ahead += DAY
    await world.env.advance_time(2 * ROUND)
    found = await world.sql(own)
    assert 1 <= len(found) <= 2
    calendar.ahead += DAY
    shown = await open_puzzle(world, world.bob)
    assert "From a match here: alice vs bob" in text(shown)
    await world.env.advance_time(2 * ROUND)
    assert len(await world.sql(own)) == len(found)


async def test_the_puzzles_of_a_match(world: World, calendar: Calendar) -> None:
    """The last two are kept; one that begins on another's line counts with it, as 5 and 6 do."""
    moves = "c3 b1 a2 a3 b3 b2 a1 c2 c1"  # puzzles are after 1, 3, 5 and 6 of them
    await world.played(moves)
    positions = (await world.stored()).match.positions
    await open_puzzle(world, world.alice)
    calendar.ahead += DAY + HOUR
    await world.env.advance_time(2 * ROUND)
    found = await world.sql("SELECT start FROM puzzles WHERE match_id IS NOT NULL ORDER BY id")
    assert [start.split(" | ")[1] for (start,) in found] == [positions[n].notation for n in (3, 5)]
