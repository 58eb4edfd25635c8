"""Nine Holes by buttons: pick a man, then its target."""

import discord

from tests.discord.world import World, components, ids, labels, mentioned, refused, text


async def test_a_man_is_picked_and_placed(world: World) -> None:
    """A pick edits the board, posts nothing and notifies nobody; a placement posts a new board."""
    await world.tell_commands()
    board = await world.challenge(game="nineholes")
    for square in ("a1", "b1", "", "c1"):
        before = len(world.env.http_requests)
        await world.press(world.alice, square)
        assert [r.method for r in world.env.http_requests[before:]] == ["POST"]
        assert [m.id for m in world.channel.history()] == [board.id]
        assert mentioned(world.last, world.env) == []
        assert (f"{square or 'b1'} is picked" in text(world.last)) == bool(square)
    await world.press(world.alice, "c1-b3")
    assert "Last move: ❌ c1-b3" in text(world.last)
    assert [m.id for m in world.channel.history()] == [world.last.id] != [board.id]


async def test_a_pick_highlights_the_man_and_its_targets(world: World) -> None:
    """The picked man and its legal targets are highlighted, and nothing else."""
    await world.played("a1-a2 a5-a4 b1-b2 b5-b4 c1-c3 c5-c2", game="nineholes", variant="step")
    await world.press(world.alice, "b2")
    parts = components(world.last)
    styles = {c["custom_id"].split(":")[-1]: c["style"] for c in parts if "style" in c}
    plain = discord.ButtonStyle.secondary.value
    bright = {end: style for end, style in styles.items() if style != plain}
    assert bright == {
        "": discord.ButtonStyle.primary.value,
        "b2-b3": discord.ButtonStyle.success.value,
    }
    assert len(ids(world.last)) == 15 + 4


async def test_an_illegal_target_keeps_the_pick(world: World) -> None:
    """A target that isn't an empty hole is refused privately, and the man stays picked."""
    await world.played("a1", game="nineholes")
    for square in ("a1-b5", "a1-a5"):
        assert "still your turn" in refused(await world.press(world.alice, square)), square
        assert "a1 is picked" in text(world.last), square
    await world.press(world.alice, "a1-b3")
    assert "Last move: ❌ a1-b3" in text(world.last)


async def test_men_enter_first(world: World) -> None:
    """With men at home, `drop-first` refuses a pick on the board and names the pieces at home."""
    await world.challenge(game="nineholes", variant="drop-first")
    await world.move(world.alice, "a1-b3")
    await world.move(world.bob, "a5-a4")
    board = world.last
    words = refused(await world.press(world.alice, "b3"))
    assert "b3 is already yours" in words and "b1 c1" in words
    await world.press(world.alice, "b1")
    assert "still your turn" in refused(await world.press(world.alice, "b1-a4"))
    assert world.last.id == board.id


async def test_a_pick_belongs_to_its_ply(world: World) -> None:
    """A press on a removed board picks nothing on the current one."""
    old = await world.challenge(game="nineholes")
    world.keep_old_boards()
    await world.move(world.alice, "a1-b3")
    current = world.last
    for who, square in ((world.alice, "b1"), (world.bob, "a5")):
        (answer,) = await world.at_once((who, old, f"m:1:0:{square}-a1"))
        assert "out of date" in refused(answer)
    assert text(world.now(current)) == text(current)


async def test_a_press_before_any_pick(world: World) -> None:
    """A hole or an opponent's man is answered with the men that can move."""
    await world.challenge(game="nineholes")
    for square in ("b3", "a5"):
        assert "a1 b1 c1" in refused(await world.press(world.alice, square))


async def test_a_move_typed_without_its_man(world: World) -> None:
    """The refusal gives a legal move as an example: to the square typed, if there is one."""
    await world.challenge(game="nineholes")
    for typed, example in (("b3", "a1-b3"), ("b1", "b1-a2"), ("b9", "a1-a2")):
        told = refused(await world.alice.slash(world.channel, "move", where=typed))
        assert "Pick one of your pieces first" in told and f"`/move {example}`" in told


async def test_only_the_mover_picks(world: World) -> None:
    """The opponent and strangers can't pick for the player to move."""
    await world.challenge(game="nineholes")
    assert "alice" in refused(await world.press(world.bob, "a5"))
    assert "alice" in refused(await world.press(world.bob, "a1"))
    assert "not in this match" in refused(await world.press(world.carol, "a1"))
    await world.press(world.alice, "a1")
    for other in (world.bob, world.carol):
        for square in ("a1-b3", "b1", ""):
            assert refused(await world.press(other, square))
    assert "a1 is picked" in text(world.last)


async def test_threefold_repetition_is_a_draw(world: World) -> None:
    """The third occurrence of a position ends the match, and the board says why."""
    await world.challenge(game="nineholes")
    there_and_back = "b2-b3 b4-c3 b3-b2 c3-b4"
    await world.play(f"a1-b2 a5-b4 {there_and_back} {there_and_back}")
    assert "A draw: the same position for the third time" in text(world.last)
    assert not world.boards()


async def test_rules_while_there_is_nothing_to_undo(world: World) -> None:
    """A first board has them in the place of *Undo*."""
    await world.alice.slash(world.channel, "play nineholes", variant="step", level="easy")
    assert "Rules" in labels(world.last) and "Undo" not in labels(world.last)
    assert "Nine Holes" in refused(await world.alice.click(world.last, label="Rules"))
    move = (await world.stored()).match.position.legal_moves()[0]
    await world.alice.slash(world.channel, "move", where=str(move))
    assert "Undo" in labels(world.last) and "Rules" not in labels(world.last)
