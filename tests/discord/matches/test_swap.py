"""The pie rule on Discord: offering, accepting, undoing, replaying and repeating a swap."""

from typing import Any

from bot.gateway.components import MAX_COMPONENTS
from core.grid import SWAP
from tests.discord.invitations.inviting import table
from tests.discord.world import World, answer_to, components, ids, labels, refused, text

FAIR: dict[str, Any] = {"rows": 4, "columns": 3}
RULE = "⚖️ Swap rule"


async def swapped(world: World) -> None:
    """Let alice mark b1 on 4x3, and bob swap."""
    await world.played("b1 swap", **FAIR)


async def won(world: World) -> None:
    """Let bob win after his swap."""
    await swapped(world)
    await world.play("a1 b2 a2 b3")


def offers_swap(world: World) -> bool:
    return any(custom_id.endswith(":swap") for custom_id in ids(world.last))


async def test_a_member_swaps_by_button(world: World) -> None:
    """The challenge and the board state the rule; the button is there for one move only."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, **FAIR)
    assert "swap allowed" in text(world.last) and RULE in text(world.last)
    await world.bob.click(world.last, label="Accept")
    assert "swap allowed" in text(world.last) and RULE in text(world.last)
    assert "Without that rule the first player could force a win by move 7" in text(world.last)
    assert not offers_swap(world)
    await world.press(world.alice, "b1")
    assert "Swap sides" in labels(world.last) and RULE in text(world.last)
    await world.press(world.bob, "swap")
    assert not offers_swap(world) and RULE not in text(world.last)
    assert "🔵 **alice** vs ❌ **bob**" in text(world.last)
    assert "changed sides" in text(world.last)
    assert f"🔵 <@{world.alice.id}>, your move." in text(world.last)


async def test_the_rule_in_words(world: World) -> None:
    """It names no marks, since those are words on a board in words."""
    await world.alice.slash(world.channel, "settings me", boards="words")
    await world.challenge(**FAIR)
    (rule,) = [line for line in text(world.last).splitlines() if RULE in line]
    assert "the second player may take over the first player's side" in rule
    assert "❌" not in rule and "🔵" not in rule


async def test_after_a_swap_the_marks_are_exchanged(world: World) -> None:
    """Alice continues with 🔵; bob wins with a line that alice's first mark began."""
    await swapped(world)
    await world.press(world.alice, "a1")
    assert "Last move: 🔵 a1." in text(world.last)
    await world.play("b2 a2 b3", world.bob, world.alice)
    assert "❌ **bob** wins" in text(world.last)
    assert "🔵 **alice** vs ❌ **bob**" in text(world.last)
    outcome = (await world.stored()).match.outcome
    assert outcome is not None and outcome.ranks == (2, 1)


async def test_the_legal_moves_name_the_swap(world: World) -> None:
    """`/moves` counts the squares that it marks; in words, it counts all moves."""
    await world.played("b1", **FAIR)
    told = refused(await world.bob.slash(world.channel, "moves"))
    assert "11 in all" in told and ", swap" in told
    await world.bob.slash(world.channel, "settings me", boards="words")
    told = refused(await world.bob.slash(world.channel, "moves"))
    assert "12 legal moves" in told and ", swap" in told


async def test_a_member_swaps_by_command(world: World) -> None:
    """`/move swap` does the same as the button, and autocomplete offers it first."""
    await world.played("b1", **FAIR)
    found = await world.bob.autocomplete(world.channel, "move", "where", "")
    assert found[0]["value"] == "swap"
    await world.bob.slash(world.channel, "move", where=" SWAP ")
    assert "🔵 **alice** vs ❌ **bob**" in text(world.last)
    found = await world.alice.autocomplete(world.channel, "move", "where", "s")
    assert not found


async def test_an_invalid_swap_is_refused_with_a_reason(world: World) -> None:
    """Alice, who owns the mark, and a stranger change nothing; bob may still swap, but once."""
    await world.played("b1", **FAIR)
    assert "**bob**" in refused(await world.press(world.alice, "swap"))
    assert "**alice** vs **bob**" in refused(await world.press(world.carol, "swap"))
    assert (await world.stored()).match.ply == 1
    await world.press(world.bob, "swap")
    late = await world.alice.slash(world.channel, "move", where="swap")
    assert "You can't swap sides here" in refused(late)
    assert (await world.stored()).match.ply == 2


DEFAULTS: list[tuple[dict[str, Any], bool]] = [
    (FAIR, True),
    ({**FAIR, "swap": False}, False),
    ({}, False),
    ({"swap": True}, True),
]


async def test_the_default_between_members(world: World) -> None:
    """The rule is on if the first player has a forced win, and otherwise only if asked for."""
    for options, on in DEFAULTS:
        await world.challenge(**options)
        assert ("swap allowed" in text(world.last)) == on, options
        await world.press(world.alice, "b2")
        assert offers_swap(world) == on, options
        await world.resign(world.alice)


async def test_an_open_table_has_the_rule_too(world: World) -> None:
    """A member who joins may swap."""
    await world.alice.slash(world.channel, "play tictactoe", open=True, **FAIR)
    assert "swap allowed" in text(world.last) and RULE in text(world.last)
    await world.bob.click(world.last, label="Join")
    await world.play("b1 swap")
    assert "🔵 **alice** vs ❌ **bob**" in text(world.last)


async def test_a_table_that_the_computer_fills_has_the_rule_too(world: World) -> None:
    """The computer in the free seat swaps for the winning mark, and alice can undo that."""
    opened = await table(world, level="perfect", **FAIR)
    assert "swap allowed" in text(opened) and "the computer (perfect)" in text(opened)
    await world.alice.click(opened, label="Start")
    assert "swap allowed" in text(world.last) and RULE in text(world.last)
    await world.press(world.alice, "b2")
    assert "🔵 **alice** vs ❌ **Computer (perfect)**" in text(world.last)
    assert "changed sides" in text(world.last) and not offers_swap(world)
    assert [str(move) for move in (await world.stored()).match.moves] == ["b2", "swap"]
    await world.press(world.alice, "a1")
    assert "Last move: ❌" in text(world.last)
    for _ in range(2):
        await world.alice.click(world.last, label="Undo")
    assert "❌ **alice** vs 🔵 **Computer (perfect)**" in text(world.last)
    assert (await world.stored()).match.ply == 0


async def test_a_swap_when_the_computer_of_a_table_moves_first(world: World) -> None:
    """The first board shows the computer's mark, and alice may swap."""
    opened = await table(world, level="easy", first="opponent", **FAIR)
    await world.alice.click(opened, label="Start")
    assert "❌ **Computer (easy)** vs 🔵 **alice**" in text(world.last)
    await world.press(world.alice, "swap")
    assert "🔵 **Computer (easy)** vs ❌ **alice**" in text(world.last)
    assert "Last move: 🔵" in text(world.last)
    assert [move == SWAP for move in (await world.stored()).match.moves] == [False, True, False]


async def test_the_default_against_the_computer(world: World) -> None:
    """The rule is off unless asked for; with it both may swap."""
    await world.alice.slash(world.channel, "play tictactoe", **FAIR)
    assert "swap allowed" not in text(world.last) and "force a win" not in text(world.last)
    options = {**FAIR, "swap": True, "level": "perfect"}
    other = world.guild.create_text_channel("other")
    await world.alice.slash(other, "play tictactoe", **options)
    await world.alice.slash(other, "move", where="b2")
    assert "🔵 **alice** vs ❌ **Computer (perfect)**" in text(other.last_message)
    third = world.guild.create_text_channel("third")
    await world.alice.slash(third, "play tictactoe", first="opponent", **options)
    await world.alice.slash(third, "move", where="swap")
    assert "🔵 **Computer (perfect)** vs ❌ **alice**" in text(third.last_message)
    assert "Last move: 🔵" in text(third.last_message)


async def test_a_swap_is_taken_back_by_consent(world: World) -> None:
    """Bob asks, alice agrees, and bob may decide again."""
    await swapped(world)
    await world.bob.slash(world.channel, "undo")
    await world.alice.click(world.last, label="Agree")
    assert "❌ **alice** vs 🔵 **bob**" in text(world.last)
    assert offers_swap(world)
    await world.press(world.bob, "a1")
    assert "Last move: 🔵 a1." in text(world.last)


async def test_a_replay_and_an_export_name_the_right_players(world: World) -> None:
    """Alice has ❌ before the swap and bob after it; the record contains it and parses back."""
    await won(world)
    seen = await world.carol.click(world.last, label="Replay")
    assert "❌ **alice** vs 🔵 **bob**" in text(answer_to(seen))
    for said in ("Last move: ❌ b1.", "changed sides", "Last move: 🔵 a1."):
        await world.carol.click(answer_to(seen), label="Next")
        assert said in text(answer_to(seen))
        before = said.startswith("Last move: ❌")
        names = "❌ **alice** vs 🔵 **bob**" if before else "🔵 **alice** vs ❌ **bob**"
        assert names in text(answer_to(seen))
    files = await world.files(await world.carol.slash(world.channel, "export"))
    record = next(file for name, file in files.items() if not name.endswith(".gif")).read().decode()
    assert "moves: b1 swap a1 b2 a2 b3" in record
    assert "swap=on" in record and "ranks 2 1" in record


async def test_a_rematch_keeps_the_rule_and_exchanges_the_seats(world: World) -> None:
    """Bob moves first with ❌, alice may swap, and the score continues."""
    await won(world)
    await world.rematch()
    assert "❌ **bob** vs 🔵 **alice**" in text(world.last)
    assert "swap allowed" in text(world.last) and "**bob** 1 – **alice** 0" in text(world.last)
    await world.play("b1 swap", world.bob, world.alice)
    assert "🔵 **bob** vs ❌ **alice**" in text(world.last)


async def test_every_board_has_the_button(world: World) -> None:
    """A board of buttons stays within Discord's limit; a text board has the button below it."""
    for rows, columns, line in ((5, 5, 4), (10, 10, 3)):
        await world.challenge(rows=rows, columns=columns, line=line, swap=True)
        await world.alice.slash(world.channel, "move", where="b2")
        assert offers_swap(world), (rows, columns)
        assert len(list(components(world.last))) <= MAX_COMPONENTS
        await world.press(world.bob, "swap")
        assert "🔵 **alice** vs ❌ **bob**" in text(world.last)
        await world.alice.slash(world.channel, "move", where="c3")
        assert not offers_swap(world), (rows, columns)
        await world.resign(world.alice)


async def test_a_review_shows_each_move_with_its_original_mark(world: World) -> None:
    """❌ made the first mark; bob, then 🔵, swapped; from then on alice is 🔵."""
    await swapped(world)
    await world.resign(world.alice)
    review = refused(await world.carol.slash(world.channel, "analyse"))
    assert "1. ❌" in review and "2. 🔵" in review and "swap" in review
