"""The limits of a conversation compared with a server, and the features that both have."""

import pytest

from bot.preview import let_the_computer_think
from tests.bot.engines import WaitingEngine
from tests.bot.processes import until
from tests.bot.searching import Gate
from tests.discord.elsewhere import Elsewhere, direct, with_bot
from tests.discord.privacy.own_data import erase, handed_out
from tests.discord.world import World, ids, refused, text


@direct
async def test_one_match_in_a_conversation(world: World, elsewhere: Elsewhere) -> None:
    """A second one is refused, with a link that Discord understands."""
    board = await world.challenge()
    answer = refused(await world.bob.slash(world.channel, "play nineholes"))
    assert f"https://discord.com/channels/@me/{world.channel.id}/{board.id}" in answer


@with_bot
async def test_alone_with_the_bot(world: World, elsewhere: Elsewhere) -> None:
    """There is no way to challenge anybody there."""
    alice, channel = world.alice, world.channel
    asked = [
        await alice.slash(channel, "play tictactoe", against=world.bob),
        await alice.slash(channel, "play tribolo", open=True),
        await alice.context_menu(channel, "Challenge", world.bob),
    ]
    assert all("Nobody can join you here" in refused(one) for one in asked)


@pytest.mark.parametrize("simcord_bot", [WaitingEngine], indirect=True)
@direct
async def test_the_computer_thinks(world: World, elsewhere: Elsewhere, gate: Gate) -> None:
    """The move is shown at once, and the answer comes into that board by its token."""
    let_the_computer_think(world.env)
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    await world.press(world.alice, "b2")
    (board,) = elsewhere.live()
    assert "is thinking" in text(board)
    gate.open()
    await until(lambda: "is thinking" not in text(world.now(board)))
    await world.env.settle()
    assert [m.id for m in elsewhere.live()] == [board.id]
    await world.press(
        world.alice, next(i for i in ids(world.now(board)) if i.startswith("m:")).split(":")[-1]
    )
    assert len(elsewhere.live()) == 1


@direct
async def test_the_data_of_direct_messages(world: World, elsewhere: Elsewhere) -> None:
    """Data is exported and erased like a server's; the profile is that of the conversation."""
    await world.played()
    profile = text(await world.bob.slash(world.channel, "profile"))
    assert "Against other members: 0 won · 0 drawn · 1 lost" in profile
    (match,) = (await handed_out(world))["matches"]
    assert (match["guild_id"], match["context"], match["channel_id"]) == (
        0,
        "private",
        world.channel.id,
    )
    assert match["unrated"] == "elsewhere"
    await erase(world)
    rows = await world.sql("SELECT user_id, name FROM seats ORDER BY seat")
    assert rows[0][0] < 0 and rows[0][1] is None and rows[1] == (world.bob.id, "bob")
    assert (
        await world.sql("SELECT count(*) FROM guilds UNION ALL SELECT count(*) FROM standings")
    ) == [(0,), (0,)]
