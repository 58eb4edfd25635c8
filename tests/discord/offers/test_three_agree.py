"""Agreements among three, and matches that continue after one leaves."""

import asyncio
import re
from functools import partial

import pytest

from tests.discord.calls import CALLBACK, on_its_way
from tests.discord.failing import meanwhile, unreachable
from tests.discord.matches.three import move, mover, three
from tests.discord.world import World, answer_to, ids, labels, notified, refused, text
from tests.fuzzing.acting import slash
from tests.fuzzing.timers import simulate_all_time


async def test_all_others_must_agree_to_a_draw(world: World) -> None:
    """The offer notifies both others and shows who has agreed; the last one draws the match."""
    await three(world)
    await move(world)
    question = await world.command(world.alice, "draw")
    both = f"<@{world.bob.id}> and <@{world.carol.id}>"
    assert f"**alice** offers a draw. {both}, do you agree?" in text(question)
    assert sorted(notified(question, world.env)) == sorted([world.bob.id, world.carol.id])
    await world.carol.click(question, label="Agree")
    shown = text(world.now(question))
    assert f"**alice** offers a draw. <@{world.bob.id}>, do you agree?" in shown
    assert "✅ **carol**" in shown
    for who, words in ((world.carol, "or agreed to it"), (world.alice, "your own offer")):
        assert words in refused(await who.click(question, label="Agree"))
    await world.bob.click(question, label="Agree")
    assert "A draw by agreement" in text(world.last)
    assert (await world.stored()).match.outcome is not None


async def test_one_who_declines_ends_an_offer(world: World) -> None:
    """One player's refusal ends the offer, even if another has agreed."""
    await three(world)
    question = await world.command(world.alice, "draw")
    await world.bob.click(question, label="Agree")
    await world.carol.click(question, label="Decline")
    assert "**carol** plays on" in text(world.now(question))
    assert (await world.stored()).match.outcome is None


async def test_an_agreement_that_discord_takes_after_the_end_of_the_offer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question doesn't get its buttons back."""
    await three(world)
    question = await world.command(world.alice, "draw")
    withdraw = ids(question)[-1]
    begun = meanwhile(monkeypatch, lambda: world.begin(world.alice, question, withdraw))
    await world.bob.click(question, label="Agree")
    assert begun and "The offer no longer stands" in text(world.now(question))
    assert not labels(world.now(question))


async def test_undo_takes_back_the_move_of_the_asker(world: World) -> None:
    """The undone move is the asker's, not that of a player who agreed."""
    await three(world)
    movers = [await move(world) for _ in range(3)]
    asker, others = movers[1], [who for who in movers if who is not movers[1]]
    assert len({who.id for who in movers}) == 3, "nobody was passed over"
    question = await world.command(asker, "undo")
    for other in others:
        await other.click(question, label="Agree")
    assert len((await world.stored()).match.moves) == 1


async def test_asking_for_the_same_is_agreeing(world: World) -> None:
    """A second `/draw` joins the first offer; its message replaces the first one.

    The remaining player has already been notified by the first message.
    """
    await three(world)
    await world.alice.slash(world.channel, "draw")
    await world.bob.slash(world.channel, "draw")
    assert f"**alice** offers a draw. <@{world.carol.id}>, do you agree?" in text(world.last)
    assert "✅ **bob**" in text(world.last)
    assert not notified(world.last, world.env)
    assert len(world.channel.history()) == 2
    await world.carol.click(world.last, label="Agree")
    assert (await world.stored()).match.outcome is not None


async def test_a_question_that_cannot_be_replaced(world: World) -> None:
    """If Discord takes no message for the second `/draw`, the first one asks as before."""
    await three(world)
    question = await world.command(world.alice, "draw")
    with unreachable(world, 500):
        await world.bob.slash(world.channel, "draw")
    await world.bob.click(question, label="Agree")
    assert "✅ **bob**" in text(world.now(question))
    await move(world)
    assert "**alice** offered a draw. The offer no longer stands." in text(world.now(question))


async def test_a_rematch_of_three(world: World) -> None:
    """All three ask, the seats rotate by one, and the score continues."""
    await three(world)
    await world.resign(world.alice)
    await world.resign(world.bob)
    final = world.last
    rematch = next(i for i in ids(final) if i.startswith("r:"))
    for who in (world.alice, world.bob):
        await who.click(final, custom_id=rematch)
    assert "🔁 **alice** would like a rematch." in text(world.last)
    assert "✅ **bob**" in text(world.last)
    await world.carol.click(final, custom_id=rematch)
    assert "🔵 **bob** 4\n🔺 **carol** 4\n💚 **alice** 4" in text(world.last)
    assert "Series: **bob** 0 – **carol** 1 – **alice** 0" in text(world.last)


# --- leaving


async def test_the_others_play_on(world: World) -> None:
    """The confirmation says that the seat goes and its squares stay; the last player left wins."""
    await three(world)
    await move(world)
    leaver = await mover(world)
    asked = await leaver.slash(world.channel, "resign")
    assert "Your squares stay" in refused(asked) and "play on without you" in refused(asked)
    await leaver.click(answer_to(asked), label="Yes, leave")
    assert "You're no longer in this match; the others play on." in text(answer_to(asked))
    shown = text(world.last)
    assert shown.count("🏳️") == 1
    nxt = await mover(world)
    assert nxt.id != leaver.id
    assert notified(world.last, world.env) == [nxt.id]
    where = str((await world.stored()).match.position.legal_moves()[0])
    assert "no longer in this match" in refused(
        await leaver.slash(world.channel, "move", where=where)
    )
    assert "no longer in this match" in refused(await leaver.slash(world.channel, "draw"))
    for _ in range(4):
        assert (await move(world)).id != leaver.id
    second = await mover(world)
    last = await world.resign(second)
    assert "wins it then" in last
    (left,) = {world.alice, world.bob, world.carol} - {leaver, second}
    assert f"**{left.name}** wins!" in text(world.last)
    ranked = re.findall(r"^#\d .*\*\*(\w+)\*\*", text(world.last), re.MULTILINE)
    assert ranked == [left.name, second.name, leaver.name]


async def test_a_draw_without_the_one_who_left(world: World) -> None:
    """The remaining players agree; the one who left is still ranked last."""
    await three(world)
    await world.resign(world.bob)
    await world.alice.slash(world.channel, "draw")
    assert notified(world.last, world.env) == [world.carol.id]
    await world.carol.click(world.last, label="Agree")
    assert "#3 🔺 **bob**" in text(world.last)


async def test_leaving_may_complete_an_agreement(world: World) -> None:
    """If only the departed player hadn't agreed, asking again completes the agreement."""
    await three(world)
    await world.alice.slash(world.channel, "draw")
    await world.carol.click(world.last, label="Agree")
    await world.resign(world.bob)
    await world.alice.slash(world.channel, "draw")
    assert "A draw by agreement" in text(world.last)


async def test_an_undo_without_the_one_who_left_ends_offers(world: World) -> None:
    """Nobody has to agree to the undo; offers made at that ply before can be made again."""
    await world.challenge(game="tribolo", level="easy")
    who = await mover(world)
    (leaver,) = {world.alice, world.bob} - {who}
    await world.resign(leaver)
    await who.slash(world.channel, "restart")
    await move(world)
    await who.slash(world.channel, "undo")
    await who.slash(world.channel, "restart")
    assert notified(world.last, world.env) == [leaver.id]


@pytest.mark.parametrize("late", [1, 2], ids=["question", "question and answer"])
@pytest.mark.parametrize("verb", ["agree", "decline"])
async def test_an_offer_is_answered_while_its_second_question_is_on_its_way(
    world: World, monkeypatch: pytest.MonkeyPatch, verb: str, late: int
) -> None:
    """The second question loses its buttons, and the answer in place of the first one stays."""
    await three(world)
    await move(world)
    question = await world.command(world.alice, "draw")
    simulate_all_time(monkeypatch)
    on_its_way(monkeypatch, CALLBACK, after=partial(asyncio.sleep, 0.8), times=late)
    slash(world.env, world.bob, world.channel, "draw", {})
    await world.env.advance_time(0.4)
    [pressed] = [one for one in ids(question) if one.endswith(verb)]
    world.begin(world.carol, question, pressed)
    await world.env.advance_time(5)
    told = [text(message) for message in world.channel.history() if not labels(message)]
    assert "**carol** plays on" in told[0] if verb == "decline" else len(told) == 1
    assert "The offer no longer stands" in told[-1]
    assert await world.sql("SELECT * FROM offers") == []


async def test_an_undo_of_a_move_before_somebody_left(world: World) -> None:
    """The member who made the last move is told why it stays."""
    await three(world)
    await move(world)
    last = await move(world)
    await world.resign(await mover(world))
    told = refused(await last.slash(world.channel, "undo"))
    assert "You have made no move since a player left" in told
