"""Matches between members that were put away: without a clock, after a month without a move."""

import pytest

from tests.conftest import Calendar
from tests.discord.matches.passing import DAY, HOUR, pass_time
from tests.discord.offers.agreeing import ask
from tests.discord.world import World, components, labels, newest, notified, refused, text

MONTH = 30 * DAY + HOUR


async def put_away(world: World, calendar: Calendar) -> None:
    """Let a month pass, after which a match without a clock is put away."""
    await pass_time(world, calendar, MONTH)


async def rematch(world: World) -> None:
    """Let alice and bob play the channel's last match again."""
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "rematch")


# --- offers


@pytest.mark.parametrize("here", [True, False], ids=["here", "elsewhere"])
async def test_an_offer_ends_when_the_match_is_put_away(
    here: bool, world: World, calendar: Calendar
) -> None:
    """Its question loses its buttons, and the offer can be made again once the match is back."""
    await world.challenge(clock=0)
    await world.play("b2 a1")
    question = await ask(world, world.alice, "Draw", by_button=True)
    await put_away(world, calendar)
    assert "no longer stands" in text(world.now(question)) and not labels(world.now(question))
    place = world.channel if here else world.guild.create_text_channel("other")
    await world.alice.slash(place, "board")
    await world.alice.click(newest(place), label="Draw")
    assert notified(newest(place), world.env) == [world.bob.id]
    await world.bob.click(newest(place), label="Agree")
    assert "A draw by agreement" in text(newest(place))


async def test_a_question_in_the_channel_that_the_match_has_left(
    world: World, calendar: Calendar
) -> None:
    """If it couldn't be changed when the match was put away, it loses its buttons at a press."""
    await world.challenge(clock=0)
    question = await ask(world, world.alice, "Draw", by_button=True)
    for path in ("/webhooks/*/*/messages/", "/channels/*/messages/"):
        world.env.inject_error("PATCH", f"{path}{question.id}", status=403, code=50013)
    await put_away(world, calendar)
    await world.alice.slash(world.guild.create_text_channel("other"), "board")
    assert labels(world.now(question)) == ["Agree", "Decline"]
    left = await world.bob.click(world.now(question), label="Agree")
    assert "may have moved to another channel" in refused(left)
    assert "no longer stands" in text(world.now(question)) and not labels(world.now(question))


# --- series


async def test_a_new_match_while_the_last_of_a_series_is_put_away(
    world: World, calendar: Calendar
) -> None:
    """It begins a series of its own, so no result of either is lost."""
    await world.played(clock=0)
    await rematch(world)
    await put_away(world, calendar)
    begun = await world.challenge(clock=0)
    assert "Series:" not in text(begun)
    await world.resign(world.alice)
    calendar.ahead += HOUR
    await world.alice.slash(world.channel, "board", match=2)
    await world.resign(world.alice)
    assert "Series: **bob** 1 – **alice** 1" in text(world.last) and "Rematch" in labels(world.last)
    await rematch(world)
    assert "Series: **alice** 1 – **bob** 1" in text(world.last)


async def test_a_new_match_where_the_series_has_gone_on_elsewhere(
    world: World, calendar: Calendar
) -> None:
    """It doesn't continue the series from a match that was played again."""
    await world.played(clock=0)
    await rematch(world)
    await put_away(world, calendar)
    other = world.guild.create_text_channel("other")
    await world.alice.slash(other, "board")
    assert "Series: **bob** 0 – **alice** 1" in text(newest(other))
    assert "Series:" not in text(await world.challenge(clock=0))


@pytest.mark.parametrize("busy", [True, False])
async def test_a_rematch_of_a_match_whose_rematch_is_put_away(
    busy: bool, world: World, calendar: Calendar
) -> None:
    """The refusal says so, and how to go on with that one."""
    final = await world.played(clock=0)
    (again,) = (c["custom_id"] for c in components(final) if c.get("label") == "Rematch")
    await rematch(world)
    await put_away(world, calendar)
    if busy:
        await world.carol.slash(world.channel, "play tictactoe")
    pressed = refused(await world.late(world.alice, final, again))
    assert "The rematch of this match is put away.\nAny of its players" in pressed
    assert "`/rematch`" not in pressed
    by_command = refused(await world.alice.slash(world.channel, "rematch"))
    assert "put away" in by_command and "`/mymatches`" in by_command
