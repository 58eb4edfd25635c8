"""/hint: what the asker sees, what it costs, and who gets none."""

from collections.abc import Sequence

import pytest
from simcord.env import Env

from core.engine.analysis import Analysis, Value
from core.engine.player import Engine
from core.position import Position
from tests.bot.engines import DyingEngine, SearchingEngine
from tests.discord.world import World, ids, labels, refused, text


class KnowingEngine(SearchingEngine):
    """A computer player that has one answer for every position."""

    value: Value | None = None
    outlook = (0.5, 0.5)

    def analyse(self, position: Position) -> Analysis:
        return Analysis(tuple(position.legal_moves()), self.value, self.outlook)


class WinningEngine(KnowingEngine):
    value, outlook = Value((1, 2), 5), (1, 0)


class LosingEngine(KnowingEngine):
    value, outlook = Value((2, 1), 8), (0, 1)


class DrawingEngine(KnowingEngine):
    value, outlook = Value((1, 1), None), (0.5, 0.5)


class HopefulEngine(KnowingEngine):
    outlook = (0.7, 0.3)


class DesperateEngine(KnowingEngine):
    outlook = (0.0, 1.0)


class SureEngine(KnowingEngine):
    outlook = (1.0, 0.0)


SAYINGS: Sequence[tuple[type[Engine], str]] = [
    (WinningEngine, "wins in 3."),
    (LosingEngine, "loses in 4."),
    (DrawingEngine, "draws."),
    (HopefulEngine, "looks good for you (an estimate"),
    (KnowingEngine, "looks even (an estimate"),
    (DesperateEngine, "looks lost for you (an estimate"),
    (SureEngine, "looks won for you (an estimate"),
]


@pytest.mark.parametrize(("simcord_bot", "said"), SAYINGS, indirect=["simcord_bot"])
async def test_what_a_hint_says(world: World, said: str) -> None:
    """The best move with what it leads to, counted in the winner's moves, or an estimate in words.

    It says that it is one where it is one.
    """
    await world.alice.slash(world.channel, "play tictactoe")
    hint = await world.alice.slash(world.channel, "hint")
    assert hint.ephemeral
    assert f"❌ **a1** – {said}" in text(hint)


async def test_a_hint_is_seen_by_the_asker_alone(world: World) -> None:
    """The move is marked on a board that nobody else sees; the board in the channel stays."""
    await world.challenge()
    await world.play("a1 b1 a2 b2")
    before = world.public()
    hint = await world.alice.slash(world.channel, "hint")
    assert hint.ephemeral
    assert "❌ **a3** – wins in 1." in text(hint)
    (row,) = [line for line in text(hint).splitlines() if "⭐" in line]
    assert row.endswith("⭐🔳🔳")
    assert world.public() == before


async def test_a_hint_for_a_man(world: World) -> None:
    """In Nine Holes the man and where it goes are marked."""
    await world.challenge(game="nineholes")
    await world.move(world.alice, "a1-a2")
    await world.move(world.bob, "a5-c4")
    await world.move(world.alice, "b1-b2")
    await world.move(world.bob, "b5-a4")
    hint = text(await world.alice.slash(world.channel, "hint"))
    assert "**c1-c2** – wins in 1" in hint
    assert hint.count("⭐") == 1
    assert hint.count("❎") >= 1


async def test_a_hint_on_a_board_of_text(world: World) -> None:
    """Boards that don't fit on buttons have hints as well; a search finds them."""
    await world.alice.slash(world.channel, "play tictactoe", rows=6, line=3)
    hint = await world.alice.slash(world.channel, "hint")
    assert text(hint).count("⭐") == 1


async def test_a_match_with_a_hint_does_not_count(world: World) -> None:
    """The board and the result say so, and the leaderboard leaves it out; a draw is no less one."""
    await world.challenge()
    await world.press(world.alice, "a1")
    hint = await world.bob.slash(world.channel, "hint")
    assert "isn't rated any more" in text(hint)
    await world.press(world.bob, "b1")
    assert "A hint was asked" in text(world.last)
    assert labels(world.last) == ["Undo", "Resign", "Draw"]
    for who, square in ((world.alice, "a2"), (world.bob, "b2"), (world.alice, "a3")):
        await world.press(who, square)
    final = world.last
    assert "alice** wins" in text(final)
    assert "A hint was asked" in text(final)
    shown = await world.carol.slash(world.channel, "leaderboard", by="wins")
    assert "Nobody has finished" in text(shown)
    # What doesn't count may be taken back, if both want it.
    assert labels(final) == ["Rematch", "Undo", "Replay", "Analyse"]
    await world.alice.click(final, label="Undo")
    await world.bob.click(world.last, label="Agree")
    assert "A hint was asked" in text(world.last)
    assert "m:1:4:a3" in ids(world.last)


async def test_the_next_match_counts_again(world: World) -> None:
    """A hint is a matter of one match: its rematch is rated."""
    await world.challenge()
    await world.alice.slash(world.channel, "hint")
    await world.play("a1 b1 a2 b2 a3")
    await world.alice.click(world.last, label="Rematch")
    await world.bob.click(world.last, label="Rematch")
    assert "hint" not in text(world.last)
    for ply, square in enumerate("a1 b1 a2 b2 a3".split()):
        await world.press((world.bob, world.alice)[ply % 2], square)
    board = text(await world.carol.slash(world.channel, "leaderboard", by="wins"))
    assert "#1 **bob** – 1 won · 0 drawn · 0 lost" in board
    assert "#2 **alice** – 0 won · 0 drawn · 1 lost" in board


async def test_a_hint_by_button(world: World) -> None:
    """Against the computer, where nothing counts, a button gives it; between members none does."""
    await world.alice.slash(world.channel, "play tictactoe")
    before = world.public()
    hint = await world.alice.click(world.last, label="Hint")
    assert hint.ephemeral
    assert "draws." in text(hint)
    assert "count" not in text(hint)
    assert world.public() == before
    assert "don't play" in refused(await world.bob.click(world.last, label="Hint"))
    old = world.last
    world.keep_old_boards()
    await world.press(world.alice, "b2")
    assert "old one" in refused(await world.alice.click(old, label="Hint"))
    assert "hint" not in text(world.last)


async def test_who_gets_no_hint(world: World) -> None:
    """Without a match, out of turn, as a stranger or after the end: told why, nothing marked."""
    assert "`/play`" in refused(await world.alice.slash(world.channel, "hint"))
    await world.challenge()
    assert "alice" in refused(await world.bob.slash(world.channel, "hint"))
    assert "don't play" in refused(await world.carol.slash(world.channel, "hint"))
    await world.play("a1 b1 a2 b2 a3")
    assert "over" in refused(await world.alice.slash(world.channel, "hint"))
    (row,) = await world.sql("SELECT hinted FROM matches")
    assert not row.hinted


class LosingProcessEngine(DyingEngine):
    """Its searches end the process, and everything is one."""

    def searches(self, position: Position, level: object) -> bool:
        return True


@pytest.mark.parametrize("simcord_bot", [LosingProcessEngine], indirect=True)
async def test_a_hint_that_is_not_found(simcord_env: Env) -> None:
    """Where the search fails the asker is told, and the match still counts."""
    world = World(simcord_env)
    await world.challenge()
    assert "try again" in refused(await world.alice.slash(world.channel, "hint"))
    (row,) = await world.sql("SELECT hinted FROM matches")
    assert not row.hinted
