"""Commands that show the board or tell the rules, and those that need a match."""

import pytest

from core.games import GAMES
from tests.discord.world import World, mentioned, refused, text

# --- /board


async def test_board_posts_the_board_again(world: World) -> None:
    """The new board replaces the old one, looks the same, and notifies nobody."""
    await world.challenge()
    await world.play("b2")
    before = world.last
    await world.carol.slash(world.channel, "board")
    (board,) = world.boards()
    assert board.id > before.id
    assert not mentioned(board, world.env)
    assert text(board).replace("**bob**,", f"<@{world.bob.id}>,") == text(before)
    await world.press(world.bob, "a1")
    assert "Last move: ⭕ a1" in text(world.last)


async def test_board_without_a_match(world: World) -> None:
    """Nothing is posted, and the answer says how to start."""
    assert "`/play`" in refused(await world.alice.slash(world.channel, "board"))
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    final = world.last
    answer = refused(await world.alice.slash(world.channel, "board"))
    assert "This match is over" in answer and str(final.id) in answer


async def test_board_mends_a_removed_board(world: World) -> None:
    """A moderator has deleted the board: /board posts it, and play goes on."""
    await world.challenge()
    world.env.backend.delete_message(world.channel.id, world.last.id)
    await world.bob.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    assert len(world.boards()) == len(world.channel.history()) == 1


# --- refusals without a match


@pytest.mark.parametrize("command", ["board", "undo", "resign", "draw", "rematch"])
async def test_commands_without_a_match(world: World, command: str) -> None:
    """In an empty channel each is refused with the way to start."""
    assert "`/play` starts one" in refused(await world.alice.slash(world.channel, command))


@pytest.mark.parametrize("command", ["undo", "draw", "rematch", "resign"])
async def test_commands_of_a_stranger(world: World, command: str) -> None:
    """In others' match each is refused, and nothing is posted."""
    await world.challenge()
    answer = refused(await world.carol.slash(world.channel, command))
    assert "**alice** vs **bob**" in answer
    assert len(world.channel.history(viewer=world.bob)) == 1


# --- /rules and /help


@pytest.mark.parametrize("game", GAMES)
async def test_rules_of_a_game(world: World, game: str) -> None:
    """/rules tells one game's rules, with its variants, privately."""
    answer = refused(await world.alice.slash(world.channel, "rules", game=game))
    for option in GAMES[game].declared:
        for choice in getattr(option, "choices", ()):
            assert f"`{choice}`" in answer
    others = set(GAMES) - {game}
    whole = refused(await world.alice.slash(world.channel, "rules"))
    assert answer in whole and len(whole) > len(answer) * bool(others)


async def test_rules_fit_a_message(world: World) -> None:
    """All the rules together keep to Discord's 4,000 characters of text in components."""
    assert len(refused(await world.alice.slash(world.channel, "rules"))) <= 4000


async def test_help_names_every_command(world: World) -> None:
    """/help is private, and leaves no command out but itself."""
    answer = refused(await world.alice.slash(world.channel, "help"))
    for command in world.alice.available_commands(world.channel):
        assert f"`/{command}" in answer or command == "help"
