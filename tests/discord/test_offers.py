"""What takes two: a draw, taking back a move, a rematch; and the series that rematches make."""

import discord
import pytest
from simcord.actors import MemberActor

from tests.discord.world import World, ids, labels, mentioned, refused, text

ALICE_WINS = "a1 b1 a2 b2 a3"
DRAWN = "a1 b1 c1 b2 a2 a3 b3 c2 c3"


async def ask(world: World, who: MemberActor, what: str, *, by_button: bool) -> discord.Message:
    """Ask for something by its command, or by its button on the newest board; return what came."""
    if by_button:
        await who.click(world.boards()[-1], label=what)
    else:
        await who.slash(world.channel, what.lower())
    return world.last


async def finish(world: World, moves: str = ALICE_WINS) -> discord.Message:
    """Let alice challenge bob and both play; return the final board."""
    await world.challenge()
    await world.play(moves)
    return world.last


def answer(message: discord.Message, word: str) -> str:
    """Return the custom id of an answer's button."""
    return next(i for i in ids(message) if i.endswith(f":{word}"))


# --- draws


@pytest.mark.parametrize("by_button", [False, True])
async def test_a_draw_is_offered_and_agreed(world: World, by_button: bool) -> None:
    """Alice offers, bob agrees by button: the match is drawn and the question is gone."""
    await world.challenge()
    await world.press(world.alice, "b2")
    question = await ask(world, world.alice, "Draw", by_button=by_button)
    assert "**alice** offers a draw. **bob**, do you agree?" in text(question)
    assert labels(question) == ["Agree", "Decline"]
    assert not mentioned(question, world.env)
    await world.bob.click(question, label="Agree")
    assert "A draw, agreed" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_draw_is_declined(world: World) -> None:
    """The question says so, loses its buttons, and the match goes on."""
    await world.challenge()
    board = world.last
    question = await ask(world, world.bob, "Draw", by_button=False)
    await world.alice.click(question, label="Decline")
    assert "**alice** plays on" in text(world.now(question))
    assert not labels(world.now(question))
    await world.press(world.alice, "b2", board)
    assert "Last move: ❌ b2" in text(world.last)


@pytest.mark.parametrize(("first", "second"), [(False, False), (False, True), (True, False)])
async def test_two_draw_offers_merge(world: World, first: bool, second: bool) -> None:
    """Asking for what the other has offered is agreeing to it, by command or by button."""
    await world.challenge()
    await ask(world, world.alice, "Draw", by_button=first)
    await ask(world, world.bob, "Draw", by_button=second)
    assert "A draw, agreed" in text(world.last)


async def test_two_draw_offers_in_one_moment(world: World) -> None:
    """Both press Draw at once: the match is drawn, once."""
    await world.challenge()
    board = world.last
    draw = answer(board, "draw")
    await world.at_once((world.alice, board, draw), (world.bob, board, draw))
    assert sum("A draw, agreed" in text(m) for m in world.channel.history()) == 1


@pytest.mark.parametrize("word", ["agree", "decline"])
async def test_an_offer_lapses_with_the_next_move(world: World, word: str) -> None:
    """After a move the old question is refused, and the match goes on."""
    await world.challenge()
    board = world.last
    question = await ask(world, world.alice, "Draw", by_button=False)
    await world.press(world.alice, "b2", board)
    result = await world.bob.click(question, custom_id=answer(question, word))
    assert "doesn't stand any more" in refused(result)
    assert len(world.boards()) == 1


async def test_a_lapsed_offer_does_not_come_back(world: World) -> None:
    """A draw offered, a move made and taken back: the old offer is still over."""
    await world.challenge()
    board = world.last
    question = await ask(world, world.bob, "Draw", by_button=False)
    await world.press(world.alice, "b2", board)
    undo = await ask(world, world.alice, "Undo", by_button=False)
    await world.bob.click(undo, label="Agree")
    assert "doesn't stand any more" in refused(await world.alice.click(question, label="Agree"))
    await world.alice.slash(world.channel, "draw")
    assert "offers a draw" in text(world.last)


@pytest.mark.parametrize("label", ["Agree", "Decline"])
async def test_own_offers_are_for_the_other(world: World, label: str) -> None:
    """Whoever has asked can't answer."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    assert "your own offer" in refused(await world.alice.click(question, label=label))
    assert labels(world.now(question)) == ["Agree", "Decline"]


@pytest.mark.parametrize("label", ["Agree", "Decline"])
async def test_a_stranger_answers_nothing(world: World, label: str) -> None:
    """Carol doesn't play, so she can't agree or decline."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    assert "alice" in refused(await world.carol.click(question, label=label))
    await world.bob.click(question, label="Agree")
    assert "A draw, agreed" in text(world.last)


async def test_a_stranger_offers_nothing(world: World) -> None:
    """Nor does Draw on the board work for her."""
    await world.challenge()
    assert "alice" in refused(await world.carol.click(world.last, label="Draw"))


async def test_agreeing_twice(world: World) -> None:
    """A doubled press on Agree ends the match once; the second press is told."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    agree = answer(question, "agree")
    _, late = await world.at_once((world.bob, question, agree), (world.bob, question, agree))
    refused(late)
    assert sum("A draw, agreed" in text(m) for m in world.channel.history()) == 1


async def test_a_declined_offer_is_over(world: World) -> None:
    """Agree pressed right after Decline is refused."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    _, late = await world.at_once(
        (world.bob, question, answer(question, "decline")),
        (world.bob, question, answer(question, "agree")),
    )
    assert "doesn't stand any more" in refused(late)


async def test_no_draw_with_the_computer(world: World) -> None:
    """The computer doesn't agree to draws: no button, and the command says why."""
    await world.alice.slash(world.channel, "play tictactoe")
    assert labels(world.last) == ["Undo", "Resign", "Hint"]
    assert "computer" in refused(await world.alice.slash(world.channel, "draw"))


async def test_no_draw_after_the_end(world: World) -> None:
    """A finished match can't be drawn any more."""
    await finish(world)
    assert "This match is over" in refused(await world.bob.slash(world.channel, "draw"))


async def test_questions_from_before_a_restart(world: World) -> None:
    """Nothing of an offer is in the bot's memory, so its question is answered afterwards."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    await world.env.restart_bot()
    await world.bob.click(question, label="Agree")
    assert "A draw, agreed" in text(world.last)


# --- taking back a move


@pytest.mark.parametrize("by_button", [False, True])
async def test_a_move_is_taken_back_when_the_other_agrees(world: World, by_button: bool) -> None:
    """Only after bob's Agree is alice's move gone; then it is her turn, on one board."""
    await world.challenge()
    await world.play("a1 b1 a2")
    question = await ask(world, world.alice, "Undo", by_button=by_button)
    assert "**alice** asks to take back their last move" in text(question)
    assert "(the match then isn't rated). **bob**, do you agree?" in text(question)
    assert "Last move: ❌ a2" in text(world.boards()[-1])
    await world.bob.click(question, label="Agree")
    assert "Last move: ⭕ b1" in text(world.last)
    assert mentioned(world.last, world.env) == [world.alice.id]
    assert len(world.channel.history()) == 1
    await world.press(world.alice, "c3")
    assert "Last move: ❌ c3" in text(world.last)


async def test_the_first_move_is_taken_back(world: World) -> None:
    """Bob agrees though he has made no move himself."""
    await world.challenge()
    await world.press(world.alice, "b2")
    question = await ask(world, world.alice, "Undo", by_button=True)
    await world.bob.click(question, label="Agree")
    assert "Last move" not in text(world.last)
    assert "**alice** vs" in text(world.last)


async def test_taking_back_after_the_answer(world: World) -> None:
    """Bob has answered already: his move goes too, back to alice's decision."""
    await world.challenge()
    await world.play("a1 b1 a2 b2")
    question = await ask(world, world.alice, "Undo", by_button=False)
    await world.bob.click(question, label="Agree")
    assert "Last move: ⭕ b1" in text(world.last)


async def test_the_move_stands_when_the_other_declines(world: World) -> None:
    """The question says so, and play goes on from the board."""
    await world.challenge()
    await world.press(world.alice, "b2")
    board = world.last
    question = await ask(world, world.alice, "Undo", by_button=False)
    await world.bob.click(question, label="Decline")
    assert "**bob** doesn't agree" in text(world.now(question))
    await world.press(world.bob, "a1", board)
    assert "Last move: ⭕ a1" in text(world.last)


@pytest.mark.parametrize("by_button", [False, True])
async def test_asking_for_the_same_is_agreeing(world: World, by_button: bool) -> None:
    """Bob asks for an undo where alice has: her move is taken back, not his."""
    await world.challenge()
    await world.play("a1 b1 a2")
    await ask(world, world.alice, "Undo", by_button=by_button)
    await ask(world, world.bob, "Undo", by_button=by_button)
    assert "Last move: ⭕ b1" in text(world.last)


async def test_nothing_to_take_back(world: World) -> None:
    """Before one's first move there is nothing to ask for; the other isn't bothered."""
    await world.challenge()
    for who in (world.alice, world.bob):
        assert "no move yet" in refused(await who.slash(world.channel, "undo"))
    board = world.boards()[-1]
    await world.press(world.alice, "b2", board)
    board = world.last
    assert "no move yet" in refused(await world.bob.click(board, label="Undo"))


async def test_a_result_between_members_stands(world: World) -> None:
    """A finished rated match can't be taken back, and its board has no button for it."""
    final = await finish(world)
    assert labels(final) == ["Rematch", "Replay", "Analyse"]
    for who in (world.alice, world.bob):
        assert "stands" in refused(await who.slash(world.channel, "undo"))


async def test_asking_on_after_a_move(world: World) -> None:
    """A question about an older move doesn't stand once the match has gone on."""
    await world.challenge()
    await world.press(world.alice, "b2")
    board = world.last
    question = await ask(world, world.alice, "Undo", by_button=False)
    await world.press(world.bob, "a1", board)
    assert "doesn't stand any more" in refused(await world.bob.click(question, label="Agree"))
    assert "Last move: ⭕ a1" in text(world.boards()[-1])


# --- rematches


async def test_a_rematch_needs_both(world: World) -> None:
    """One press is noted on the final board; the other's begins it, and the final board stays."""
    final = await finish(world)
    await world.alice.click(final, label="Rematch")
    assert "**alice** would like a rematch" in text(world.now(final))
    assert not world.boards()
    await world.bob.click(final, label="Rematch")
    assert "❌ **bob** vs ⭕ **alice**" in text(world.last)
    assert "**alice** wins" in text(world.now(final))
    assert labels(world.now(final)) == ["Replay", "Analyse"]


async def test_asking_twice_is_asking_once(world: World) -> None:
    """Alice alone doesn't begin a rematch, however often she presses."""
    final = await finish(world)
    for _ in range(2):
        await world.alice.click(final, label="Rematch")
    assert not world.boards()
    assert text(world.now(final)).count("**alice** would like") == 1


@pytest.mark.parametrize("button_first", [False, True])
async def test_a_command_and_a_button_merge(world: World, button_first: bool) -> None:
    """/rematch and the button are the same wish."""
    final = await finish(world)
    if button_first:
        await world.alice.click(final, label="Rematch")
        await world.bob.slash(world.channel, "rematch")
    else:
        await world.alice.slash(world.channel, "rematch")
        await world.bob.click(final, label="Rematch")
    assert len(world.boards()) == 1


async def test_a_rematch_by_commands(world: World) -> None:
    """/rematch asks, and the other's Agree or /rematch begins it."""
    await finish(world)
    question = await ask(world, world.bob, "Rematch", by_button=False)
    assert "**bob** would like a rematch" in text(question)
    await world.alice.click(question, label="Agree")
    assert "❌ **bob** vs ⭕ **alice**" in text(world.last)
    await world.resign(world.bob)
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "rematch")
    assert "❌ **alice** vs ⭕ **bob**" in text(world.last)


async def test_both_press_rematch_in_one_moment(world: World) -> None:
    """Two requests that cross make one match, and nobody's press fails."""
    final = await finish(world)
    rematch, *_ = ids(final)
    results = await world.at_once((world.alice, final, rematch), (world.bob, final, rematch))
    assert all(result.acknowledged for result in results)
    assert len(world.boards()) == 1


async def test_a_declined_rematch(world: World) -> None:
    """Bob doesn't want one now; the button on the board still works later."""
    final = await finish(world)
    question = await ask(world, world.alice, "Rematch", by_button=False)
    await world.bob.click(question, label="Decline")
    assert "**bob** doesn't want" in text(world.now(question))
    await world.bob.click(final, label="Rematch")
    assert not world.boards()
    await world.alice.click(final, label="Rematch")
    assert len(world.boards()) == 1


async def test_a_stranger_wants_no_rematch(world: World) -> None:
    """Only the players of a match can play it again."""
    final = await finish(world)
    assert "alice" in refused(await world.carol.click(final, label="Rematch"))
    assert "alice" in refused(await world.carol.slash(world.channel, "rematch"))


async def test_no_rematch_before_the_end(world: World) -> None:
    """While the match is played /rematch is refused."""
    await world.challenge()
    assert "isn't over yet" in refused(await world.bob.slash(world.channel, "rematch"))


async def test_an_old_rematch_button(world: World) -> None:
    """While the rematch is played the old button is refused with a link; after it, it is spent."""
    final = await finish(world)
    rematch, *_ = ids(final)
    for who in (world.alice, world.bob):
        await who.click(final, label="Rematch")
    board = world.last
    late = await world.late(world.alice, final, rematch)
    assert str(board.id) in refused(late)
    await world.resign(world.bob)
    late = await world.late(world.alice, final, rematch)
    assert "`/rematch`" in refused(late)
    assert labels(world.now(final)) == ["Replay", "Analyse"]


async def test_a_rematch_in_a_busy_channel(world: World) -> None:
    """Carol has begun a game here meanwhile: the wish is refused with a link, and kept."""
    final = await finish(world)
    await world.alice.click(final, label="Rematch")
    await world.carol.slash(world.channel, "play tictactoe")
    board = world.last
    assert str(board.id) in refused(await world.bob.click(final, label="Rematch"))
    await world.resign(world.carol)
    await world.bob.click(final, label="Rematch")
    (board,) = world.boards()
    assert "❌ **bob** vs ⭕ **alice**" in text(board)


@pytest.mark.parametrize("by_button", [False, True])
async def test_a_rematch_against_the_computer(world: World, by_button: bool) -> None:
    """At once, with the sides changed: the computer has moved already."""
    await world.alice.slash(world.channel, "play tictactoe", level="hard")
    await world.resign(world.alice)
    if by_button:
        await world.alice.click(world.last, label="Rematch")
    else:
        await world.alice.slash(world.channel, "rematch")
    assert "❌ **Computer (hard)** vs ⭕ **alice**" in text(world.last)
    assert "Last move: ❌" in text(world.last)
    assert len(world.boards()) == 1


async def test_a_rematch_after_a_restart(world: World) -> None:
    """A wish from before the restart counts, and so does the button."""
    final = await finish(world)
    await world.alice.click(final, label="Rematch")
    await world.env.restart_bot()
    await world.bob.click(final, label="Rematch")
    assert len(world.boards()) == 1


async def test_a_rematch_has_the_same_settings(world: World) -> None:
    """Board, line and variant are those of the match before."""
    await world.challenge(rows=4, line=3, variant="torus")
    title = text(world.last).splitlines()[1]
    await world.resign(world.alice)
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "rematch")
    assert text(world.last).splitlines()[1] == title


# --- the series


async def rematch_and_resign(world: World, loser: MemberActor) -> str:
    """Play one more match, which `loser` gives up; return the final board."""
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "rematch")
    await world.resign(loser)
    return text(world.last)


async def test_the_score_goes_on(world: World) -> None:
    """Points are counted per player, not per seat; the beginner is named first."""
    assert "Series: **alice** 1 – **bob** 0" in text(await finish(world))
    assert "Series: **bob** 0 – **alice** 2" in await rematch_and_resign(world, world.bob)
    assert "Series: **alice** 2 – **bob** 1" in await rematch_and_resign(world, world.alice)


async def test_draws_count_a_half(world: World) -> None:
    """A full board, and a draw by agreement, are half a point each."""
    final = await finish(world, DRAWN)
    assert "A draw: the board is full" in text(final)
    assert "Series: **alice** 0.5 – **bob** 0.5" in text(final)
    for command in ("rematch", "draw"):
        for who in (world.alice, world.bob):
            await who.slash(world.channel, command)
    assert "Series: **bob** 1 – **alice** 1" in text(world.last)


async def test_a_new_challenge_goes_on_with_the_series(world: World) -> None:
    """The same players on the same settings, challenged anew, keep their score."""
    await finish(world)
    assert "Series: **alice** 2 – **bob** 0" in text(await finish(world))


@pytest.mark.parametrize(
    "changed", [{"rows": 4}, {"variant": "misere"}, {"game": "nineholes"}, {"columns": 4}]
)
async def test_other_settings_start_a_new_series(world: World, changed: dict[str, str]) -> None:
    """Another board, variant or game begins at nil."""
    await finish(world)
    await world.challenge(**changed)
    await world.resign(world.bob)
    assert "Series: **alice** 1 – **bob** 0" in text(world.last)


async def test_other_players_start_a_new_series(world: World) -> None:
    """Alice against carol begins at nil, and so does alice against bob after that."""
    await finish(world)
    await world.alice.slash(world.channel, "play tictactoe", against=world.carol)
    await world.carol.click(world.last, label="Accept")
    await world.resign(world.carol)
    assert "Series: **alice** 1 – **carol** 0" in text(world.last)
    assert "Series: **alice** 1 – **bob** 0" in text(await finish(world))


async def test_a_series_with_the_computer(world: World) -> None:
    """It goes on at the same level, and anew at another."""
    for level, points in (("easy", 1), ("easy", 2), ("hard", 1)):
        await world.alice.slash(world.channel, "play tictactoe", level=level)
        await world.resign(world.alice)
        assert f"Series: **alice** 0 – **Computer ({level})** {points}" in text(world.last)


async def test_an_undone_result_leaves_the_series(world: World) -> None:
    """A loss to the computer that was taken back is not counted twice."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    await world.alice.click(world.last, label="Undo")
    await world.resign(world.alice)
    assert "Series: **alice** 0 – **Computer (medium)** 1" in text(world.last)
