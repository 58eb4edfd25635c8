"""Rematches: both players must want one, and the seats change."""

import pytest
from simcord.results import InteractionResult

from tests.conftest import Calendar
from tests.discord.invitations.inviting import offer
from tests.discord.matches.passing import MINUTE
from tests.discord.matches.taking import TAKE, THREAD
from tests.discord.offers.agreeing import ask
from tests.discord.world import LOOKING, World, answer_to, ids, labels, notified, refused, text


async def test_a_rematch_needs_both(world: World) -> None:
    """The first request notifies the other player; the second starts the rematch.

    The final board stays, and only the request is removed.
    """
    final = await world.played()
    await world.alice.click(final, label="Rematch")
    assert f"**alice** would like a rematch. <@{world.bob.id}>, do you" in text(world.last)
    assert notified(world.last, world.env) == [world.bob.id]
    assert not world.boards()
    await world.bob.click(final, label="Rematch")
    assert len(world.channel.history()) == 2
    assert "❌ **bob** vs 🔵 **alice**" in text(world.last)
    assert "**alice** wins" in text(world.now(final))
    assert labels(world.now(final)) == LOOKING


async def test_a_rematch_by_commands(world: World) -> None:
    """`/rematch` asks, and the other's Agree or `/rematch` starts the match."""
    final = await world.played()
    question = await ask(world, world.bob, "Rematch", by_button=False)
    assert "**bob** would like a rematch" in text(question)
    await world.alice.click(question, label="Agree")
    assert "❌ **bob** vs 🔵 **alice**" in text(world.last)
    assert labels(world.now(final)) == LOOKING
    await world.resign(world.bob)
    await world.rematch()
    assert "❌ **alice** vs 🔵 **bob**" in text(world.last)


@pytest.mark.parametrize("asked", [False, True])
async def test_a_rematch_with_a_player_who_can_not_see_the_channel(
    world: World, asked: bool
) -> None:
    """It is neither asked for nor begun: the other player couldn't answer, nor move."""
    final = await world.played()
    if asked:
        await world.bob.click(final, label="Rematch")
    count = len(world.channel.history())
    world.deny(world.channel, world.bob, view_channel=True)
    told = refused(await world.alice.click(final, label="Rematch"))
    assert "bob can't see this channel" in told
    assert len(world.channel.history()) == count and not world.boards()


async def test_a_declined_rematch(world: World) -> None:
    """After bob's Decline the button on the board still works."""
    final = await world.played()
    question = await ask(world, world.alice, "Rematch", by_button=False)
    await world.bob.click(question, label="Decline")
    assert "**bob** doesn't want" in text(world.now(question))
    await world.bob.click(final, label="Rematch")
    assert not world.boards()
    await world.alice.click(final, label="Rematch")
    assert len(world.boards()) == 1


async def test_a_rematch_where_nothing_was_played(world: World) -> None:
    """The refusal says that there is no match to repeat, where it works, and begins one."""
    told = refused(await world.alice.slash(world.channel, "rematch"))
    assert told.startswith("No match has been played in this channel yet.")
    assert "the channel of your last match" in told


async def test_an_old_rematch_button(world: World) -> None:
    """During the rematch the old button is refused with a link; after it, it is spent."""
    final = await world.played()
    rematch, *_ = ids(final)
    for who in (world.alice, world.bob):
        await who.click(final, label="Rematch")
    board = world.last
    late = await world.late(world.alice, final, rematch)
    assert str(board.id) in refused(late)
    await world.resign(world.bob)
    late = await world.late(world.alice, final, rematch)
    assert "`/rematch`" in refused(late)
    assert labels(world.now(final)) == LOOKING


async def test_the_same_match_again_by_play(world: World) -> None:
    """It continues the series, so the final board before it has no *Rematch* any more.

    A board of another series keeps it.
    """
    other = await world.played()
    for _ in range(2):
        await world.alice.slash(world.channel, "play tictactoe", level="easy")
        await world.alice.slash(world.channel, "move", where="b2")
        await world.resign(world.alice)
    finals = [m for m in world.channel.history() if "**Computer (easy)** wins" in text(m)]
    first, last = sorted(finals, key=lambda one: one.id)
    assert labels(first) == LOOKING
    assert "Rematch" in labels(last) and "Rematch" in labels(world.now(other))


async def test_a_rematch_in_a_busy_channel(world: World) -> None:
    """Carol has started a match in the channel: the request is refused with a link, and kept."""
    final = await world.played()
    await world.alice.click(final, label="Rematch")
    board = await world.command(world.carol, "play tictactoe")
    refusal = refused(await world.bob.click(final, label="Rematch"))
    assert str(board.id) in refusal
    assert "Try again once it's over." in refusal and "/play" not in refusal
    await world.resign(world.carol)
    await world.bob.click(final, label="Rematch")
    (board,) = world.boards()
    assert "❌ **bob** vs 🔵 **alice**" in text(board)


@pytest.mark.parametrize("by", ["button", "question"])
async def test_a_rematch_where_a_match_rests(by: str, world: World, calendar: Calendar) -> None:
    """The channel can be taken over, as by a refused `/play`, and then the rematch begins."""
    final = await world.played()
    await world.alice.click(final, label="Rematch")
    question = world.last
    await world.carol.slash(world.channel, "play tictactoe")
    calendar.ahead += 30 * MINUTE

    async def agree() -> InteractionResult:
        if by == "button":
            return await world.bob.click(final, label="Rematch")
        return await world.bob.click(question, label="Agree")

    refusal = answer_to(await agree())
    await world.bob.click(refusal, label=TAKE)
    await agree()
    assert "❌ **bob** vs 🔵 **alice**" in text(world.last)


async def test_a_rematch_during_another_match_of_ones_own(world: World) -> None:
    """The refusal has buttons to restart or resign that match, as that of *Accept* has."""
    final = await world.played()
    challenge = await offer(world, world.carol, world.bob)
    await world.bob.click(challenge, label="Accept")
    refusal = answer_to(await world.bob.click(final, label="Rematch"))
    assert labels(refusal) == ["Restart", "Resign", THREAD]


async def test_a_rematch_while_one_of_the_players_plays_the_computer(world: World) -> None:
    """The match against the computer is put away once both want the rematch."""
    final = await world.played()
    alone = await world.command(world.alice, "play tictactoe")
    await world.bob.click(final, label="Rematch")
    assert world.boards()
    await world.alice.click(final, label="Rematch")
    (board,) = world.boards()
    assert "❌ **bob** vs 🔵 **alice**" in text(board)
    assert "put away" in text(world.now(alone))


async def test_a_rematch_against_the_computer(world: World) -> None:
    """It starts at once with the seats exchanged, so the computer has already moved."""
    await world.alice.slash(world.channel, "play tictactoe", level="hard")
    await world.resign(world.alice)
    await world.alice.slash(world.channel, "rematch")
    assert "❌ **Computer (hard)** vs 🔵 **alice**" in text(world.last)
    assert "Last move: ❌" in text(world.last)
    assert len(world.boards()) == 1


@pytest.mark.parametrize("same", [True, False], ids=["the same", "another"])
async def test_a_new_challenge_instead_of_a_rematch(world: World, same: bool) -> None:
    """If the series goes on, the question loses its buttons; after another game it stands."""
    await world.played()
    question = await ask(world, world.alice, "Rematch", by_button=True)
    await world.challenge(**({} if same else {"game": "nineholes"}))
    assert labels(world.now(question)) == ([] if same else ["Agree", "Decline"])
    if same:
        assert "The offer no longer stands" in text(world.now(question))
    else:
        await world.resign(world.alice)
        await world.bob.click(question, label="Agree")
        assert "Tic-tac-toe" in text(world.boards()[-1])
