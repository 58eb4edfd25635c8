"""One match per channel: the refusals of `/play` and Accept in a busy channel."""

import pytest
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.invitations.inviting import BUTTONS, offer
from tests.discord.matches.passing import MINUTE
from tests.discord.matches.taking import THREAD
from tests.discord.world import World, answer_to, labels, refused, text


async def test_a_busy_channel(world: World) -> None:
    """`/play` is refused with the players and a link to their newest board."""
    await world.played("b2")
    for options in ({}, {"against": world.bob}):
        answer = refused(await world.carol.slash(world.channel, "play nineholes", **options))
        assert world.last.jump_url in answer and "alice" in answer and "bob" in answer
    assert len(world.boards()) == 1


async def test_a_busy_channel_sends_only_where_games_are_played(
    world: World, mod: MemberActor
) -> None:
    """The channels that moderators chose are named, without the busy one, to players and others."""
    fun, once = world.guild.create_text_channel("fun"), "starts another once it's over"
    await world.challenge()
    here = world.channel.mention
    for channels, told in (
        (f"{here} {fun.mention}", f"{once}, or right away in {fun.mention}."),
        (here, f"{once}."),
    ):
        await mod.slash(fun, "settings set", channels=channels)
        assert told in refused(await world.carol.slash(world.channel, "play tictactoe"))
        assert told in refused(await world.carol.click(world.last, label="Resign"))
        assert told in refused(await world.alice.slash(world.channel, "play tictactoe"))


async def test_a_thread_is_a_channel_of_its_own(world: World) -> None:
    """While a channel is busy its thread takes a match, and is then busy itself."""
    here = await world.challenge()
    thread = world.thread(world.channel)
    board = await world.challenge(thread)
    assert board.jump_url in refused(await world.carol.slash(thread, "play tictactoe"))
    await world.press(world.alice, "a1", board)
    await world.press(world.alice, "c3", here)
    assert "a1" in text(thread.last_message) and "c3" in text(world.last)


async def test_accepting_in_a_busy_channel(world: World) -> None:
    """Accept is refused with a link; the challenge stays open and is accepted after the match."""
    challenge = await offer(world, world.alice, world.bob)
    board = await world.command(world.carol, "play tictactoe")
    refusal = refused(await world.bob.click(challenge, label="Accept"))
    assert board.jump_url in refusal
    assert "Try again once it's over." in refusal and "/play" not in refusal
    assert labels(world.now(challenge)) == BUTTONS
    await world.resign(world.carol)
    await world.bob.click(challenge, label="Accept")
    (board,) = world.boards()
    assert "❌ **alice** vs 🔵 **bob**" in text(board)


async def test_accepting_where_a_match_rests(world: World, calendar: Calendar) -> None:
    """Half an hour after the last move the channel can be taken over, as by a refused `/play`."""
    challenge = await offer(world, world.alice, world.bob)
    await world.carol.slash(world.channel, "play tictactoe")
    calendar.ahead += 30 * MINUTE
    # The challenge lapses after a quarter of an hour.
    await world.sql("UPDATE invitations SET expires_at = expires_at + 3600")
    refusal = answer_to(await world.bob.click(challenge, label="Accept"))
    await world.bob.click(refusal, label="Take over the channel")
    await world.bob.click(challenge, label="Accept")
    assert "❌ **alice** vs 🔵 **bob**" in text(world.last)


async def test_accepting_during_ones_own_match(world: World) -> None:
    """The refusal has buttons to resign or restart one's own match."""
    challenge = await offer(world, world.alice, world.bob)
    other = await offer(world, world.carol, world.bob)
    await world.bob.click(other, label="Accept")
    refusal = answer_to(await world.bob.click(challenge, label="Accept"))
    assert labels(refusal) == ["Restart", "Resign", THREAD]
    await world.bob.click(refusal, label="Resign")
    await world.bob.click(refusal, label="Yes, resign")
    await world.bob.click(challenge, label="Accept")
    assert "❌ **alice** vs 🔵 **bob**" in text(world.last)


@pytest.mark.parametrize(("who", "offered"), [("alice", "before"), ("bob", "meanwhile")])
async def test_accepting_while_one_of_the_players_plays_the_computer(
    world: World, who: str, offered: str
) -> None:
    """That match is put away, since both want the new one; later `/board` brings it back."""
    player = getattr(world, who)
    if offered == "before":
        challenge = await offer(world, world.alice, world.bob)
    alone = await world.command(player, "play tictactoe")
    if offered == "meanwhile":
        challenge = await offer(world, world.alice, world.bob)
    assert labels(world.now(alone))
    await world.bob.click(challenge, label="Accept")
    (board,) = world.boards()
    assert "❌ **alice** vs 🔵 **bob**" in text(board)
    told = text(world.now(alone))
    assert "put away" in told and "the channel is free" not in told
    await world.resign(world.bob)
    await player.slash(world.channel, "board")
    assert "Computer (medium)" in text(world.last)


async def test_starting_a_table_while_its_owner_plays_the_computer(world: World) -> None:
    """If nobody has joined, the table begins against the computer; the other match is put away."""
    table = await world.command(world.alice, "play tribolo", open=True)
    await world.alice.slash(world.channel, "play tictactoe")
    await world.alice.click(table, label="Start")
    assert "Tribolo" in text(world.last)
