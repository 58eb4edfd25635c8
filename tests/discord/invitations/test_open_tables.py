"""Open tables: seats for any member, or for the computer if the owner chooses."""

import asyncio
from typing import Any

import pytest

from tests.discord.calls import CALLBACK, on_its_way
from tests.discord.failing import PUT_OFF_SECONDS
from tests.discord.invitations.inviting import table
from tests.discord.world import World, button, components, labels, mentioned, refused, text
from tests.fuzzing.timers import simulate_all_time

TABLE = ["Join", "Leave", "Start", "Close", "Rules"]


async def test_a_table_mentions_nobody(world: World) -> None:
    """It names the game, the owner, who goes first, and the end of its time; it notifies nobody.

    Who goes first says which seat is free, too.
    """
    opened = await table(world, rows=4)
    shown = text(opened)
    assert "**alice** has opened a table" in shown
    assert "Tic-tac-toe 4×4" in shown
    assert "**alice** goes first." in shown and "*free seat*" not in shown
    assert "the computer (medium) takes the free seats" in shown
    assert "Expires <t:" in shown
    assert labels(opened) == TABLE
    assert not mentioned(opened, world.env)


async def test_a_full_table_starts(world: World) -> None:
    """Taking the last seat replaces the table by the board, which mentions the player to move."""
    opened = await table(world)
    await world.bob.click(opened, label="Join")
    (board,) = world.boards()
    assert len(world.channel.history()) == 1
    assert "❌ **alice** vs 🔵 **bob**" in text(board)
    assert mentioned(board, world.env) == [world.alice.id]


async def test_the_last_to_join_is_not_notified(world: World) -> None:
    """Bob moves first and has just pressed Join, so the board doesn't notify him."""
    opened = await table(world, first="opponent")
    assert "The player who joins goes first." in text(opened)
    await world.bob.click(opened, label="Join")
    assert "❌ **bob** vs 🔵 **alice**" in text(world.last)
    assert not mentioned(world.last, world.env)


async def test_members_join_a_table_of_three_one_by_one(world: World) -> None:
    """A table for three is updated in place and starts with the third member."""
    opened = await table(world, game="tribolo")
    await world.carol.click(opened, label="Join")
    shown = world.now(opened)
    assert "🔵 **alice**\n🔺 **carol**\n💚 *free seat*" in text(shown)
    assert "The first player is chosen at random." in text(shown)
    assert labels(shown) == TABLE
    assert not mentioned(shown, world.env)
    await world.bob.click(opened, label="Join")
    assert all(name in text(world.last) for name in ("🔵 **alice**", "🔺 **carol**", "💚 **bob**"))
    assert len(world.channel.history()) == 1


async def test_starting_with_the_computer(world: World) -> None:
    """The owner fills the free seats with the computer, at the table's level."""
    opened = await table(world, level="easy")
    assert "the computer (easy)" in text(opened)
    await world.alice.click(opened, label="Start")
    assert "🔵 **Computer (easy)**" in text(world.last)
    assert len(world.channel.history()) == 1
    await world.press(world.alice, "b2")
    assert "Last move: 🔵" in text(world.last)


async def test_a_table_that_can_not_be_opened(world: World) -> None:
    """A level that the board lacks is refused at once, and so is a table without an open seat."""
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"rows": 9, "level": "perfect"}, "perfect"),
        ({"against": world.bob}, "no seat is left open"),
    ]
    for options, words in wrong:
        slash = world.alice.slash(world.channel, "play tictactoe", open=True, **options)
        assert words in refused(await slash)
    assert not world.channel.history()


async def test_the_owner_leaves_a_table_with_guests(world: World) -> None:
    """The next guest owns it, nobody is notified, and with nobody left it closes."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    await world.alice.click(opened, label="Leave")
    shown = world.now(opened)
    assert "🔵 *free seat*\n🔺 **bob**" in text(shown)
    assert "**bob** presses *Start*" in text(shown)
    assert labels(shown) == TABLE
    assert not mentioned(shown, world.env)
    assert "Only bob can close" in refused(await world.alice.click(opened, label="Close"))
    await world.alice.slash(world.channel, "play nineholes", open=True)
    await world.carol.click(opened, label="Join")
    await world.bob.click(opened, label="Leave")
    await world.carol.click(opened, label="Leave")
    assert "**carol** has left, so the table is closed" in text(world.now(opened))
    assert not labels(world.now(opened))


async def test_a_table_is_not_left_to_the_owner_of_another(world: World) -> None:
    """Bob has a table of his own in the channel, so alice's closes when she leaves it."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    await world.bob.slash(world.channel, "play nineholes", open=True)
    await world.alice.click(opened, label="Leave")
    assert "**alice** has left, so the table is closed" in text(world.now(opened))
    assert labels(world.last) == TABLE


async def test_the_owner_closes_the_table(world: World) -> None:
    """Close, or the owner leaving, ends the table in place; its buttons go."""
    told = {"Close": ("closed", "has closed that table"), "Leave": ("has left", "alice has left")}
    for label, (said, why) in told.items():
        opened = await table(world)
        await world.alice.click(opened, label=label)
        closed = world.now(opened)
        assert f"**alice** {said}" in text(closed), label
        assert not labels(closed), label
        late = await world.late(world.bob, opened, button(opened, "join"))
        assert why in refused(late), label
    assert labels(await table(world)) == TABLE


async def test_each_refusal_has_its_reason(world: World) -> None:
    """Joining twice and using the owner's buttons are refused privately; the table stays."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    before = world.public()
    for who, label, words in (
        (world.alice, "Join", "already have a seat at this table"),
        (world.bob, "Join", "already have a seat at this table"),
        (world.bob, "Start", "Only alice can start"),
        (world.carol, "Start", "Only alice can start"),
        (world.bob, "Close", "Only alice can close"),
        (world.carol, "Leave", "no seat at this table"),
    ):
        assert words in refused(await who.click(opened, label=label)), (who.name, label)
        assert world.public() == before


async def test_joining_after_the_start(world: World) -> None:
    """A press after the start is told so, with a link to the board."""
    opened = await table(world)
    join = button(opened, "join")
    _, late = await world.at_once((world.bob, opened, join), (world.carol, opened, join))
    assert "match at that table has started" in refused(late)


async def test_a_table_with_a_named_member(world: World) -> None:
    """A named member is mentioned, and their seat is reserved until they decline."""
    opened = await table(world, game="tribolo", against=world.bob)
    assert mentioned(opened, world.env) == [world.bob.id]
    assert f"<@{world.bob.id}>, **alice** challenges you!" in text(opened)
    assert "🔺 **bob** (asked)\n💚 *free seat*" in text(opened)
    assert labels(opened) == ["Accept", "Decline", *TABLE]
    assert "bob" in refused(await world.alice.click(opened, label="Start"))
    await world.carol.click(opened, label="Join")
    assert len(world.boards()) == 0
    full = world.now(opened)
    assert [c["label"] for c in components(full) if c.get("disabled")] == ["Join"]
    assert "Press *Join*" not in text(full) and labels(full) == labels(opened)
    await world.bob.click(opened, label="Decline")
    assert labels(world.now(opened)) == TABLE
    await world.alice.click(opened, label="Start")
    assert "🔺 **Computer (medium)**" in text(world.last)
    assert "💚 **carol**" in text(world.last)


async def test_one_table_per_member(world: World) -> None:
    """A member with an open table in the channel is led to it, and opens no second; others may."""
    opened = await table(world)
    again = refused(await world.alice.slash(world.channel, "play nineholes", open=True))
    assert "You have an open table in this channel" in again and opened.jump_url in again
    await world.bob.slash(world.channel, "play nineholes", open=True)
    assert labels(world.last) == TABLE


async def test_a_busy_channel(world: World) -> None:
    """A table opened before a match keeps its seats until the match is over."""
    opened = await table(world)
    board = await world.command(world.carol, "play tictactoe")
    assert board.jump_url in refused(await world.bob.click(opened, label="Join"))
    assert board.jump_url in refused(await world.alice.click(opened, label="Start"))
    assert labels(world.now(opened)) == TABLE
    await world.resign(world.carol)
    await world.bob.click(opened, label="Join")
    assert "❌ **alice** vs 🔵 **bob**" in text(world.last)


async def test_an_answer_that_discord_takes_after_a_later_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table still shows its last state."""
    opened = await table(world, game="tribolo")
    simulate_all_time(monkeypatch)
    taken = asyncio.Event()
    on_its_way(monkeypatch, CALLBACK, after=taken.set)
    held = on_its_way(monkeypatch, CALLBACK, before=taken.wait, times=1)
    join, leave = (button(opened, verb) for verb in ("join", "leave"))
    await world.at_once((world.bob, opened, join), (world.bob, opened, leave))
    assert held and "bob" not in text(world.now(opened))


async def test_joined_while_discord_fails(world: World) -> None:
    """The table shows who has joined once Discord works again."""
    opened = await table(world, game="tribolo")
    world.env.inject_error(*CALLBACK, status=500)
    world.env.inject_error("PATCH", "/*", status=500, times=None)
    await world.bob.click(opened, label="Join")
    assert "bob" not in text(world.now(opened))
    world.env.backend.faults.clear()
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert "bob" in text(world.now(opened))


async def test_a_table_waits_for_who_was_asked(world: World) -> None:
    """Until they answer, its owner can't start, and reads which button closes the table instead."""
    opened = await table(world, game="tribolo", against=world.bob)
    told = refused(await world.alice.click(opened, label="Start"))
    assert "answered yet: bob. Wait for them, or press *Close* and start over." in told
    await world.alice.click(opened, label="Close")
    assert "**alice** closed the table" in text(world.now(opened))
