"""Members who take no challenges."""

from simcord.actors import MemberActor

from tests.discord.invitations.inviting import BUTTONS, offer, table
from tests.discord.world import World, answer_to, labels, notified, refused, text

REFUSED = "bob doesn't accept challenges, but can join a table that you open."


async def leave_alone(world: World, who: MemberActor, challenges: str = "nobody") -> str:
    """Let a member choose who may challenge them; return the answer."""
    return refused(await who.slash(world.channel, "settings me", challenges=challenges))


async def test_a_member_chooses_to_take_no_challenges(world: World) -> None:
    """The choice is shown, keeps the member's other choices, and can be taken back."""
    await world.bob.slash(world.channel, "settings me", boards="words")
    assert "Challenges: from everybody" in refused(
        await world.bob.slash(world.channel, "settings me")
    )
    shown = await leave_alone(world, world.bob)
    assert "Challenges: from nobody" in shown and "Boards: words" in shown
    assert "Challenges: from everybody" in await leave_alone(world, world.bob, "everybody")
    assert labels(await offer(world, world.alice, world.bob)) == BUTTONS


async def test_a_member_who_takes_no_challenges_is_never_notified(world: World) -> None:
    """Nobody challenges them, by command, in their menu, or to a seat at a table.

    The refusal is the challenger's alone.
    """
    await leave_alone(world, world.bob)
    alice, here = world.alice, world.channel
    assert REFUSED in refused(await alice.slash(here, "play tictactoe", against=world.bob))
    named = {"against": world.carol, "third": world.bob}
    assert REFUSED in refused(await alice.slash(here, "play tribolo", **named))
    assert REFUSED in refused(await alice.slash(here, "play tribolo", against=world.bob, open=True))
    assert REFUSED in refused(await alice.context_menu(here, "Challenge", world.bob))
    assert not here.history()
    assert labels(await offer(world, world.alice, world.carol)) == BUTTONS


async def test_a_member_who_takes_no_challenges_plays_when_they_want(world: World) -> None:
    """They challenge others, who may answer by asking for the same, and join tables."""
    await leave_alone(world, world.bob)
    await offer(world, world.bob, world.alice)
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, first="opponent")
    assert (await world.stored()).names == ("bob", "alice")
    await world.resign(world.bob)
    await world.bob.click(await table(world), label="Join")
    assert (await world.stored()).names == ("alice", "bob")


async def test_a_busy_channel_is_not_taken_over_for_them(world: World) -> None:
    """A challenge that is refused anyway offers no way past the match that holds the channel."""
    await leave_alone(world, world.bob)
    await world.alice.slash(world.channel, "play tictactoe")
    result = await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    assert REFUSED in refused(result) and not labels(answer_to(result))


async def test_a_rematch_is_asked_for_without_notifying_them(world: World) -> None:
    """They have just played, and see the question if they look; they notify others as usual."""
    final = await world.played()
    await leave_alone(world, world.bob)
    await world.alice.click(final, label="Rematch")
    assert "**alice** would like a rematch" in text(world.last)
    assert notified(world.last, world.env) == []
    await world.bob.click(world.last, label="Agree")
    await world.resign(world.bob)
    await world.bob.slash(world.channel, "rematch")
    assert notified(world.last, world.env) == [world.alice.id]


async def test_an_undo_after_the_end_is_asked_for_without_notifying_them(world: World) -> None:
    """Who has lost an unrated match could notify them again and again."""
    await leave_alone(world, world.bob)
    await offer(world, world.bob, world.alice)
    await world.alice.click(world.last, label="Accept")
    await world.alice.slash(world.channel, "unrated")
    await world.bob.click(world.last, label="Agree")
    for member, square in zip((world.bob, world.alice) * 3, "a1 b1 a2 b2 a3".split(), strict=False):
        await member.slash(world.channel, "move", where=square)
    await world.alice.slash(world.channel, "undo")
    assert "**alice** asks to take back" in text(world.last)
    assert notified(world.last, world.env) == []


async def test_offers_within_a_match_notify_them(world: World) -> None:
    """They have agreed to the match, and have to answer."""
    await leave_alone(world, world.bob)
    await offer(world, world.bob, world.alice)
    await world.alice.click(world.last, label="Accept")
    await world.alice.slash(world.channel, "draw")
    assert notified(world.last, world.env) == [world.bob.id]
