"""Matches between members that were put away: without a clock, after a month without a move."""

import pytest

from tests.conftest import Calendar
from tests.discord.matches.passing import DAY, HOUR, pass_time
from tests.discord.offers.agreeing import ask
from tests.discord.world import World, labels, newest, notified, refused, text

MONTH = 30 * DAY + HOUR


async def put_away(world: World, calendar: Calendar) -> None:
    """Let a month pass, after which a match without a clock is put away."""
    await pass_time(world, calendar, MONTH)


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
