"""/mymatches: the matches that a member plays, and the challenges that wait for their answer."""

import pytest
from simcord.builders import ChannelHandle

from bot.identity import Context
from tests.discord.elsewhere import Elsewhere
from tests.discord.matches.three import three
from tests.discord.world import World, labels, refused, text

YOURS, OTHERS, ASKED = "**Your turn**", "**The others' turn**", "**Challenges that wait for you**"
NONE = "You aren't playing a match right now. Start one with `/play`."


async def begun(world: World, name: str, **options: object) -> ChannelHandle:
    """Let alice and bob begin a match in a new channel; alice moves first."""
    channel = world.guild.create_text_channel(name)
    await world.alice.slash(channel, "play tictactoe", against=world.bob, **options)
    assert channel.last_message is not None
    await world.bob.click(channel.last_message, label="Accept")
    return channel


async def listed(world: World, name: str = "alice") -> str:
    """Return what a member is told, which nobody else sees."""
    return refused(await getattr(world, name).slash(world.channel, "mymatches")).strip()


async def test_whose_turn_it_is_where(world: World) -> None:
    """One's own turns come first, each with its opponent, its time and a link to its board."""
    await world.challenge()
    await world.press(world.alice, "b2")
    other = await begun(world, "other", rows=4)
    assert other.last_message is not None
    told = await listed(world)
    mine, theirs = told.index(YOURS), told.index(OTHERS)
    assert mine < told.index("4×4") < theirs < told.index("3×3")
    assert told.count("❌ **alice** vs 🔵 **bob**.") == told.count("Time runs out") == 2
    for board in (other.last_message, world.last):
        assert (
            f"https://discord.com/channels/{world.guild.id}/{board.channel.id}/{board.id}" in told
        )
    of_bob = await listed(world, "bob")
    assert of_bob.index(YOURS) < of_bob.index("3×3") < of_bob.index(OTHERS) < of_bob.index("4×4")
    assert await listed(world, "carol") == NONE


async def test_the_most_urgent_comes_first(world: World) -> None:
    """Of one's turns, that whose time runs out first; those without a clock are the last."""
    await begun(world, "slow", rows=3, clock=259200)
    await begun(world, "endless", rows=4, clock=0)
    await begun(world, "quick", rows=5, clock=3600)
    told = await listed(world)
    assert told.index("5×5") < told.index("3×3") < told.index("4×4")
    assert told.count("Time runs out") == 2


async def test_only_matches_that_one_still_plays(world: World) -> None:
    """Finished, archived and called-off matches aren't listed, nor those that one has left."""
    over = await begun(world, "over")
    await world.resign(world.bob, over)
    idle = await begun(world, "idle", clock=0)
    await world.sql(f"UPDATE matches SET put_away_at = 1 WHERE channel_id = {idle.id}")
    await three(world)
    assert "Tribolo" in await listed(world)
    await world.resign(world.alice)
    assert await listed(world) == NONE
    assert "Tribolo" in await listed(world, "bob")


async def test_challenges_wait_for_an_answer(world: World) -> None:
    """They are listed for those who are asked, until they have answered."""
    await world.alice.slash(world.channel, "play nineholes", against=world.bob)
    told = await listed(world, "bob")
    assert ASKED in told and "• **alice**: Nine Holes" in told and "Open until" in told
    assert f"/{world.channel.id}/{world.last.id}" in told
    assert await listed(world) == NONE, "who has asked waits for nothing of their own"
    await world.bob.click(world.last, label="Decline")
    assert await listed(world, "bob") == NONE


async def test_an_expired_challenge_waits_for_nobody(world: World) -> None:
    """One whose time has run out isn't listed, even before its message says so."""
    await world.alice.slash(world.channel, "play nineholes", against=world.bob)
    await world.sql("UPDATE invitations SET expires_at = 1")
    assert await listed(world, "bob") == NONE


async def test_many_matches_have_pages(world: World) -> None:
    """Ten fit on a page, and the buttons turn to the others in place."""
    for number in range(11):
        channel = world.guild.create_text_channel(f"c{number}")
        await world.alice.slash(channel, "play tictactoe")
    first = (await world.alice.slash(world.channel, "mymatches")).response
    assert first is not None
    assert text(first).count("• ") == 10 and "1 of 2" in text(first)
    assert labels(first) == ["◀", "▶"]
    second = (await world.alice.click(first, label="▶")).response
    assert second is not None
    assert text(second).count("• ") == 1 and "2 of 2" in text(second)


async def test_an_unreadable_match_hides_no_other(world: World) -> None:
    """A match of a damaged row is left out."""
    broken = await begun(world, "broken")
    await world.challenge()
    await world.sql(f"UPDATE matches SET moves = 'z99' WHERE channel_id = {broken.id}")
    assert (await listed(world)).count("• ") == 1


async def test_all_places_in_a_direct_message(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server lists its own matches; a direct message with the bot lists those of all places."""
    await begun(world, "server", rows=4)
    Elsewhere(world, Context.BOT_DM).begin(monkeypatch)
    await world.alice.slash(world.channel, "play tictactoe", rows=5)
    told = await listed(world)
    assert "4×4" in told and "5×5" in told
