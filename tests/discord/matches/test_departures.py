"""A member who leaves the server loses, as soon as a waiting player asks."""

import asyncio
from typing import Any

import discord
import pytest

from tests.discord.conftest import Restart
from tests.discord.matches.three import move, three
from tests.discord.world import (
    BEGIN,
    LOOKING,
    World,
    answer_to,
    button,
    labels,
    mentioned,
    newest,
    refused,
    text,
)


@pytest.mark.parametrize("command", ["board", "draw", "undo"])
async def test_a_member_who_left_has_lost(world: World, command: str) -> None:
    """`/board`, or an offer to the absent player, is answered with the win."""
    await world.played("b2 a1")
    world.guild.remove_member(world.bob)
    await world.alice.slash(world.channel, command)
    assert "**alice** wins! 🔵 **bob** has left the server." in text(world.last)
    assert labels(world.last) == ["New match", *LOOKING]
    assert not world.boards()
    assert not mentioned(world.last, world.env)


async def test_no_rematch_is_suggested_with_a_member_who_left(world: World) -> None:
    """What is refused after the win offers a new match: a rematch would be refused, too."""
    await world.played("b2 a1")
    world.guild.remove_member(world.bob)
    await world.alice.slash(world.channel, "board")
    for command in ("board", "draw", "undo"):
        told = await world.alice.slash(world.channel, command)
        assert labels(answer_to(told)) == BEGIN and "rematch" not in refused(told), command


async def test_nobody_is_told_to_press_a_rematch_that_is_not_there(world: World) -> None:
    """A match that is rated in pairs says only so, if the other player is gone."""
    await world.challenge(rows=4, line=3, swap=False)
    await world.play("b2 a1")
    world.guild.remove_member(world.bob)
    await world.alice.slash(world.channel, "board")
    final = text(world.last)
    assert "**bob** has left" in final and "Rated in pairs" in final
    assert "Press *Rematch*" not in final and "Rematch" not in labels(world.last)


@pytest.mark.parametrize("command", ["board", "draw", "undo"])
async def test_nobody_waits_while_discord_is_asked(
    command: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move is made while Discord hasn't yet told who is still on the server."""
    await world.played("b2")
    board, told, query = world.last, asyncio.Event(), discord.Guild.query_members

    async def slowly(guild: discord.Guild, **asked: Any) -> list[discord.Member]:
        await world.env.external_wait(told.wait(), reason="Discord takes its time")
        return await query(guild, **asked)

    monkeypatch.setattr(discord.Guild, "query_members", slowly)
    await world.alice.slash(world.channel, command)
    await world.press(world.bob, "a1", board)
    assert (await world.stored()).match.ply == 2
    told.set()
    await world.env.settle()


async def test_of_three_two_play_on(world: World) -> None:
    """The seat is removed, its squares stay, and the match continues.

    At its end no rematch is offered, which needs all three players, but an undo, which needs two.
    """
    await three(world)
    world.guild.remove_member(world.carol)
    await world.alice.slash(world.channel, "board")
    assert "💚 **carol** 🏳️ 4" in text(world.last)
    assert "💚 **carol** has left the match; the others play on." in text(world.last)
    match = (await world.stored()).match
    assert match.outcome is None
    assert match.staying == (0, 1)
    for _ in range(2):
        await move(world)
    await world.alice.slash(world.channel, "draw")
    await world.bob.click(world.last, label="Agree")
    assert labels(world.last) == ["New match", "Undo", *LOOKING]
    await world.alice.click(world.last, label="Undo")
    await world.bob.click(world.last, label="Agree")
    assert (await world.stored()).match.outcome is None


async def test_of_three_two_still_agree(world: World, restart: Restart) -> None:
    """An offer still asks the third player when the asker asks again, and finds one gone."""
    await three(world)
    await move(world)
    question = await world.command(world.alice, "draw")
    world.guild.remove_member(world.bob)
    await restart()  # nobody was seen lately
    await world.alice.slash(world.channel, "draw")
    assert "**bob** 🏳️" in text(world.last)
    assert labels(world.now(question)) == ["Agree", "Decline"]
    await world.carol.click(world.now(question), label="Agree")
    assert "A draw by agreement" in text(world.last)


async def test_two_find_out_at_once(world: World) -> None:
    """Both are shown that he left, or that their board is old; nobody else has left."""
    board = await three(world)
    world.guild.remove_member(world.bob)
    draw = button(board, "draw")
    asked = await world.at_once((world.alice, board, draw), (world.carol, board, draw))
    # The second press may reach the database only after the first one's board was shown.
    late = [refused(result) for result in asked if result.ephemeral]
    assert len(late) <= 1
    assert all("out of date" in told for told in late)
    (board,) = world.channel.history()
    assert "**bob** 🏳️" in text(board)


async def test_nobody_wins_if_both_have_left(world: World) -> None:
    """A match that both members have left has no result and isn't rated; it can't be taken back."""
    await world.played("b2 a1 b1 c3 b3")
    await world.challenge()  # not a rematch, after which both would have been seen lately
    rated = await world.sql("SELECT * FROM ratings ORDER BY user_id")
    await world.play("b2 a1 b1 c3")
    for member in (world.alice, world.bob):
        world.guild.remove_member(member)
    await world.carol.slash(world.channel, "board")
    shown = text(world.last)
    assert "All players have left the server. This match has no result." in shown
    assert "wins" not in shown and "Rating" not in shown and "rated" not in shown
    assert labels(world.last) == ["New match", *LOOKING]
    assert await world.sql("SELECT * FROM ratings ORDER BY user_id") == rated
    world.guild.add_member(world.bob.user)
    assert "No result" in text(await world.carol.slash(world.channel, "history", member=world.bob))


async def test_nobody_wins_if_all_three_have_left(world: World) -> None:
    """The same holds for three; if one has stayed, the others share the last rank."""
    await three(world)
    for member in (world.alice, world.bob):
        world.guild.remove_member(member)
    await world.carol.slash(world.channel, "board")
    assert "#1 💚 **carol**" in text(world.last)
    assert text(world.last).count("#2") == 2


async def test_a_former_player_is_as_good_as_gone(world: World) -> None:
    """If the match couldn't be resigned when their data was erased, the next look ends it."""
    await world.challenge()
    await world.sql("UPDATE seats SET user_id = -7, name = NULL WHERE seat = 1")
    await world.alice.slash(world.channel, "board")
    assert "**alice** wins! 🔵 **a former player** has left the server." in text(world.last)


async def test_a_member_who_was_seen_lately_is_asked_for_again(world: World) -> None:
    """A member who left a minute after being seen isn't called the winner."""
    await world.played("b2")
    await world.bob.slash(world.channel, "board")
    for member in (world.alice, world.bob):
        world.guild.remove_member(member)
    await world.carol.slash(world.channel, "board")
    assert "This match has no result" in text(world.last)


async def test_reminders_at_once_ask_for_all_players_together(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond a number of requests a minute, absent players would lose only when time runs out."""
    channels = [world.guild.create_text_channel(name) for name in ("one", "two", "three")]
    for channel in channels:
        await world.challenge(channel, clock=300)
    world.guild.remove_member(world.bob)
    asked, query = [], discord.Guild.query_members

    async def noted(guild: discord.Guild, **wanted: Any) -> list[discord.Member]:
        asked.append(guild)
        return await query(guild, **wanted)

    monkeypatch.setattr(discord.Guild, "query_members", noted)
    await world.env.advance_time(190)
    assert ["**bob** has left" in text(newest(channel)) for channel in channels] == [True] * 3
    assert len(asked) == 1


async def test_strangers_start_no_membership_check(world: World) -> None:
    """A draw offered by a member who doesn't play reveals no departure."""
    await world.challenge()
    world.guild.remove_member(world.bob)
    assert "not in this match" in refused(await world.carol.slash(world.channel, "draw"))
    assert (await world.stored()).match.outcome is None


async def test_a_finished_match_keeps_its_outcome(world: World) -> None:
    """A player's departure after the end doesn't change the result; there is no rematch."""
    await world.played()
    world.guild.remove_member(world.bob)
    told = refused(await world.alice.click(world.last, label="Rematch"))
    assert "bob has left this server" in told
    assert "**alice** wins with a1 a2 a3" in text(world.last)


async def test_nobody_agrees_to_a_rematch_with_a_member_who_left(world: World) -> None:
    """The member who asked may have left before the other agrees."""
    await world.played()
    await world.alice.slash(world.channel, "rematch")
    world.guild.remove_member(world.alice)
    assert "alice has left this server" in refused(await world.bob.click(world.last, label="Agree"))
    assert not world.boards()


async def test_nobody_restarts_with_a_member_who_left(world: World) -> None:
    """If two of three play on, a restart is refused, since the third would have a seat again."""
    await three(world)
    world.guild.remove_member(world.carol)
    await world.alice.slash(world.channel, "board")
    told = refused(await world.alice.slash(world.channel, "restart"))
    assert "carol has left this server" in told
    assert "/play" not in told, "the match goes on here"
    told = refused(await world.alice.slash(world.channel, "rematch"))
    assert "This match isn't over yet" in told


async def test_a_reminder_to_a_departed_member(world: World) -> None:
    """The match ends in place of the reminder, and the other player wins."""
    await world.played("b2", clock=300)
    world.guild.remove_member(world.bob)
    await world.env.advance_time(190)
    assert "**alice** wins! 🔵 **bob** has left the server." in text(world.last)
    assert len(world.channel.history()) == 1
