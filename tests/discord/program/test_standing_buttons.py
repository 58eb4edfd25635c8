"""A button of any version is answered by the feature that has declared it."""

from tests.bot.gateway.kinds import STANDING
from tests.discord.world import World, text


async def test_no_button_is_unknown(world: World) -> None:
    """Every kind of press has a handler, whatever that says of a match that isn't there."""
    for custom_id in STANDING:
        message = await world.made_up(custom_id)
        answer = (await world.alice.click(message, custom_id=custom_id)).response
        assert answer is None or "know this button" not in text(answer), custom_id
