"""Series: the running score of matches between the same players."""

import discord
import pytest
from simcord.actors import MemberActor

from tests.discord.world import (
    ALICE_WINS,
    DRAWN,
    LOOKING,
    World,
    answer_to,
    components,
    labels,
    refused,
    text,
)


async def rematch_and_resign(world: World, loser: MemberActor) -> str:
    """Play a rematch that `loser` resigns; return the final board."""
    await world.rematch()
    await world.resign(loser)
    return text(world.last)


async def test_the_score_continues(world: World) -> None:
    """Points belong to players, not to seats; the first player is named first.

    After the first match the score would only repeat the result.
    """
    assert "Series" not in text(await world.played())
    assert "Series: **bob** 0 – **alice** 2" in await rematch_and_resign(world, world.bob)
    assert "Series: **alice** 2 – **bob** 1" in await rematch_and_resign(world, world.alice)


async def test_draws_count_a_half(world: World) -> None:
    """A full board and an agreed draw give half a point each."""
    final = await world.played(DRAWN)
    assert "A draw: the board is full" in text(final)
    await world.rematch()
    assert "Series: **bob** ½ – **alice** ½" in text(world.last)
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "draw")
    assert "Series: **bob** 1 – **alice** 1" in text(world.last)


async def test_a_series_is_one_of_the_same_settings(world: World) -> None:
    """A new challenge with the same settings continues it; a series' first match has no score."""
    await world.challenge()
    assert "Series" not in text(world.last)
    await world.play(ALICE_WINS)
    await world.challenge()
    assert "Series: **alice** 1 – **bob** 0" in text(world.last)
    await world.play(DRAWN)
    assert "Series: **alice** 1½ – **bob** ½" in text(world.last)
    await world.challenge(rows=4)
    assert "Series" not in text(world.last)
    await world.play("a1 b1 a2 b2 a3 b3 a4")
    await world.challenge(rows=4)
    assert "Series: **alice** 1 – **bob** 0" in text(world.last)


@pytest.mark.parametrize(("what", "lost"), [("Rematch", 2), ("Undo", 1)])
async def test_a_series_that_has_gone_on(world: World, what: str, lost: int) -> None:
    """Only its last match is played again or resumed, whatever came after the series.

    The board of the first has lost its buttons for that, but a press may have been on its way.
    """
    finals = list[discord.Message]()
    for rows, ends in ((4, 2), (3, 1)):
        for _ in range(ends):
            await world.alice.slash(world.channel, "play tictactoe", rows=rows)
            await world.press(world.alice, "b2")
            await world.resign(world.alice)
            finals.append(world.last)
    first, last, _ = finals
    (custom_id,) = (c["custom_id"] for c in components(first) if c.get("label") == what)
    late = await world.late(world.alice, first, custom_id)
    assert "already been played again" in refused(late)
    assert labels(world.now(first)) == LOOKING
    await world.alice.click(last, label=what)
    assert f"**Computer (medium)** {lost}" in text(world.last)


async def test_a_rematch_asked_for_once_more_as_it_begins(world: World) -> None:
    """The member reads so; there is no way to end the match that they wanted."""
    final = await world.played()
    (again,) = (c["custom_id"] for c in components(final) if c.get("label") == "Rematch")
    await world.alice.click(final, label="Rematch")
    await world.bob.click(world.last, label="Agree")
    late = answer_to(await world.late(world.alice, final, again))
    assert "already been played again" in text(late)
    assert f"/{world.last.id}" in text(late)
    assert not labels(late)


async def test_a_match_left_to_computers_brings_no_points(world: World) -> None:
    """If all members leave a match of three, nobody has won, and there is no score.

    Nor do the computers share a first place, whatever squares they have.
    """
    await world.alice.slash(world.channel, "play tribolo", level="easy", size="small")
    assert "nobody would win" in await world.resign(world.alice)
    assert "resigned. Only computers remain, so nobody wins" in text(world.last)
    assert "Series" not in text(world.last) and "#1" not in text(world.last)
