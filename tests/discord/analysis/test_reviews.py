"""Reviews: a finished match move by move, and the moves that changed its result."""

import pytest
from simcord.enums import ChannelType
from simcord.results import InteractionResult

from bot.analysis import reviews
from tests.bot.engines import DyingEngine, GuessingEngine, ShiftyEngine
from tests.discord.archiving import archive
from tests.discord.world import LOOKING, World, answer_to, ids, labels, refused, text

LIMIT = 4000


async def turned(world: World, result: InteractionResult, label: str) -> str:
    """Let alice press a button of a private answer; return its text from then on."""
    await world.alice.click(answer_to(result), label=label)
    return text(result)


def steps(review: str) -> list[str]:
    """Return the lines of a review that name moves."""
    return [line for line in review.splitlines() if line[:1].isdigit() and ". " in line[:5]]


async def test_each_move_with_its_value(world: World) -> None:
    """On a solved board the review says of every move who wins from there on, on every page."""
    await world.played("b2 a2 a1 c3 b1 b3 c1")
    for who in (world.carol, world.bob):
        review = await who.click(world.last, label="Analyse")
        assert review.ephemeral
        assert steps(text(review)) == [
            "1. ❌ b2 – draw",
            "2. 🔵 **a2??** – ❌ wins in 3 moves",
            "3. ❌ a1 – ❌ wins in 2 moves",
            "4. 🔵 c3 – ❌ wins in 2 moves",
            "5. ❌ b1 – ❌ wins in 1 move",
            "6. 🔵 b3 – ❌ wins in 1 move",
            "7. ❌ c1 – ❌ wins",
        ]
        assert "alice** wins with" in text(review)
        assert "1 mistake: its page" in text(review)
        assert "with best play:" in text(review) and "chances" not in text(review)


async def test_a_mistake_has_a_page_of_its_own(world: World) -> None:
    """It shows the board before it with a star on the better square, and the best line."""
    await world.played("b2 a2 a1 c3 b1 b3 c1")
    review = await world.alice.click(world.last, label="Analyse")
    assert "Page 1 of 2" in text(review)
    shown = await turned(world, review, "Next")
    assert "Move 2: 🔵 a2??" in shown and "**bob** went from a draw to losing" in shown
    assert "Better: ⭐ **a1**" in shown
    (row,) = [line for line in shown.splitlines() if line.startswith("1️⃣")]
    assert row.startswith("1️⃣⭐")
    assert "Best line: 🔵 a1, ❌ " in shown
    back = await turned(world, review, "Back")
    assert len(steps(back)) == 7


async def test_the_replay_opens_at_the_mistake(world: World) -> None:
    """The best line opens there too; it can be stepped through, and leads back to the match."""
    await world.played("b2 a2 a1 c3 b1 b3 c1")
    review = await world.alice.click(world.last, label="Analyse")
    await turned(world, review, "Next")
    replay = await world.alice.click(answer_to(review), label="Replay")
    assert "Move 1 of 7" in text(replay)
    line = await world.alice.click(answer_to(review), label="Best line")
    assert line.ephemeral and "after move 1 – 1 of 8" in text(line)
    assert "🔵 **a1**, ❌ " in text(line) and "With best play: draw." in text(line)
    last = await turned(world, line, "Last")
    assert "8 of 8" in last and "▫️" not in last
    first = await turned(world, line, "First")
    assert "0 of 8" in first
    back = await turned(world, line, "Back to the match")
    assert "Move 1 of 7" in back
    again = await turned(world, line, "Best line")
    assert "after move 1 – 1 of 8" in again
    assert "The next move was a mistake: 🔵 a2. Better: ⭐ **a1**." in text(replay)


async def test_a_best_line_that_begins_with_a_swap(world: World) -> None:
    """It says who wins by the marks of the board beside it, which the swap changes."""
    await world.played("b2 a1", rows=4, columns=4, line=3)
    await world.resign(world.bob)
    replay = await world.alice.click(world.last, label="Replay")
    await turned(world, replay, "Next")
    line = await turned(world, replay, "Best line")
    assert "🔵 **swap**" in line and "🔵 **alice** vs ❌ **bob**" in line
    assert "With best play: ❌ wins" in line, "bob wins"
    before = await turned(world, replay, "Back")
    assert "❌ **alice** vs 🔵 **bob**" in before
    assert "With best play: 🔵 wins" in before


async def test_only_a_review_opens_the_replay_at_the_mistake(world: World) -> None:
    """Elsewhere it opens at the start, also while a review of the match is remembered."""
    final = await world.played("b2 a2 a1 c3 b1 b3 c1")
    review = await world.alice.click(final, label="Analyse")
    replay = await world.alice.click(answer_to(review), label="Replay")
    assert "Move 1 of 7" in text(replay) and "a mistake: 🔵 a2." in text(replay)
    assert "mistake" not in await turned(world, replay, "First")
    assert "Move 0 of 7" in text(await world.bob.click(final, label="Replay"))
    assert "Move 0 of 7" in text(await world.alice.slash(world.channel, "replay"))


async def test_a_running_match_has_no_line(world: World) -> None:
    """Forged buttons reveal nothing about a match that is played, or beyond one that is over."""
    await world.challenge()
    forged = await world.made_up("v:1:0:1:open:line", "y:1:0", "v:1:99:1:next:line")
    for custom_id in ids(forged):
        told = refused(await world.bob.click(forged, custom_id=custom_id))
        assert "still being played" in told
    await world.resign(world.bob)
    told = refused(await world.bob.click(forged, custom_id="v:1:99:1:next:line"))
    assert "No move was made" in told


async def test_a_match_without_mistakes(world: World) -> None:
    """A review of a match without mistakes says so and has no other page."""
    await world.played("b2 a1 a2 c2 b3 b1 c1 a3 c3")
    review = text(await world.alice.click(world.last, label="Analyse"))
    assert "nobody gave away a better result" in review
    assert "Page" not in review and "??" not in review
    assert steps(review)[-1] == "9. ❌ c3 – draw"


async def test_a_command_for_the_last_match(world: World) -> None:
    """`/analyse` reviews the newest finished match, for anyone, even while another is played."""
    assert "No match has been finished" in refused(
        await world.carol.slash(world.channel, "analyse")
    )
    await world.played()
    await world.challenge(rows=4)
    before = world.public()
    review = await world.carol.slash(world.channel, "analyse")
    assert review.ephemeral
    assert "3×3" in text(review)
    assert len(steps(text(review))) == 5
    assert world.public() == before


async def test_older_matches_can_be_reviewed(world: World) -> None:
    """A final board keeps its button after the next match starts."""
    final = await world.played()
    await world.alice.click(final, label="Rematch")
    await world.bob.click(final, label="Rematch")
    assert labels(world.now(final)) == LOOKING
    review = await world.carol.click(world.now(final), label="Analyse")
    assert len(steps(text(review))) == 5


async def test_a_resigned_match(world: World) -> None:
    """Moves before a resignation have values, and a line says what the resignation gave away.

    A match without moves says that it has none.
    """
    await world.played("b2")
    await world.resign(world.bob)
    review = text(await world.bob.slash(world.channel, "analyse"))
    assert steps(review) == ["1. ❌ b2 – draw"]
    assert "bob** resigned" in review and "nobody gave away" not in review
    assert "At the end:** **bob** went from a draw to losing" in review
    await world.challenge()
    await world.resign(world.bob)
    assert "No move was made" in text(await world.bob.slash(world.channel, "analyse"))


async def test_the_end_of_a_resigned_match_on_several_pages(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it gave away is told once, below the last move."""
    monkeypatch.setattr(reviews, "_MOVES", 1)
    await world.challenge()
    await world.play("b2 a2")
    await world.resign(world.alice)
    review = await world.alice.slash(world.channel, "analyse")
    assert "At the end" not in text(review)
    assert "**alice** went from winning to losing" in await turned(world, review, "Next")


async def test_a_match_of_another_channel(world: World) -> None:
    """Members who see its channel can analyse it from its replay; others only if they played."""
    private = world.channel_for(world.alice)
    for channel in (world.channel, private):
        await world.alice.slash(channel, "play tictactoe")
        await world.alice.slash(channel, "move", where="b2")
        await world.alice.slash(channel, "resign", confirm=True)
    there = world.guild.create_text_channel("elsewhere")
    for who, number in ((world.carol, 1), (world.alice, 2)):
        replay = await who.slash(there, "replay", match=number)
        review = await who.click(answer_to(replay), label="Analyse")
        assert review.ephemeral and steps(text(review))[0].startswith("1. ❌ b2")
        by_command = await who.slash(there, "analyse", match=number)
        assert text(by_command) == text(review)
    assert "can't see" in refused(await world.carol.slash(there, "analyse", match=2))
    world.channel = there
    button = await world.made_up("y:2", "y:2:0", "y:99")
    for custom_id, told in (("y:2", "can't see"), ("y:2:0", "can't see"), ("y:99", "don't know")):
        assert told in refused(await world.carol.click(button, custom_id=custom_id))


async def test_moves_of_men_in_a_review(world: World) -> None:
    """Moves of men are written as `from-to`."""
    await world.played("a1-a2 a5-a4 b1-b2 b5-b4 c1-c2", game="nineholes")
    review = text(await world.bob.click(world.last, label="Analyse"))
    assert steps(review)[-1] == "5. ❌ c1-c2 – ❌ wins"


@pytest.mark.parametrize("simcord_bot", [GuessingEngine], indirect=True)
async def test_estimates_are_called_so(world: World) -> None:
    """Without proofs a review reports swings of the estimate, never a changed result."""
    await world.played()
    review = text(await world.alice.click(world.last, label="Analyse"))
    assert "went from" not in review
    assert "Percentages are estimates" in review and "? probably did" in review
    assert "❌ **alice**'s chances after each move" in review
    assert "2. 🔵 **b1?** – ❌ 90%" in review
    assert steps(review)[-1] == "5. ❌ a3 – ❌ wins"
    theirs = await world.bob.click(world.last, label="Analyse")
    assert "🔵 **bob**'s chances after each move" in text(theirs)
    assert "2. 🔵 **b1?** – 🔵 10%" in text(theirs)


@pytest.mark.parametrize("simcord_bot", [GuessingEngine], indirect=True)
async def test_marks_are_explained_where_there_are_any(world: World) -> None:
    """A review of estimates without a mistake doesn't say what `?` and `??` mean."""
    await world.played("c3")
    await world.resign(world.bob)
    review = text(await world.alice.click(world.last, label="Analyse"))
    assert "Percentages are estimates" in review
    assert "?" not in review


@pytest.mark.parametrize("simcord_bot", [ShiftyEngine], indirect=True)
@pytest.mark.simcord(settle_timeout=30)
async def test_a_long_match_has_pages(world: World) -> None:
    """A review of 52 moves lists 25 on a page, and then each mistake."""
    await world.challenge(rows=10, columns=10, line=10)
    rows = ("abcdefghij", "abcdefghij", "badcfehgji", "badcfehgji")  # without a line
    match = " ".join(f"{rows[n // 10 % 4][n % 10]}{n // 10 + 1}" for n in range(52))
    # The moves are stored directly, since other tests make that many turns by hand.
    await world.sql(f"UPDATE matches SET moves = '{match}', ended_at = 1, ending = 'agreement'")
    review = await world.alice.slash(world.channel, "analyse")
    moves = steps(text(review))
    assert "Page 1 of" in text(review)
    for _ in range(2):
        moves += steps(await turned(world, review, "Next"))
    assert [int(move.split(".")[0]) for move in moves] == [*range(1, 53)]
    assert "Move 1: ❌ a1??" in await turned(world, review, "Next")
    assert text(await world.alice.slash(world.channel, "analyse", page=4)) == text(review)
    assert len(text(review).encode("utf-16-le")) // 2 <= LIMIT


@pytest.mark.parametrize("simcord_bot", [DyingEngine], indirect=True)
async def test_a_review_whose_search_fails(world: World) -> None:
    """A failed search leaves its value out, and promises nothing of a second review."""
    await world.played()
    review = text(await world.alice.click(world.last, label="Analyse"))
    assert steps(review)[0] == "1. ❌ a1 – not worked out"
    assert steps(review)[-1] == "5. ❌ a3 – ❌ wins"
    assert "again to go on" not in review
    assert "ercentages" not in review and "chances" not in review


@pytest.mark.parametrize("kind", ["public", "private", "hidden"])
async def test_a_match_in_an_archived_thread(
    world: World, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The bot forgets the thread, and asks Discord whether the asker sees it."""
    parent = world.channel_for(world.alice, world.me) if kind == "hidden" else world.channel
    kinds = {"private": ChannelType.PRIVATE_THREAD}
    thread = world.thread(parent, kinds.get(kind, ChannelType.PUBLIC_THREAD))
    await world.alice.slash(thread, "play tictactoe")
    await world.alice.slash(thread, "move", where="b2")
    await world.alice.slash(thread, "resign", confirm=True)
    await archive(world, monkeypatch, thread)
    for command in ("replay", "analyse"):
        told = await world.carol.slash(world.channel, command, match=1)
        if kind == "public":
            assert "Computer" in text(told)
        else:
            assert "can't see" in refused(told)
        assert "Computer" in text(await world.alice.slash(world.channel, command, match=1))
