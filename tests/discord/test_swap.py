"""The swap rule as members meet it: offered, pressed, typed, taken back, shown and played again."""

from typing import Any

import pytest

from bot.matches.squares import MAX_COMPONENTS
from core.grid import SWAP
from tests.discord.inviting import table
from tests.discord.world import World, components, ids, labels, refused, text

FAIR: dict[str, Any] = {"rows": 4, "columns": 3}
RULE = "⚖️ Swap rule"


async def swapped(world: World) -> None:
    """Alice marks b1 on 4x3, and bob takes it over."""
    await world.challenge(**FAIR)
    await world.press(world.alice, "b1")
    await world.press(world.bob, "swap")


def offers_swap(world: World) -> bool:
    return any(custom_id.endswith(":swap") for custom_id in ids(world.last))


async def test_a_member_swaps_by_button(world: World) -> None:
    """The challenge and the board tell the rule; the button is there for one answer only."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, **FAIR)
    assert "swap allowed" in text(world.last) and RULE in text(world.last)
    await world.bob.click(world.last, label="Accept")
    assert "swap allowed" in text(world.last) and RULE in text(world.last)
    assert "Without that rule whoever begins could force a win by move 7" in text(world.last)
    assert not offers_swap(world)
    await world.press(world.alice, "b1")
    assert "Swap sides" in labels(world.last) and RULE in text(world.last)
    await world.press(world.bob, "swap")
    assert not offers_swap(world) and RULE not in text(world.last)
    assert "⭕ **alice** vs ❌ **bob**" in text(world.last)
    assert "changed sides" in text(world.last)
    assert f"⭕ <@{world.alice.id}>, your move." in text(world.last)


async def test_after_a_swap_each_one_marks_with_the_other_mark(world: World) -> None:
    """Alice goes on with ⭕; bob wins with a line that alice's first mark begins."""
    await swapped(world)
    await world.press(world.alice, "a1")
    assert "Last move: ⭕ a1." in text(world.last)
    for who, square in ((world.bob, "b2"), (world.alice, "a2"), (world.bob, "b3")):
        await world.press(who, square)
    assert "❌ **bob** wins" in text(world.last)
    assert "⭕ **alice** vs ❌ **bob**" in text(world.last)
    assert "**alice** 0 – **bob** 1" in text(world.last)
    outcome = (await world.stored()).match.outcome
    assert outcome is not None and outcome.ranks == (2, 1)


@pytest.mark.parametrize("typed", ["swap", " SWAP "])
async def test_a_member_swaps_by_command(world: World, typed: str) -> None:
    """`/move swap` does what the button does, and is the first of what is suggested."""
    await world.challenge(**FAIR)
    await world.press(world.alice, "b1")
    found = await world.bob.autocomplete(world.channel, "move", "where", "")
    assert found[0]["value"] == "swap"
    await world.bob.slash(world.channel, "move", where=typed)
    assert "⭕ **alice** vs ❌ **bob**" in text(world.last)
    found = await world.alice.autocomplete(world.channel, "move", "where", "s")
    assert not found


async def test_who_may_not_swap_is_told_why(world: World) -> None:
    """Alice, whose mark it is, and a stranger change nothing; bob still may."""
    await world.challenge(**FAIR)
    await world.press(world.alice, "b1")
    assert "**bob**" in refused(await world.press(world.alice, "swap"))
    assert "**alice** vs **bob**" in refused(await world.press(world.carol, "swap"))
    assert (await world.stored()).match.ply == 1
    await world.press(world.bob, "swap")
    assert (await world.stored()).match.ply == 2


async def test_a_doubled_press_swaps_once(world: World) -> None:
    """The second press on the same board is answered, and changes nothing."""
    await world.challenge(**FAIR)
    await world.press(world.alice, "b1")
    board, bob = world.last, world.bob
    world.keep_old_boards()
    (swap,) = (i for i in ids(board) if i.endswith(":swap"))
    first = await bob.click(board, custom_id=swap)
    second = await bob.click(board, custom_id=swap)
    assert [str(move) for move in (await world.stored()).match.moves] == ["b1", "swap"]
    assert first.response is not None and refused(second)


@pytest.mark.parametrize("moves", ["", "b1 a1", "b1 swap"])
async def test_a_swap_at_another_time_is_refused(world: World, moves: str) -> None:
    """Before the first mark, after an answer, and a second time: the reason, and no turn lost."""
    await world.challenge(**FAIR)
    await world.play(moves)
    answer = await world.alice.slash(world.channel, "move", where="swap")
    assert "Sides can't be changed here" in refused(answer)
    assert (await world.stored()).match.ply == len(moves.split())


@pytest.mark.parametrize("game", ["tictactoe", "nineholes"])
async def test_where_there_is_no_such_rule(world: World, game: str) -> None:
    """`/move swap` is refused in games that don't have it, with a reason of its own."""
    await world.challenge(game=game)
    answer = await world.alice.slash(world.channel, "move", where="swap")
    assert "Sides can't be changed here" in refused(answer)


DEFAULTS: list[tuple[dict[str, Any], bool]] = [
    ({"rows": 4, "columns": 3}, True),
    ({"rows": 4, "line": 3}, True),
    ({"rows": 4, "line": 3, "swap": False}, False),
    ({}, False),
    ({"swap": True}, True),
    ({"rows": 4, "line": 3, "variant": "torus"}, False),
    ({"variant": "misere", "swap": True}, True),
]


@pytest.mark.parametrize(("options", "on"), DEFAULTS)
async def test_the_usual_rule_among_members(
    world: World, options: dict[str, Any], on: bool
) -> None:
    """On where the first player wins by force and squares differ, unless it is asked for."""
    await world.challenge(**options)
    assert ("swap allowed" in text(world.last)) == on
    await world.press(world.alice, "b2")
    assert offers_swap(world) == on


async def test_an_open_table_has_the_rule_too(world: World) -> None:
    """Whoever joins may swap."""
    await world.alice.slash(world.channel, "play tictactoe", open=True, **FAIR)
    assert "swap allowed" in text(world.last) and RULE in text(world.last)
    await world.bob.click(world.last, label="Join")
    await world.press(world.alice, "b1")
    await world.press(world.bob, "swap")
    assert "⭕ **alice** vs ❌ **bob**" in text(world.last)


async def test_a_table_that_the_computer_fills_has_the_rule_too(world: World) -> None:
    """The computer in the free seat takes over the mark that wins, and alice can take that back."""
    opened = await table(world, level="perfect", **FAIR)
    assert "swap allowed" in text(opened) and "the computer (perfect)" in text(opened)
    await world.alice.click(opened, label="Start")
    assert "swap allowed" in text(world.last) and RULE in text(world.last)
    await world.press(world.alice, "b2")
    assert "⭕ **alice** vs ❌ **Computer (perfect)**" in text(world.last)
    assert "changed sides" in text(world.last) and not offers_swap(world)
    assert [str(move) for move in (await world.stored()).match.moves] == ["b2", "swap"]
    await world.press(world.alice, "a1")
    assert "Last move: ❌" in text(world.last)
    for _ in range(2):
        await world.alice.click(world.last, label="Undo")
    assert "❌ **alice** vs ⭕ **Computer (perfect)**" in text(world.last)
    assert (await world.stored()).match.ply == 0


async def test_the_swap_where_the_computer_of_a_table_begins(world: World) -> None:
    """It has made the first mark when the board appears, and alice may take it over."""
    opened = await table(world, level="easy", first="opponent", **FAIR)
    await world.alice.click(opened, label="Start")
    assert "❌ **Computer (easy)** vs ⭕ **alice**" in text(world.last)
    await world.press(world.alice, "swap")
    assert "⭕ **Computer (easy)** vs ❌ **alice**" in text(world.last)
    assert "Last move: ⭕" in text(world.last)
    assert [move == SWAP for move in (await world.stored()).match.moves] == [False, True, False]


async def test_against_the_computer_it_takes_a_word(world: World) -> None:
    """Off unless asked for; then both may swap, and a warning stands where there is no rule."""
    await world.alice.slash(world.channel, "play tictactoe", **FAIR)
    assert "swap allowed" not in text(world.last) and "force a win" in text(world.last)
    options = {**FAIR, "swap": True, "level": "perfect"}
    other = world.guild.create_text_channel("other")
    await world.alice.slash(other, "play tictactoe", **options)
    await world.alice.slash(other, "move", where="b2")
    assert "⭕ **alice** vs ❌ **Computer (perfect)**" in text(other.last_message)
    third = world.guild.create_text_channel("third")
    await world.alice.slash(third, "play tictactoe", first="opponent", **options)
    await world.alice.slash(third, "move", where="swap")
    assert "⭕ **Computer (perfect)** vs ❌ **alice**" in text(third.last_message)
    assert "Last move: ⭕" in text(third.last_message)


async def test_a_swap_is_taken_back_by_consent(world: World) -> None:
    """Bob asks, alice agrees, and bob may answer otherwise."""
    await swapped(world)
    await world.bob.slash(world.channel, "undo")
    await world.alice.click(world.last, label="Agree")
    assert "❌ **alice** vs ⭕ **bob**" in text(world.last)
    assert offers_swap(world)
    await world.press(world.bob, "a1")
    assert "Last move: ⭕ a1." in text(world.last)


async def test_a_replay_and_an_export_name_everybody_rightly(world: World) -> None:
    """Before the swap alice has ❌, after it bob; the record has the word and reads back."""
    await swapped(world)
    for who, square in ((world.alice, "a1"), (world.bob, "b2"), (world.alice, "a2")):
        await world.press(who, square)
    await world.press(world.bob, "b3")
    seen = await world.carol.click(world.last, label="Replay")
    assert seen.response is not None
    assert "❌ **alice** vs ⭕ **bob**" in text(seen.response)
    for said in ("Last move: ❌ b1.", "changed sides", "Last move: ⭕ a1."):
        await world.carol.click(seen.response, label="Next")
        assert said in text(seen.response)
        before = said.startswith("Last move: ❌")
        names = "❌ **alice** vs ⭕ **bob**" if before else "⭕ **alice** vs ❌ **bob**"
        assert names in text(seen.response)
    files = await world.files(await world.carol.slash(world.channel, "export"))
    record = next(file for name, file in files.items() if not name.endswith(".gif")).read().decode()
    assert "moves: b1 swap a1 b2 a2 b3" in record
    assert "swap=on" in record and "ranks 2 1" in record


async def test_a_rematch_keeps_the_rule_and_turns_the_sides(world: World) -> None:
    """Bob begins, with ❌; alice may swap; the score goes on."""
    await swapped(world)
    for who, square in ((world.alice, "a1"), (world.bob, "b2"), (world.alice, "a2")):
        await world.press(who, square)
    await world.press(world.bob, "b3")
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "rematch")
    assert "❌ **bob** vs ⭕ **alice**" in text(world.last)
    assert "swap allowed" in text(world.last) and "**bob** 1 – **alice** 0" in text(world.last)
    await world.press(world.bob, "b1")
    await world.press(world.alice, "swap")
    assert "⭕ **bob** vs ❌ **alice**" in text(world.last)


@pytest.mark.parametrize("board", [(5, 5, 4), (8, 3, 3), (6, 6, 3), (10, 10, 3), (5, 6, 4)])
async def test_every_board_has_the_button(world: World, board: tuple[int, int, int]) -> None:
    """Boards of buttons keep to Discord's limit with it; on boards of text it stands below too."""
    rows, columns, line = board
    await world.challenge(rows=rows, columns=columns, line=line, swap=True)
    await world.alice.slash(world.channel, "move", where="b2")
    assert offers_swap(world)
    assert len(list(components(world.last))) <= MAX_COMPONENTS
    await world.press(world.bob, "swap")
    assert "⭕ **alice** vs ❌ **bob**" in text(world.last)
    await world.alice.slash(world.channel, "move", where="c3")
    assert not offers_swap(world)


async def test_a_match_that_was_stored_before_the_rule_goes_on(world: World) -> None:
    """Its options don't speak of it: there is no rule."""
    await world.challenge(**FAIR, swap=False)
    ((options,),) = await world.sql("SELECT options FROM matches")
    assert "swap" not in options
    await world.press(world.alice, "b1")
    assert not offers_swap(world)


async def test_a_review_shows_each_move_with_the_mark_of_its_time(world: World) -> None:
    """The first mark was ❌'s; bob, then ⭕, swapped; from then on alice is ⭕."""
    await swapped(world)
    await world.resign(world.alice)
    review = refused(await world.carol.slash(world.channel, "analyse"))
    assert "1. ❌" in review and "2. ⭕" in review and "swap" in review
