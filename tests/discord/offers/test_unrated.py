"""Playing on unrated, by consent: nobody takes a match out of the rating alone."""

from simcord.actors import MemberActor

from tests.discord.matches.three import move, mover, three
from tests.discord.offers.agreeing import ask
from tests.discord.world import World, answer_to, button, labels, notified, refused, text


async def test_a_losing_player_asks_for_a_hint(world: World) -> None:
    """The hint is refused with the way to it; the match stays rated while the other declines."""
    await world.played("a1 b1 a2")
    refusal = await world.bob.slash(world.channel, "hint")
    assert "no hints in a rated match. Ask alice to play on unrated" in refused(refusal)
    await world.bob.click(answer_to(refusal), label="Ask to play on unrated")
    question = world.last
    assert "**bob** asks to play on unrated; hints are then free" in text(question)
    assert notified(question, world.env) == [world.alice.id]
    await world.alice.click(question, label="Decline")
    assert "the match stays rated" in text(world.now(question))
    await world.press(world.bob, "b2", world.boards()[-1])
    await world.press(world.alice, "a3")
    assert "Rating" in text(world.last)


async def test_hints_are_free_once_the_others_agree(world: World) -> None:
    """The board says so and has the button; the end only counts for the score."""
    await world.played("a1 b1 a2")
    question = await ask(world, world.bob, "Unrated", by_button=False)
    await world.alice.click(question, label="Agree")
    assert "agreed to play on unrated" in text(world.last)
    assert labels(world.last) == ["Undo", "Resign", "Draw", "Hint", "Restart"]
    assert len(world.channel.history()) == 1
    assert "🔵 **a3**" in text(await world.bob.click(world.last, label="Hint"))
    assert "hints are free" in refused(await world.bob.slash(world.channel, "unrated"))
    await world.press(world.bob, "b2")
    await world.press(world.alice, "a3")
    assert "agreed to play on unrated" in text(world.last)
    assert "Rating" not in text(world.last)
    await world.rematch()
    assert "Series: **bob** 0 – **alice** 1" in text(world.last)


async def test_an_agreement_outlives_an_undo_of_the_end(world: World) -> None:
    """A match that was played on unrated stays so when its end is taken back."""
    await world.played("a1 b1 a2 b2")
    await world.alice.click(await ask(world, world.bob, "Unrated", by_button=False), label="Agree")
    await world.press(world.alice, "a3")
    await world.bob.click(await ask(world, world.alice, "Undo", by_button=True), label="Agree")
    assert "agreed to play on unrated" in text(world.last)


async def test_all_of_three_must_agree(world: World) -> None:
    """One member of three can't take the match out of the rating, nor two."""
    await three(world)
    question = await world.command(world.alice, "unrated")
    await world.bob.click(question, label="Agree")
    assert "rated match" in refused(await (await mover(world)).slash(world.channel, "hint"))
    await world.carol.click(question, label="Agree")
    assert "play on unrated" in text(world.last)
    await move(world)


async def test_a_question_is_closed_after_a_restart_of_the_bot(world: World) -> None:
    """Open questions are stored, so the next move or a resignation removes their buttons."""
    board = await world.challenge()
    question = await ask(world, world.alice, "Unrated", by_button=False)
    await world.env.restart_bot()
    await world.press(world.alice, "b2", board)
    assert "asked to play on unrated. The offer no longer stands." in text(world.now(question))
    draw = await ask(world, world.alice, "Draw", by_button=False)
    await world.resign(world.bob)
    assert not labels(world.now(draw))
    late = refused(await world.late(world.bob, draw, button(draw, "agree")))
    assert "no longer stands" in late and str(world.last.id) in late


async def test_a_called_off_match_of_three_has_no_ranks(world: World, mod: MemberActor) -> None:
    """It has none on its final board, in the history, a replay, the record or the stored data."""
    await three(world)
    await move(world)
    await mod.slash(world.channel, "endgame")
    assert "#1" not in text(world.last) and "🔵 **alice**" in text(world.last)
    history = await world.alice.slash(world.channel, "history")
    assert "No result against" in text(history)
    assert "#" not in text(await world.alice.slash(world.channel, "replay")).replace("### ", "")
    files = await world.files(await world.alice.slash(world.channel, "export"))
    record = next(file for name, file in files.items() if name.endswith(".txt"))
    assert b"result: called_off\n" in record.read()
    assert await world.sql("SELECT DISTINCT rank FROM seats") == [(None,)]
