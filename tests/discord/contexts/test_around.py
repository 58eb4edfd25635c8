"""Commands, forms of boards and stored data elsewhere than on servers."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.identity import ServerId
from bot.privacy.store import ServerDataStore
from tests.discord.contexts.test_matches import DIRECT, GUEST, everywhere
from tests.discord.elsewhere import Elsewhere
from tests.discord.world import World, components, refused, text


@pytest.mark.parametrize("elsewhere", [DIRECT], indirect=True)
async def test_what_is_only_for_servers(world: World, elsewhere: Elsewhere) -> None:
    """Settings of a server are refused, those of the member aren't, nor what needs no match."""
    for name, options in (("show", {}), ("set", {"clock": 0})):
        answer = await world.alice.slash(world.channel, f"settings {name}", **options)
        assert "only for servers" in refused(answer)
    answer = await world.alice.slash(world.channel, "settings me", board="picture")
    assert "picture" in text(answer)
    for name in ("help", "rules", "history", "mydata export"):
        answer = await world.alice.slash(world.channel, name)
        assert answer.acknowledged and "only for servers" not in text(answer)


@everywhere
async def test_a_board_as_a_picture(world: World, elsewhere: Elsewhere) -> None:
    """It is uploaded with each answer."""
    await world.bob.slash(world.channel, "settings me", board="picture")
    await world.challenge()
    for who, square in ((world.alice, "b2"), (world.bob, "a1")):
        await world.press(who, square)
        (board,) = elsewhere.live()
        assert len(board.attachments) == 1
        assert [c["type"] for c in components(board)].count(12) == 1


@pytest.mark.parametrize("elsewhere", [GUEST], indirect=True)
async def test_the_removal_from_a_server_erases_nothing_here(
    world: World, elsewhere: Elsewhere, database: AsyncEngine
) -> None:
    """A server on which only members have the bot is none that the bot could leave."""
    await world.challenge()
    await world.bob.slash(world.channel, "play tribolo", open=True)
    store, server_id = ServerDataStore(database), ServerId(world.guild.id)
    assert await store.not_left() == set()
    await store.note_left(server_id, 0)
    assert await store.erase(server_id)
    assert await world.sql("SELECT guild_id, guest_of FROM matches") == [(0, world.guild.id)]
    await world.press(world.alice, "b2", elsewhere.live()[0])
    answer = refused(await world.bob.slash(world.channel, "play nineholes"))
    (board,) = elsewhere.live()
    assert f"/channels/{world.guild.id}/{world.channel.id}/{board.id}" in answer
