"""Whole matches where only answers to interactions reach the channel."""

import pytest

from bot.identity import Context
from tests.discord.elsewhere import Elsewhere
from tests.discord.world import FINAL_UNDO, World, labels, mentioned, text

DIRECT, GROUP, GUEST = (Context.PRIVATE, 2), (Context.PRIVATE, 3), (Context.GUEST, 3)
WITH_BOT = (Context.BOT_DM, 1)
everywhere = pytest.mark.parametrize("elsewhere", [DIRECT, GROUP, GUEST], indirect=True)


@everywhere
async def test_a_match_by_presses(world: World, elsewhere: Elsewhere) -> None:
    """Each press brings a new board that notifies the next player, and the old one goes."""
    await world.challenge()
    assert "Not rated" in text(world.last) and "nobody is reminded" in text(world.last)
    for ply, square in enumerate("a1 b1 a2 b2".split()):
        before = world.last
        await world.press((world.alice, world.bob)[ply % 2], square)
        (board,) = elsewhere.live()
        assert board.id > before.id
        assert mentioned(board, world.env) == [(world.bob, world.alice)[ply % 2].id]
    await world.press(world.alice, "a3")
    assert labels(world.last) == FINAL_UNDO
    assert "alice** wins" in text(world.last) and "Not rated" in text(world.last)
    assert len(world.channel.history()) == 1
    await world.bob.click(world.last, label="Rematch")
    await world.alice.click(world.last, label="Agree")
    (board,) = elsewhere.live()
    assert "bob" in text(board)
    assert (await world.sql("SELECT count(*) FROM guilds"))[0][0] == 0
