"""`/hint`: its content, its cost, and its refusals."""

from datetime import timedelta

import discord
import pytest

from tests.bot.engines import KNOWN, KnowingEngine, LosingProcessEngine
from tests.discord.matches.three import three
from tests.discord.world import ALICE_WINS, FINAL_UNDO, World, answer_to, ids, labels, refused, text

# The words for KnowingEngine's findings, by the width of the board.
SAID = {
    3: "wins in 3 moves.",
    4: "loses in 4 moves.",
    5: "draws.",
    6: "looks good for you (an estimate",
    7: "looks even (an estimate",
    8: "looks lost for you (an estimate",
    9: "looks won for you (an estimate",
}


@pytest.mark.parametrize("simcord_bot", [KnowingEngine], indirect=True)
async def test_a_hint_names_the_best_move(world: World) -> None:
    """A hint names the best move and its value, counted in moves of the winner.

    An estimate is called an estimate.
    """
    assert SAID.keys() == KNOWN.keys()
    for columns, said in SAID.items():
        await world.alice.slash(world.channel, "play tictactoe", columns=columns)
        hint = await world.alice.slash(world.channel, "hint")
        assert hint.ephemeral
        assert f"– {said}" in text(hint)
        assert "❌ **a1**" in text(hint)
        await world.resign(world.alice)


async def test_a_hint_tells_what_follows(world: World) -> None:
    """On the way to a win it has the answer and the next move, too; for a draw it hasn't."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    assert "Then:" not in text(await world.alice.slash(world.channel, "hint"))
    await world.resign(world.alice)
    await world.alice.slash(world.channel, "play tictactoe", rows=4, line=3, level="easy")
    hint = text(await world.alice.slash(world.channel, "hint"))
    assert "❌ **b2** – wins in 3 moves." in hint
    assert "Then: 🔵 c2, ❌ b3." in hint


async def test_a_hint_tells_a_known_draw(world: World) -> None:
    """7x7 with a line of five is known to be drawn, though no search proves it."""
    await world.alice.slash(world.channel, "play tictactoe", rows=7, level="easy")
    hint = text(await world.alice.slash(world.channel, "hint"))
    assert "draws." in hint and hint.count("⭐") == 1


async def test_a_hint_by_a_clock_that_is_ahead(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes even if by the machine's clock it is too late for an answer."""
    await world.alice.slash(world.channel, "play tictactoe", rows=4, level="easy")
    right = discord.utils.utcnow
    monkeypatch.setattr(discord.utils, "utcnow", lambda: right() + timedelta(hours=1))
    assert "💡" in text(await world.alice.slash(world.channel, "hint"))


async def test_a_hint_is_seen_by_the_asker_alone(world: World) -> None:
    """The move is marked on a private board; the board in the channel stays as it is."""
    await unrated(world)
    await world.play("a1 b1 a2 b2")
    before = world.public()
    hint = await world.alice.slash(world.channel, "hint")
    assert hint.ephemeral
    assert "❌ **a3** – wins in 1 move." in text(hint)
    (row,) = [line for line in text(hint).splitlines() if "⭐" in line]
    assert row.endswith("⭐▫️▫️")
    assert world.public() == before


async def test_a_hint_for_a_man(world: World) -> None:
    """In Nine Holes the man and its target are both marked."""
    await unrated(world, game="nineholes")
    await world.play("a1-a2 a5-c4 b1-b2 b5-a4")
    hint = text(await world.alice.slash(world.channel, "hint"))
    assert "**c1-c2** – wins in 1 move" in hint
    assert hint.count("⭐") == 1
    assert hint.count("🟥") >= 1


async def unrated(world: World, **options: str) -> None:
    """Begin a match of alice and bob who agree to play it unrated, so that hints are free."""
    await world.challenge(**options)
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "unrated")


async def test_a_match_hinted_before_is_unrated(world: World) -> None:
    """A match from when hints made matches unrated goes on unrated, and has more hints.

    The board and the result say so, and the leaderboard omits the match, drawn or not.
    """
    await world.played("a1")
    await world.sql("UPDATE matches SET hinted = true")
    assert "💡" in text(await world.bob.slash(world.channel, "hint"))
    await world.press(world.bob, "b1")
    assert "A hint was used" in text(world.last)
    assert labels(world.last) == ["Undo", "Resign", "Draw", "Hint", "Restart"]
    final = await world.play("a2 b2 a3")
    assert "alice** wins" in text(final)
    assert "A hint was used" in text(final)
    shown = await world.carol.slash(world.channel, "leaderboard", by="wins")
    assert "Nobody has finished" in text(shown)
    # A move in an unrated match may be taken back if both players agree.
    assert labels(final) == FINAL_UNDO
    await world.alice.click(final, label="Undo")
    await world.bob.click(world.last, label="Agree")
    assert "A hint was used" in text(world.last)
    assert "m:1:4:a3" in ids(world.last)


async def test_the_rematch_of_an_unrated_match_is_rated(world: World) -> None:
    """An agreement affects one match only."""
    await unrated(world)
    await world.play(ALICE_WINS)
    await world.alice.click(world.last, label="Rematch")
    await world.bob.click(world.last, label="Agree")
    assert "unrated" not in text(world.last)
    await world.play(ALICE_WINS, world.bob, world.alice)
    board = text(await world.carol.slash(world.channel, "leaderboard", by="wins"))
    assert "#1 **bob** – 1 won · 0 drawn · 0 lost" in board
    assert "#2 **alice** – 0 won · 0 drawn · 1 lost" in board


async def test_a_hint_by_button(world: World) -> None:
    """Only matches against the computer, which are never rated, have the button."""
    await world.alice.slash(world.channel, "play tictactoe")
    before = world.public()
    hint = await world.alice.click(world.last, label="Hint")
    assert hint.ephemeral
    assert "draws." in text(hint)
    assert "count" not in text(hint)
    assert world.public() == before
    assert "not in this match" in refused(await world.bob.click(world.last, label="Hint"))
    old = world.last
    world.keep_old_boards()
    await world.press(world.alice, "b2")
    assert "out of date" in refused(await world.alice.click(old, label="Hint"))
    assert "hint" not in text(world.last)


async def test_a_refused_hint_gives_the_reason(world: World) -> None:
    """No match, out of turn, a stranger, a finished match: each gets a reason and no move."""
    assert "No match" in refused(await world.alice.slash(world.channel, "hint"))
    await world.challenge()
    assert "alice" in refused(await world.bob.slash(world.channel, "hint"))
    assert "not in this match" in refused(await world.carol.slash(world.channel, "hint"))
    await world.play(ALICE_WINS)
    assert "over" in refused(await world.alice.slash(world.channel, "hint"))


async def test_a_waiting_player_hears_that_a_rated_match_has_no_hints(world: World) -> None:
    """They are only told to wait for their turn once the match is unrated, and has hints."""
    await world.challenge()
    asked = await world.bob.slash(world.channel, "hint")
    assert "no hints in a rated match" in refused(asked) and "alice" in refused(asked)
    assert labels(answer_to(asked)) == ["Ask to play on unrated"]
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "unrated")
    assert "**alice**'s turn" in refused(await world.bob.slash(world.channel, "hint"))


@pytest.mark.parametrize("simcord_bot", [LosingProcessEngine], indirect=True)
async def test_a_hint_whose_search_fails(world: World) -> None:
    """A failed search is reported to the member."""
    await unrated(world)
    assert "try again" in refused(await world.alice.slash(world.channel, "hint"))


async def test_a_player_who_has_left_is_not_sent_to_ask_for_a_hint(world: World) -> None:
    """In a rated match of three, they are told that they have left, and nobody is sent to them."""
    await three(world)
    await world.resign(world.bob)
    assert "no longer in this match" in refused(await world.bob.slash(world.channel, "hint"))
    told = refused(await world.carol.slash(world.channel, "hint"))
    assert "Ask alice to play on unrated" in told
