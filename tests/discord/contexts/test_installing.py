"""A server on which only members had installed the bot gets it itself."""

import pytest

from tests.discord.contexts.test_matches import GUEST
from tests.discord.elsewhere import Elsewhere
from tests.discord.world import FINAL_UNDO, World, labels, refused, text

guest = pytest.mark.parametrize("elsewhere", [GUEST], indirect=True)


@guest
async def test_a_match_goes_on(world: World, elsewhere: Elsewhere) -> None:
    """Each press removes the board before, as the bot can now."""
    await world.challenge()
    await world.press(world.alice, "b2")
    elsewhere.install()
    elsewhere.end_tokens()
    for who, square in ((world.bob, "a1"), (world.alice, "c1")):
        before = world.last
        await world.press(who, square)
        (board,) = elsewhere.live()
        assert board.id > before.id


@guest
async def test_what_was_played_before(world: World, elsewhere: Elsewhere) -> None:
    """Every button of its final board works."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    elsewhere.install()
    final = world.last
    assert labels(final) == FINAL_UNDO
    for label, told in (("Replay", "Move 0 of 5"), ("Analyse", "Analysis")):
        assert told in refused(await world.bob.click(final, label=label))
    await world.alice.click(final, label="Share")
    assert world.last.attachments


@guest
async def test_a_rematch_belongs_to_the_server(world: World, elsewhere: Elsewhere) -> None:
    """It may be rated, and continues the series."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    elsewhere.install()
    await world.bob.click(world.last, label="Rematch")
    await world.alice.click(world.last, label="Agree")
    assert "Not rated" not in text(world.last) and "**alice** 1" in text(world.last)
    place = (await world.stored()).place
    assert (place.server_id, place.posts) == (world.guild.id, True)
