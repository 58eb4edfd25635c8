"""Open tables: seats for whoever comes, and for the computer where nobody does."""

import discord
import pytest

from tests.discord.inviting import custom_id, link_to, member, table
from tests.discord.world import World, labels, mentioned, refused, text

TABLE = ["Join", "Leave", "Start", "Close"]


async def test_a_table_mentions_nobody(world: World) -> None:
    """It says what is played, who sits where, who may start, and until when; nobody is pinged."""
    opened = await table(world, rows=4)
    shown = text(opened)
    assert "**alice** has opened a table" in shown
    assert "Tic-tac-toe 4×4" in shown
    assert "❌ **alice**\n⭕ *whoever joins*" in shown
    assert "**alice** begins." in shown
    assert "the computer (medium) takes the free seats" in shown
    assert "Open until <t:" in shown
    assert labels(opened) == TABLE
    assert not mentioned(opened, world.env)


async def test_a_full_table_begins(world: World) -> None:
    """The last seat begins the match in the table's place, and mentions whoever is to move."""
    opened = await table(world)
    await world.bob.click(opened, label="Join")
    (board,) = world.boards()
    assert len(world.channel.history()) == 1
    assert "❌ **alice** vs ⭕ **bob**" in text(board)
    assert mentioned(board, world.env) == [world.alice.id]


async def test_whoever_joins_last_and_begins_is_not_notified(world: World) -> None:
    """Bob has just pressed Join: he needs no notification of his turn."""
    opened = await table(world, first="opponent")
    assert "*whoever joins* begins." in text(opened)
    await world.bob.click(opened, label="Join")
    assert "❌ **bob** vs ⭕ **alice**" in text(world.last)
    assert not mentioned(world.last, world.env)


async def test_three_come_one_by_one(world: World) -> None:
    """A table for three shows who has sat down, in place, and begins with the third."""
    opened = await table(world, game="tribolo")
    await world.carol.click(opened, label="Join")
    shown = world.now(opened)
    assert "🔵 **alice**\n🔺 **carol**\n💚 *whoever joins*" in text(shown)
    assert "Who begins is drawn by lot." in text(shown)
    assert labels(shown) == TABLE
    assert not mentioned(shown, world.env)
    await world.bob.click(opened, label="Join")
    assert all(name in text(world.last) for name in ("🔵 **alice**", "🔺 **carol**", "💚 **bob**"))
    assert len(world.channel.history()) == 1


async def test_leaving_and_coming_back(world: World) -> None:
    """A seat that was left is open again, to the same member too."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    await world.bob.click(opened, label="Leave")
    assert "**bob**" not in text(world.now(opened))
    await world.carol.click(opened, label="Join")
    await world.bob.click(opened, label="Join")
    assert "🔺 **carol**" in text(world.last) and "💚 **bob**" in text(world.last)


async def test_starting_with_the_computer(world: World) -> None:
    """The owner fills the free seats with the computer, at the level that the table names."""
    opened = await table(world, level="easy")
    assert "the computer (easy)" in text(opened)
    await world.alice.click(opened, label="Start")
    assert "⭕ **Computer (easy)**" in text(world.last)
    assert len(world.channel.history()) == 1
    await world.press(world.alice, "b2")
    assert "Last move: ⭕" in text(world.last)


async def test_a_level_that_the_board_lacks(world: World) -> None:
    """It is refused when the table is opened, not when it starts."""
    slash = world.alice.slash(world.channel, "play tictactoe", open=True, rows=9, level="perfect")
    assert "perfect" in refused(await slash)
    assert not world.channel.history()


@pytest.mark.parametrize("button", ["Close", "Leave"])
async def test_the_owner_closes_the_table(world: World, button: str) -> None:
    """By Close, or by leaving it: it says so in place, and takes no more presses."""
    opened = await table(world)
    await world.alice.click(opened, label=button)
    closed = world.now(opened)
    assert "**alice** has closed the table" in text(closed)
    assert not labels(closed)
    late = await world.late(world.bob, opened, custom_id(opened, "join"))
    assert "alice has closed that table" in refused(late)
    assert labels(await table(world)) == TABLE


@pytest.mark.parametrize(
    ("who", "button", "words"),
    [
        ("alice", "Join", "have a seat at this table already"),
        ("bob", "Join", "have a seat at this table already"),
        ("bob", "Start", "Only alice can start"),
        ("carol", "Start", "Only alice can start"),
        ("bob", "Close", "Only alice can close"),
        ("carol", "Leave", "no seat at this table"),
    ],
)
async def test_each_refusal_has_its_reason(world: World, who: str, button: str, words: str) -> None:
    """Joining twice, and what only others may do, is refused privately; the table stays."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    before = world.public()
    assert words in refused(await member(world, who).click(opened, label=button))
    assert world.public() == before


async def test_coming_too_late(world: World) -> None:
    """A press that comes when the match has begun is told so, and where to look."""
    opened = await table(world)
    join = custom_id(opened, "join")
    _, late = await world.at_once((world.bob, opened, join), (world.carol, opened, join))
    assert "match has begun: no seat is free" in refused(late)


async def test_a_table_with_somebody_asked(world: World) -> None:
    """A named member is asked, and mentioned; their seat is kept until they decline."""
    opened = await table(world, game="tribolo", against=world.bob)
    assert mentioned(opened, world.env) == [world.bob.id]
    assert f"<@{world.bob.id}>, **alice** challenges you!" in text(opened)
    assert "🔺 **bob** (asked)\n💚 *whoever joins*" in text(opened)
    assert labels(opened) == ["Accept", "Decline", *TABLE]
    assert "bob" in refused(await world.alice.click(opened, label="Start"))
    await world.carol.click(opened, label="Join")
    assert len(world.boards()) == 0
    await world.bob.click(opened, label="Decline")
    assert labels(world.now(opened)) == TABLE
    await world.alice.click(opened, label="Start")
    assert "🔺 **Computer (medium)**" in text(world.last)
    assert "💚 **carol**" in text(world.last)


async def test_nothing_left_to_be_open(world: World) -> None:
    """With everybody named there is no open seat; the refusal says what to leave out."""
    slash = world.alice.slash(world.channel, "play tictactoe", open=True, against=world.bob)
    assert "no seat is left open" in refused(await slash)


async def test_one_table_each(world: World) -> None:
    """Whoever has an open table here opens no second one; others may."""
    await table(world)
    again = await world.alice.slash(world.channel, "play nineholes", open=True)
    assert "You have an open table in this channel" in refused(again)
    await world.bob.slash(world.channel, "play nineholes", open=True)
    assert labels(world.last) == TABLE


async def test_a_busy_channel(world: World) -> None:
    """A table that was open before a match keeps its seats until that is over."""
    opened = await table(world)
    await world.carol.slash(world.channel, "play tictactoe")
    board = world.last
    assert link_to(board) in refused(await world.bob.click(opened, label="Join"))
    assert link_to(board) in refused(await world.alice.click(opened, label="Start"))
    assert labels(world.now(opened)) == TABLE
    await world.resign(world.carol)
    await world.bob.click(opened, label="Join")
    assert "❌ **alice** vs ⭕ **bob**" in text(world.last)


@pytest.mark.parametrize("verb", ["accept", "decline", "join", "leave", "start", "withdraw"])
async def test_a_table_that_nobody_opened(world: World, verb: str) -> None:
    """A made-up invitation is refused privately, whatever is done about it."""
    custom = f"c:999999999:{verb}"
    result = await world.bob.click(await world.made_up(custom), custom_id=custom)
    assert "`/play`" in refused(result)


async def test_buttons_of_a_table_on_a_challenge(world: World) -> None:
    """Whoever forges them gets into no challenge, nor opens it for others."""
    challenge = await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    assert challenge.acknowledged
    forged = await world.made_up("c:1:join", "c:1:start", "c:1:leave")
    assert "No seat is free" in refused(await world.carol.click(forged, custom_id="c:1:join"))
    assert "bob" in refused(await world.alice.click(forged, custom_id="c:1:start"))
    assert "no seat" in refused(await world.bob.click(forged, custom_id="c:1:leave"))
    assert not world.boards()


# --- two at once, ten times: both orders are seen


async def test_two_join_for_the_last_seat(world: World) -> None:
    """One gets it, the other is told; it is whoever was first."""
    joined = set()
    for turn in range(10):
        opened = await table(world)
        join = custom_id(opened, "join")
        rivals = [world.bob, world.carol][:: 1 if turn % 2 else -1]
        first, second = await world.at_once(*((rival, opened, join) for rival in rivals))
        assert first.acknowledged
        assert "has begun" in refused(second)
        (board,) = world.boards()
        joined.add("bob" if "⭕ **bob**" in text(board) else "carol")
        await end(world, board)
    assert joined == {"bob", "carol"}


async def test_joining_and_starting_at_once(world: World) -> None:
    """Whoever is first decides who plays, a member or the computer; the other is told."""
    seen = set()
    for turn in range(10):
        opened = await table(world)
        presses = [
            (world.bob, opened, custom_id(opened, "join")),
            (world.alice, opened, custom_id(opened, "start")),
        ][:: 1 if turn % 2 else -1]
        _, second = await world.at_once(*presses)
        assert "has begun" in refused(second)
        (board,) = world.boards()
        seen.add("Computer" in text(board))
        await end(world, board)
    assert seen == {True, False}


async def end(world: World, board: discord.Message) -> None:
    """Let alice resign, and clear the channel."""
    await world.resign(world.alice)
    assert not world.boards()
