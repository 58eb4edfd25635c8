"""Reviews: a finished match move by move, and the moves that changed its result."""

import pytest

from core.engine.analysis import Analysis, Value
from core.engine.player import Engine
from core.position import Position
from tests.bot.engines import DyingEngine
from tests.discord.world import World, ids, labels, refused, text

LIMIT = 4000


def steps(review: str) -> list[str]:
    """Return the lines of a review that name moves."""
    return [line for line in review.splitlines() if line[:1].isdigit() and ". " in line[:5]]


async def test_each_move_with_its_value(world: World) -> None:
    """On a solved board every move has its value for the player who made it."""
    await world.challenge()
    await world.play("b2 a2 a1 c3 b1 b3 c1")
    review = await world.carol.click(world.last, label="Analyse")
    assert review.ephemeral
    assert steps(text(review)) == [
        "1. ❌ b2 – draws",
        "2. 🔵 **a2** – loses in 3 ❗",
        "3. ❌ a1 – wins in 2",
        "4. 🔵 c3 – loses in 2",
        "5. ❌ b1 – wins in 1",
        "6. 🔵 b3 – loses in 1",
        "7. ❌ c1 – wins",
    ]
    assert "alice** wins with" in text(review)


async def test_mistakes_are_marked(world: World) -> None:
    """Each move that changed the result is named with a better one and its position, no other."""
    await world.challenge()
    await world.play("b2 a2 c2 a1 c3 b1 b3 c1")
    review = text(await world.alice.click(world.last, label="Analyse"))
    turns = [line for line in review.splitlines() if line.startswith("❗")]
    assert len(turns) == review.count("❗") / 2 - 0.5
    assert "**2. 🔵 a2**: **bob** went from drawn to lost. Better: " in turns[0]
    assert all("Better: None" not in turn for turn in turns)
    assert review.count("🇦") == len(turns)


async def test_a_match_without_mistakes(world: World) -> None:
    """A review of a match without mistakes says so and draws no board."""
    await world.challenge()
    await world.play("b2 a1 b1 b3 a2 c2 c3 a3 c1")
    review = text(await world.alice.click(world.last, label="Analyse"))
    if "❗" not in review:
        assert "never changed hands" in review
        assert "🇦" not in review
    assert steps(review)[-1] == "9. ❌ c1 – draws"


async def test_a_command_for_the_last_match(world: World) -> None:
    """`/analyse` reviews the newest finished match, for anyone, even while another is played."""
    assert "No match has been finished" in refused(
        await world.carol.slash(world.channel, "analyse")
    )
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    await world.challenge(rows=4)
    before = world.public()
    review = await world.carol.slash(world.channel, "analyse")
    assert review.ephemeral
    assert "3×3" in text(review)
    assert len(steps(text(review))) == 5
    assert world.public() == before


async def test_older_matches_can_be_reviewed(world: World) -> None:
    """A final board keeps its button after the next match starts."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    final = world.last
    await world.alice.click(final, label="Rematch")
    await world.bob.click(final, label="Rematch")
    assert labels(world.now(final)) == ["Replay", "Analyse"]
    review = await world.carol.click(world.now(final), label="Analyse")
    assert len(steps(text(review))) == 5


async def test_a_resigned_match(world: World) -> None:
    """Moves before a resignation have values; a match without moves says that it has none."""
    await world.challenge()
    await world.press(world.alice, "b2")
    await world.resign(world.bob)
    review = text(await world.bob.slash(world.channel, "analyse"))
    assert steps(review) == ["1. ❌ b2 – draws"]
    assert "bob** resigned" in review
    await world.challenge()
    await world.resign(world.bob)
    assert "No move was made" in text(await world.bob.slash(world.channel, "analyse"))


async def test_a_resumed_match_has_no_review(world: World) -> None:
    """After an undo the old final board refuses a review, which would be a hint."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    final = world.last
    world.keep_old_boards()
    await world.alice.click(final, label="Undo")
    assert "played again" in refused(await world.bob.click(final, label="Analyse"))


async def test_a_match_of_another_channel(world: World) -> None:
    """A forged button doesn't review a match of another channel."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    world.channel = world.guild.create_text_channel("elsewhere")
    button = await world.made_up("y:1", "y:99")
    for custom_id in ids(button):
        assert "don't know that match" in refused(
            await world.carol.click(button, custom_id=custom_id)
        )


async def test_nine_holes(world: World) -> None:
    """Moves of men are written as `from-to`."""
    await world.challenge(game="nineholes")
    for ply, move in enumerate("a1-a2 a5-a4 b1-b2 b5-b4 c1-c2".split()):
        await world.move((world.alice, world.bob)[ply % 2], move)
    review = text(await world.bob.click(world.last, label="Analyse"))
    assert steps(review)[-1] == "5. ❌ c1-c2 – wins"


class GuessingEngine(Engine):
    """A computer player that proves nothing and always favours the player to move."""

    def analyse(self, position: Position) -> Analysis:
        outlook = (0.9, 0.1) if position.to_move == 0 else (0.1, 0.9)
        return Analysis((position.legal_moves()[-1],), None, outlook)


@pytest.mark.parametrize("simcord_bot", [GuessingEngine], indirect=True)
async def test_estimates_are_called_so(world: World) -> None:
    """Without proofs a review reports swings of the estimate, never a changed result."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    review = text(await world.alice.click(world.last, label="Analyse"))
    assert "went from" not in review
    assert "Percentages are estimates" in review
    assert "2. 🔵 **b1** – 10 % ❓" in review
    assert "seem to fall from 90 % to 10 %" in review
    assert steps(review)[-1] == "5. ❌ a3 – wins"


class ShiftyEngine(Engine):
    """An engine that judges every move a mistake."""

    def analyse(self, position: Position) -> Analysis:
        won = (1, 2) if position.to_move == 0 else (2, 1)
        return Analysis((position.legal_moves()[-1],), Value(won, 3), (won[1] - 1, won[0] - 1))


@pytest.mark.parametrize("simcord_bot", [ShiftyEngine], indirect=True)
@pytest.mark.simcord(settle_timeout=30)
async def test_a_long_match_fits_into_a_message(world: World) -> None:
    """A review of a hundred moves lists every move and as many boards as fit."""
    await world.challenge(rows=10, columns=10, line=10)
    rows = ("abcdefghij", "abcdefghij", "badcfehgji", "badcfehgji")  # without a line
    match = " ".join(f"{rows[n // 10 % 4][n % 10]}{n // 10 + 1}" for n in range(100))
    # The moves are stored directly: a hundred turns by hand are tested elsewhere.
    await world.sql(f"UPDATE matches SET moves = '{match}', ended_at = 1, ending = 'agreement'")
    review = await world.carol.slash(world.channel, "analyse")
    said = text(review)
    assert len(steps(said)) == 100
    assert len(said.encode("utf-16-le")) // 2 <= LIMIT
    assert "more of these" in said


@pytest.mark.parametrize("simcord_bot", [DyingEngine], indirect=True)
async def test_a_review_whose_search_fails(world: World) -> None:
    """A failed search leaves the values out of the review; the moves remain."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    review = text(await world.alice.click(world.last, label="Analyse"))
    assert steps(review)[0] == "1. ❌ a1 – not worked out"
    assert steps(review)[-1] == "5. ❌ a3 – wins"
