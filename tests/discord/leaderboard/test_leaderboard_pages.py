"""The leaderboard's pages: forward, back, after a restart, and beyond the last."""

import discord

from tests.discord.leaderboard.standings import lines, own_line, ranked, standings, who
from tests.discord.world import World, ids, labels, text

PAGE = 10


async def test_ten_members_fit_one_page(world: World) -> None:
    """Up to ten members need no buttons."""
    names = await ranked(world, PAGE)
    assert who(await standings(world, by="wins")) == names
    assert not ids(world.last)


async def test_pages_are_turned_by_button(world: World) -> None:
    """Anyone turns pages, in the same message; the line about the asker stays, once on each."""
    await world.played()
    names = await ranked(world, 2 * PAGE + 1)
    await standings(world, by="wins")
    board = world.last
    own = own_line(board)
    assert "**alice** – 1 won" in own
    assert enabled(board) == ["Next"]
    seen = who(lines(board))
    for member in (world.carol, world.bob):
        await member.click(board, label="Next")
        assert own_line(world.now(board)) == own
        seen += who(lines(world.now(board)))
    assert "Page 3 of 3" in text(world.now(board))
    assert sorted(seen) == sorted([*names, "alice", "bob"])
    assert enabled(world.now(board)) == ["Back"]
    for _ in range(2):
        await world.alice.click(board, label="Back")
    assert who(lines(world.now(board))) == seen[:PAGE]
    await world.alice.slash(world.channel, "leaderboard", by="wins", page=2)
    assert who(lines(world.last)) == seen[PAGE : 2 * PAGE], "a command opens any page"


async def test_pages_of_one_game(world: World) -> None:
    """The pages of a game's leaderboard show that game alone."""
    names = await ranked(world, PAGE + 1, game="nineholes")
    await standings(world, game="nineholes", by="wins")
    await world.alice.click(world.last, label="Next")
    assert who(lines(world.last)) == names[PAGE:]
    assert "Leaderboard – Nine Holes" in text(world.last)


async def test_a_page_beyond_the_last(world: World) -> None:
    """A forged page beyond the last shows the last; an unknown game shows all games, by wins."""
    names = await ranked(world, PAGE + 1)
    for game, by in (("", "wins"), ("tictactoe", "wins"), ("chess", "rating")):
        custom_id = f"l:{game}:all:{by}:999999:1"
        message = await world.made_up(custom_id)
        await world.alice.click(message, custom_id=custom_id)
        assert who(lines(world.last)) == names[PAGE:], custom_id
        assert "Page 2 of 2" in text(world.last), custom_id


async def test_a_page_of_an_empty_leaderboard(world: World) -> None:
    """A forged page for an unknown member, with nobody listed, shows the empty leaderboard."""
    for asker in ("7", "8" + "9" * 18):
        custom_id = f"l::all:wins:7:{asker}"
        message = await world.made_up(custom_id)
        await world.alice.click(message, custom_id=custom_id)
        assert "Nobody has finished" in text(world.last), asker
        assert not labels(world.last), asker


def enabled(message: discord.Message) -> list[str]:
    """Return the labels of the enabled buttons."""
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    buttons = [b for row in rows for b in row.children if isinstance(b, discord.Button)]
    return [button.label or "" for button in buttons if not button.disabled]
