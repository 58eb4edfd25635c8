"""Commands that show the board or the rules, and commands that need a match."""

import pytest

from bot.settings import Settings
from core.games import GAMES
from tests.discord.conftest import Restart
from tests.discord.world import World, mentioned, refused, text

# --- /board


async def test_board_posts_the_board_again(world: World) -> None:
    """`/board` replaces the old board with the same view and notifies nobody."""
    await world.challenge()
    await world.play("b2")
    before = world.last
    await world.carol.slash(world.channel, "board")
    (board,) = world.boards()
    assert board.id > before.id
    assert not mentioned(board, world.env)
    assert text(board).replace("**bob**,", f"<@{world.bob.id}>,") == text(before)
    await world.press(world.bob, "a1")
    assert "Last move: 🔵 a1" in text(world.last)


async def test_board_without_a_match(world: World) -> None:
    """Nothing is posted, and the answer says how to start a match."""
    assert "`/play`" in refused(await world.alice.slash(world.channel, "board"))
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    final = world.last
    answer = refused(await world.alice.slash(world.channel, "board"))
    assert "This match is over" in answer and str(final.id) in answer


async def test_board_restores_a_deleted_board(world: World) -> None:
    """After a moderator deletes the board, `/board` posts it and play continues."""
    await world.challenge()
    world.env.backend.delete_message(world.channel.id, world.last.id)
    await world.bob.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    assert len(world.boards()) == len(world.channel.history()) == 1


# --- refusals without a match


@pytest.mark.parametrize("command", ["board", "undo", "resign", "draw", "rematch"])
async def test_commands_without_a_match(world: World, command: str) -> None:
    """In a channel without a match each is refused with the way to start one."""
    assert "`/play` starts one" in refused(await world.alice.slash(world.channel, command))


@pytest.mark.parametrize("command", ["undo", "draw", "rematch", "resign"])
async def test_commands_of_a_stranger(world: World, command: str) -> None:
    """In another member's match each is refused, and nothing is posted."""
    await world.challenge()
    answer = refused(await world.carol.slash(world.channel, command))
    assert "**alice** vs **bob**" in answer
    assert len(world.channel.history(viewer=world.bob)) == 1


# --- /rules and /help


@pytest.mark.parametrize("game", GAMES)
async def test_rules_of_a_game(world: World, game: str) -> None:
    """`/rules` explains a game and its variants privately."""
    answer = refused(await world.alice.slash(world.channel, "rules", game=game))
    for option in GAMES[game].declared:
        for choice in getattr(option, "choices", ()):
            assert f"`{choice}`" in answer
    others = set(GAMES) - {game}
    whole = refused(await world.alice.slash(world.channel, "rules"))
    assert answer in whole and len(whole) > len(answer) * bool(others)


async def test_rules_fit_a_message(world: World) -> None:
    """The rules of each game stay within Discord's 4,000 characters of text per message."""
    assert len(refused(await world.alice.slash(world.channel, "rules"))) <= 4000


async def test_help_names_every_command(world: World) -> None:
    """`/help` is private and names every command but itself."""
    answer = refused(await world.alice.slash(world.channel, "help"))
    for command in world.alice.available_commands(world.channel):
        assert f"`/{command}" in answer or command == "help"


async def test_help_links_nothing_of_its_own(world: World) -> None:
    """Without the host's pages `/help` says what is stored, and links nothing."""
    answer = refused(await world.alice.slash(world.channel, "help"))
    assert "Rowbot stores the moves and results" in answer
    assert "http" not in answer


async def test_help_links_the_pages_of_the_host(
    world: World, settings: Settings, restart: Restart
) -> None:
    """`/help` links the privacy policy and the terms that the host names."""
    pages = {"privacy_url": "https://example.org/privacy", "terms_url": "https://example.org/terms"}
    await restart(settings.model_copy(update=pages))
    answer = refused(await world.alice.slash(world.channel, "help"))
    assert "[Privacy](https://example.org/privacy) · [Terms](https://example.org/terms)" in answer
    assert len(answer) <= 4000
