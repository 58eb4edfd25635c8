"""`/answer`: it answers challenges and open tables as their buttons do."""

import pytest
from simcord.builders import ChannelHandle

from bot.identity import InvitationId
from bot.invitations.model import Reply, Verb
from tests.discord.calls import CALLBACK, on_its_way
from tests.discord.elsewhere import GROUP, Elsewhere
from tests.discord.invitations.inviting import BUTTONS, offer, table
from tests.discord.matches.forms import wants
from tests.discord.world import World, button, labels, mentioned, refused, text


async def test_a_challenge_is_declined(world: World) -> None:
    """A message that says so replaces the challenge, for everybody to see."""
    challenge = await offer(world, world.alice, world.bob)
    await world.bob.slash(world.channel, "answer", answer="decline")
    (declined,) = world.channel.history()
    assert declined.id != challenge.id and not declined.flags.ephemeral
    assert "**bob** declined" in text(declined) and not labels(declined)
    again = refused(await world.bob.slash(world.channel, "answer", answer="decline"))
    assert again.startswith("No challenge or open table in this channel is waiting")
    assert "`/play` lets you offer your own" in again
    assert labels(await offer(world, world.alice, world.bob)) == BUTTONS


async def test_who_reads_words_is_told_the_command_that_answers(world: World) -> None:
    """Some screen readers don't reach buttons; those who see the board need no such line."""
    await wants(world, world.bob, "words")
    challenge = await offer(world, world.alice, world.bob)
    assert "Without buttons: `/answer`" in text(challenge)
    await world.bob.slash(world.channel, "answer", answer="decline")
    assert "Without buttons" not in text(world.last)
    challenge = await offer(world, world.bob, world.alice)
    assert "Without buttons" not in text(challenge)


async def test_a_challenge_is_accepted_without_its_options(world: World) -> None:
    """To accept, a member needn't repeat the options; the board takes the challenge's place."""
    await offer(world, world.alice, world.bob, rows=4, columns=5, clock=3600)
    await world.bob.slash(world.channel, "answer", answer="accept")
    (board,) = world.channel.history()
    assert "Tic-tac-toe 4×5" in text(board) and "❌ **alice** vs 🔵 **bob**" in text(board)


async def test_answers_of_a_table_to_a_challenge(world: World) -> None:
    """A challenge has no table: what is refused tells whose answer it waits for, and how it ends.

    Who is challenged may say that they join, or leave.
    """
    await offer(world, world.alice, world.bob)
    for who, answer, why in (
        (world.carol, "join", "This challenge is for bob"),
        (world.carol, "leave", "This challenge is for bob"),
        (world.carol, "start", "This challenge is for bob"),
        (world.alice, "join", "It's up to bob to accept"),
        (world.alice, "start", "It's up to bob to accept"),
    ):
        told = refused(await who.slash(world.channel, "answer", answer=answer))
        assert why in told and "table" not in told, (who.name, answer)
    await world.bob.slash(world.channel, "answer", answer="leave")
    assert "**bob** declined **alice**'s challenge" in text(world.last)
    await offer(world, world.alice, world.bob)
    await world.bob.slash(world.channel, "answer", answer="join")
    assert "**alice** vs 🔵 **bob**" in text(world.last)


async def test_leaving_while_a_challenge_waits_for_the_member(world: World) -> None:
    """They leave the table: a challenge has no such button. Without a table, they decline."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    await offer(world, world.carol, world.bob)
    await world.bob.slash(world.channel, "answer", answer="leave")
    assert "tribolo" in text(world.last).lower() and "bob" not in text(world.last)
    await world.bob.slash(world.channel, "answer", answer="leave")
    assert "**bob** declined **carol**'s challenge" in text(world.last)


async def test_a_challenge_is_withdrawn(world: World) -> None:
    """Only its owner can withdraw it, in its channel."""
    await offer(world, world.alice, world.bob)
    other: ChannelHandle = world.guild.create_text_channel("other")
    told = refused(await world.alice.slash(other, "answer", answer="withdraw"))
    assert told.startswith("No challenge or open table in this channel is waiting")
    told = refused(await world.bob.slash(world.channel, "answer", answer="withdraw"))
    assert "Only alice" in told and labels(world.last) == BUTTONS
    await world.alice.slash(world.channel, "answer", answer="withdraw")
    assert "**alice** withdrew" in text(world.last)


async def test_a_challenge_is_withdrawn_by_naming_who_was_challenged(world: World) -> None:
    """The challenger needn't know that `member` means an owner: that can only be themselves."""
    await offer(world, world.alice, world.bob)
    other = await world.alice.slash(world.channel, "answer", answer="withdraw", member=world.carol)
    assert refused(other).startswith("No challenge or open table in this channel is waiting")
    await offer(world, world.bob, world.alice, rows=4)
    await world.alice.slash(world.channel, "answer", answer="withdraw", member=world.bob)
    assert "**alice** withdrew" in text(world.last)
    await world.alice.slash(world.channel, "answer", answer="decline", member=world.bob)
    assert "**alice** declined **bob**'s challenge" in text(world.last)


async def test_naming_a_member_means_their_table(world: World) -> None:
    """Each sits at the other's: alice leaves bob's by naming him, and doesn't start her own.

    Only what she withdraws may be her own.
    """
    own = await table(world, game="tribolo")
    await world.bob.click(own, label="Join")
    await world.bob.slash(world.channel, "play tribolo", open=True)
    await world.alice.click(world.last, label="Join")
    told = refused(
        await world.alice.slash(world.channel, "answer", answer="start", member=world.bob)
    )
    assert "Only bob can start" in told
    await world.alice.slash(world.channel, "answer", answer="leave", member=world.bob)
    assert "**bob** has opened a table" in text(world.last)
    assert "**alice**" not in text(world.last) and "**alice**" in text(world.now(own))


async def test_a_table_of_three(world: World) -> None:
    """Members join, leave, and start it; each answer shows the table anew and notifies nobody."""
    await table(world, game="tribolo", level="easy")
    await world.bob.slash(world.channel, "answer", answer="join")
    (shown,) = world.channel.history()
    assert "🔺 **bob**\n💚 *free seat*" in text(shown) and not mentioned(shown, world.env)
    await world.carol.click(shown, label="Join")
    assert "Tribolo" in text(world.last) and len(world.channel.history()) == 1


async def test_a_table_is_left_and_started(world: World) -> None:
    """The owner starts it, with the computer in the seats that are free again."""
    await table(world, game="tribolo", level="easy")
    for answer in ("join", "leave"):
        await world.bob.slash(world.channel, "answer", answer=answer)
    assert "**bob**" not in text(world.last)
    assert "Only alice can start" in refused(
        await world.bob.slash(world.channel, "answer", answer="start")
    )
    await world.alice.slash(world.channel, "answer", answer="start")
    (board,) = world.channel.history()
    assert text(board).count("**Computer (easy)**") >= 2


async def test_answer_asks_for_the_owner_only_if_several_are_meant(world: World) -> None:
    """Only invitations that can take the answer count; `member` names the owner of one."""
    await table(world)
    await offer(world, world.carol, world.bob)
    await world.carol.slash(world.channel, "answer", answer="join")
    assert "**alice** vs 🔵 **carol**" in text(world.last), "carol can join no challenge"
    await world.alice.slash(world.channel, "resign", confirm=True)
    await offer(world, world.alice, world.bob)
    asked = refused(await world.bob.slash(world.channel, "answer", answer="decline"))
    assert "carol and alice" in asked and "`member`" in asked
    await world.bob.slash(world.channel, "answer", answer="decline", member=world.alice)
    assert "declined" in text(world.last) and "alice" in text(world.last)
    await world.bob.slash(world.channel, "answer", answer="decline")
    assert "declined" in text(world.last) and "carol" in text(world.last)


async def test_a_command_is_refused_as_its_button_is(world: World) -> None:
    """Nobody may answer by command what they may not answer by button, for the same reason."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    before = world.public()
    refusals = {
        "alice": (Verb.ACCEPT, Verb.DECLINE, Verb.JOIN),
        "bob": (Verb.ACCEPT, Verb.JOIN, Verb.START, Verb.WITHDRAW),
        "carol": (Verb.ACCEPT, Verb.DECLINE, Verb.LEAVE, Verb.START, Verb.WITHDRAW),
    }
    for name, verbs in refusals.items():
        for verb in verbs:
            asked = await getattr(world, name).slash(world.channel, "answer", answer=verb.value)
            told = refused(asked)
            forged = await world.made_up(Reply(InvitationId(1), verb).custom_id)
            assert refused(await getattr(world, name).click(forged, label="?")) == told, verb
            world.env.backend.delete_message(world.channel.id, forged.id)
    assert world.public() == before


async def test_a_press_on_the_message_that_is_being_replaced(world: World) -> None:
    """The message that stays shows both answers, whichever Discord takes first."""
    opened = await table(world, game="tribolo")
    pressed = world.when_posted(world.bob, opened, button(opened, "leave"))
    await world.bob.slash(world.channel, "answer", answer="join")
    await world.env.settle()
    assert pressed
    (shown,) = world.channel.history()
    assert shown.id != opened.id and "**bob**" not in text(shown)


async def test_a_press_that_begins_the_match_meanwhile(world: World) -> None:
    """The new message is removed too, since its table has become the match."""
    opened = await table(world, game="tribolo")
    pressed = world.when_posted(world.carol, opened, button(opened, "join"))
    await world.bob.slash(world.channel, "answer", answer="join")
    await world.env.settle()
    assert pressed
    (board,) = world.channel.history()
    assert "Tribolo" in text(board) and "**carol**" in text(board)


async def test_two_presses_on_the_message_that_is_being_replaced(world: World) -> None:
    """One message stays, which shows all answers."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    joined = world.when_posted(world.carol, opened, button(opened, "join"))
    left = world.when_posted(world.carol, opened, button(opened, "leave"))
    await world.bob.slash(world.channel, "answer", answer="leave")
    await world.env.settle()
    assert joined and left
    (shown,) = world.channel.history()
    assert text(shown).count("*free seat*") == 2


@pytest.mark.parametrize("command", ["answer", "play tribolo"])
async def test_an_erasure_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """If a table's owner is erased meanwhile, no message with their name stays."""
    answering = command == "answer"
    if answering:
        await table(world, game="tribolo")

    async def erase() -> None:
        for name in ("invitation_seats", "invitations"):
            await world.sql(f"DELETE FROM {name}")

    on_its_way(monkeypatch, CALLBACK, after=erase)
    if answering:
        await world.bob.slash(world.channel, "answer", answer="join")
    else:
        await world.alice.slash(world.channel, "play tribolo", open=True)
    await world.env.settle()
    assert not world.public()


@pytest.mark.parametrize("elsewhere", [GROUP], indirect=True)
async def test_a_challenge_answered_where_only_answers_arrive(
    world: World, elsewhere: Elsewhere
) -> None:
    """A challenge is declined in a group, too, and one message of it remains."""
    await offer(world, world.alice, world.bob)
    await world.bob.slash(world.channel, "answer", answer="decline")
    (declined,) = world.channel.history()
    assert "**bob** declined" in text(declined)
