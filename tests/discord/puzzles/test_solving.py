"""Puzzles are solved privately: right and wrong moves, late presses, streaks, restarts."""

from discord import ComponentType

from bot.puzzles.model import day_of
from core.puzzles import shipped
from tests.conftest import Calendar
from tests.core.puzzles.written import BLOCKS, FORK, HOLES
from tests.discord.matches.passing import DAY
from tests.discord.puzzles.solving import give, open_puzzle, press, push, tries
from tests.discord.world import World, answer_to, components, refused, text

ROW = ComponentType.action_row.value


async def test_a_puzzle_is_solved(world: World) -> None:
    """The right moves solve it, each answered by the best defence; the streak is told."""
    await give(world)
    shown = await open_puzzle(world, world.alice)
    assert "🔵 to move and draw" in text(shown) and "Puzzle of the day" in text(shown)
    await press(world.alice, shown, "a3")
    assert "❌ answers **c1**" in text(shown)
    await press(world.alice, shown, "c2")
    assert "Solved!" in text(shown) and "🔵 a3, ❌ c1, 🔵 c2" in text(shown)
    assert "Your streak: 1 day" in text(shown)
    (own,) = await tries(world, world.alice)
    assert own.solved and not own.missed
    assert world.public() == [], "nobody else sees anything of it"


async def test_a_wrong_move_is_refuted(world: World) -> None:
    """The refuting line is shown; the member may go on, but no streak counts it."""
    await give(world, FORK)
    shown = await open_puzzle(world, world.alice)
    await press(world.alice, shown, "b2")
    assert "❌ **b2** only draws: 🔵 c1" in text(shown) and "no longer counts" in text(shown)
    await push(world.alice, shown, "zo")
    await press(world.alice, shown, "c1")
    await press(world.alice, shown, "c2")
    assert "Solved!" in text(shown)
    assert "streak" not in text(shown)
    (own,) = await tries(world, world.alice)
    assert own.solved and own.missed and own.day is None


async def test_men_are_picked(world: World) -> None:
    """The puzzle says how men are moved, and a press on any other square is refused with why."""
    await give(world, HOLES)
    shown = await open_puzzle(world, world.alice)
    assert "Press one of your pieces" in text(shown)
    for square, why in (("b4", "b4 isn't one of your pieces"), ("b3", "that piece can't move now")):
        told = refused(await press(world.alice, shown, square))
        assert why in told and "(c1)" in told
    late = await world.made_up("zp:1:99:c1")
    assert "is picked" not in text(await world.alice.click(late, custom_id="zp:1:99:c1"))
    await press(world.alice, shown, "c1")
    assert "c1 is picked" in text(world.now(answer_to(shown)))
    await press(world.alice, shown, "c1-a2")
    assert "Solved!" in text(world.now(answer_to(shown)))


async def test_a_press_on_an_old_board_changes_nothing(world: World) -> None:
    """A press on an older board only shows the puzzle as it stands."""
    await give(world)
    first = await open_puzzle(world, world.alice)
    second = await open_puzzle(world, world.alice)
    await press(world.alice, first, "a3")
    await press(world.alice, second, "b1")
    assert "Find the next move" in text(second) and "**b1** loses" not in text(second)
    await press(world.alice, second, "c2")
    await press(world.alice, first, "a1")
    assert "Solved!" in text(first)
    (own,) = await tries(world, world.alice)
    assert own.steps == 2 and not own.missed
    forged = await world.made_up("z:1:99:a1")
    shown = await world.bob.click(forged, custom_id="z:1:99:a1")
    assert "to move and draw" in text(shown)


async def test_puzzle_options_that_ask_for_different_things(world: World) -> None:
    """They are refused: a move beside `solution` doesn't give the puzzle up without being made."""
    await give(world)
    await open_puzzle(world, world.alice)
    for options in (
        {"move": "a3", "solution": True},
        {"move": "a3", "difficulty": "hard"},
        {"difficulty": "hard", "solution": True},
    ):
        told = refused(await world.alice.slash(world.channel, "puzzle", **options))
        assert told == "Choose only one of these: `difficulty`, `move`, `solution`."
    (own,) = await tries(world, world.alice)
    assert not own.steps and own.ended_at is None


async def test_the_solution_is_shown(world: World) -> None:
    """A member who sees it hasn't solved the puzzle, and no longer can; another is a press away.

    On a phone, a finger that misses the lowest row of squares must not give the puzzle up.
    """
    await give(world)
    shown = await open_puzzle(world, world.alice)
    *_, before, solution, _rules = (c for c in components(answer_to(shown)) if c["type"] != ROW)
    assert solution["custom_id"].startswith("zs:") and "custom_id" not in before
    await push(world.alice, shown, "zs")
    assert "The solution: 🔵 a3" in text(shown)
    await push(world.alice, shown, "zn")
    assert "### Puzzle ·" in text(shown) and "easy" in text(shown)
    assert [own.solved for own in await tries(world, world.alice)] == [False, False]


async def test_the_solution_by_command(world: World) -> None:
    """It is the solution of the puzzle that the member is solving; without one it is refused."""
    await give(world)
    assert "aren't solving" in refused(await open_puzzle(world, world.alice, solution=True))
    await open_puzzle(world, world.alice)
    assert "The solution: 🔵 a3" in refused(await open_puzzle(world, world.alice, solution=True))
    assert [own.solved for own in await tries(world, world.alice)] == [False]


async def test_a_move_by_command(world: World) -> None:
    """`/puzzle move:` makes a move in the puzzle that one is solving; a bad one is refused."""
    assert "You aren't solving" in refused(await open_puzzle(world, world.alice, move="a3"))
    await give(world)
    await open_puzzle(world, world.alice)
    bad = refused(await open_puzzle(world, world.alice, move="?"))
    assert "isn't a move. Write a square such as `a1`." in bad, "a1 is free in this puzzle"
    assert "is taken" in refused(await open_puzzle(world, world.alice, move="b2"))
    shown = await open_puzzle(world, world.alice, move="\uff21\uff13")
    assert "Find the next move" in text(shown)
    (own,) = await tries(world, world.alice)
    assert not own.missed


async def test_a_command_is_for_the_puzzle_seen_last(world: World, calendar: Calendar) -> None:
    """It isn't for the puzzle opened last, where a wrong move might cost the day's streak."""
    await give(world)
    await give(world, FORK, given_at=calendar())
    for difficulty in ("medium", "easy", "medium"):
        await open_puzzle(world, world.alice, difficulty=difficulty)
        calendar.ahead += 60
    assert "Find the next move" in text(await open_puzzle(world, world.alice, move="c1"))
    assert [(own.steps, own.missed) for own in await tries(world, world.alice)] == [
        (0, False),
        (1, False),
    ]


async def test_a_command_that_is_repeated_after_the_end(world: World, calendar: Calendar) -> None:
    """It shows the end again, and doesn't give up the puzzle of the day, which was left open."""
    await give(world)
    await give(world, FORK, given_at=calendar())
    await open_puzzle(world, world.alice)
    calendar.ahead += 60
    await open_puzzle(world, world.alice, difficulty="medium")
    for options in ({"solution": True}, {"solution": True}, {"move": "a1"}):
        assert "The solution: ❌ c1" in text(await open_puzzle(world, world.alice, **options))
    day, other = await tries(world, world.alice)
    assert (day.ended_at, day.missed) == (None, False) and other.ended_at is not None


async def test_a_puzzle_names_its_own_command(world: World) -> None:
    """A puzzle names `/puzzle`, since `/move` would be a move in the channel's match."""
    await world.alice.slash(world.channel, "settings me", boards="words")
    await give(world)
    shown = text(await open_puzzle(world, world.alice))
    assert "use `/puzzle move:a1`" in shown and "`/move" not in shown


async def test_a_refused_move_names_its_own_command(world: World) -> None:
    """If a piece has to be named as well, the example is a move by `/puzzle`."""
    await give(world, HOLES)
    await open_puzzle(world, world.alice)
    told = refused(await open_puzzle(world, world.alice, move="a2"))
    assert "by command: `/puzzle move:c1-a2`" in told


async def test_streaks(world: World, calendar: Calendar) -> None:
    """Each day's puzzle solved at the first try lengthens the streak; a missed day ends it.

    /profile shows them.
    """
    calendar.ahead += DAY - calendar() % DAY + 60
    for day, told in enumerate(["1 day. Your longest: 1", "2 days. Your longest: 2"]):
        await give(world, BLOCKS if day == 0 else FORK)
        shown = await open_puzzle(world, world.alice)
        for move in ("a3", "c2") if day == 0 else ("c1", "c2"):
            await press(world.alice, shown, move)
        assert f"Your streak: {told}" in text(shown)
        calendar.ahead += DAY
    calendar.ahead += DAY
    await give(world, BLOCKS.replace("easy", "medium"))
    shown = await open_puzzle(world, world.alice)
    calendar.ahead += DAY
    for move in ("a3", "c2"):
        await press(world.alice, shown, move)
    assert "You solved it after its day" in text(shown) and "streak:" not in text(shown)
    told = text(await world.alice.slash(world.channel, "profile"))
    assert "🧩 3 puzzles solved · daily streak: 0 · longest: 2" in told
    assert "🧩" not in text(await world.bob.slash(world.channel, "profile"))


async def test_a_wrong_move_after_the_day(world: World, calendar: Calendar) -> None:
    """It costs no streak, since the puzzle doesn't count for that any more."""
    await give(world)
    shown = await open_puzzle(world, world.alice)
    calendar.ahead += DAY
    await press(world.alice, shown, "b1")
    assert "**b1** loses" in text(shown) and "streak" not in text(shown)


async def test_another_puzzle_has_no_streak(world: World, calendar: Calendar) -> None:
    """Only the puzzle of the day tells the streak."""
    await give(world)
    await give(world, FORK, given_at=calendar())
    for moves in (("a3", "c2"), ("c1", "c2")):
        shown = await open_puzzle(world, world.alice)
        for move in moves:
            await press(world.alice, shown, move)
        assert ("Your streak" in text(shown)) == (moves[0] == "a3")


async def test_a_difficulty_is_wanted(world: World) -> None:
    """The puzzle of the day comes first if it is as hard as wanted; nobody gets one twice."""
    await give(world)
    assert "Puzzle of the day" in text(await open_puzzle(world, world.alice, difficulty="easy"))
    other = await open_puzzle(world, world.alice, difficulty="medium")
    assert "### Puzzle ·" in text(other) and "medium" in text(other)
    again = await open_puzzle(world, world.bob, difficulty="medium")
    assert text(again) == text(other), "what one member was given serves the others"


async def test_a_member_who_has_had_all(world: World, calendar: Calendar) -> None:
    """They are told when the next puzzle of the day comes."""
    await give(world)
    await push(world.alice, await open_puzzle(world, world.alice), "zs")
    for one in shipped()[::5]:
        await give(world, one.line, given_at=calendar())
    await world.sql("UPDATE puzzles SET line = '' WHERE day IS NULL")  # so none is left
    midnight = (day_of(calendar()) + 1) * DAY
    told = refused(await open_puzzle(world, world.alice))
    assert f"The next puzzle of the day comes <t:{midnight}:R>" in told
