"""Boards with more rows or columns than a message has buttons for, and forged menu values."""

from random import Random

import discord
import pytest
from discord import ui
from simcord.actors import MessageLike

from core.errors import PositionError
from core.games import GAMES
from core.games.tictactoe import TicTacToe
from core.games.tictactoe.board import board
from core.games.tictactoe.position import MnkPosition
from core.options import Options
from tests.discord.matches.menus import moves_of, open_row, rows_of
from tests.discord.world import World, answer_to, components, refused, text

COLUMNS, ROWS = 26, 30


class Huge(TicTacToe):
    """Tic-tac-toe with more rows and columns than fit on a page."""

    def start(self, options: Options, rng: Random) -> MnkPosition:
        return MnkPosition(board(COLUMNS, ROWS, 3, "classic"))

    def parse(self, notation: str) -> MnkPosition:
        start = self.start({}, Random())
        if notation != start.notation:
            raise PositionError(notation)
        return start


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tictactoe", Huge())


@pytest.fixture
async def huge(_registered: None, world: World) -> World:
    """Start a match of alice and bob on the huge board, with alice to move."""
    await world.challenge()
    return world


def turners(message: MessageLike) -> list[str]:
    """Return the custom ids of the buttons that turn the pages of rows."""
    enabled = [c.get("custom_id", "") for c in components(message) if not c.get("disabled")]
    return [i for i in enabled if i.startswith("w:") and not i.split(":")[3]]


async def turn(world: World, custom_id: str) -> None:
    """Let alice turn a page."""
    await world.alice.click(world.last, custom_id=custom_id)


async def test_every_move_is_reached_by_pages(huge: World) -> None:
    """Rows 15 to 1 and column z are on second pages, and every move can be reached."""
    assert rows_of(huge.last) == [str(row) for row in range(30, 15, -1)]
    assert turners(huge.last) == ["w:1:0::1"]
    opened = answer_to(await open_row(huge, huge.alice, "30"))
    await turn(huge, "w:1:0::1")
    assert rows_of(huge.last) == [str(row) for row in range(15, 0, -1)]
    assert len(huge.channel.history()) == 1, "paging only edits the message"
    first = moves_of(opened)
    await huge.alice.click(opened, custom_id="w:1:0:30:1")
    second = moves_of(huge.now(opened))
    assert first + second == [f"{letter}30" for letter in "abcdefghijklmnopqrstuvwxyz"]


async def test_a_move_of_a_second_page_is_played(huge: World) -> None:
    """It is played, even after a restart between the two pages."""
    await turn(huge, "w:1:0::1")
    opened = answer_to(await open_row(huge, huge.alice, "3"))
    await huge.alice.click(opened, custom_id="w:1:0:3:1")
    await huge.env.restart_bot()
    await huge.alice.click(huge.now(opened), label="z3")
    assert "Last move: ❌ z3" in text(huge.last)


async def test_spectators_turn_no_pages(huge: World) -> None:
    """The message is shared, so a page turned out of turn is refused and nothing changes."""
    before = huge.public()
    for who, reason in ((huge.bob, "alice"), (huge.carol, "not in this match")):
        assert reason in refused(await who.click(huge.last, custom_id="w:1:0::1"))
    assert huge.public() == before


async def test_pages_of_an_old_board(huge: World) -> None:
    """A page turned on an old board is refused."""
    huge.keep_old_boards()
    old = huge.last
    for who, where in ((huge.alice, "a1"), (huge.bob, "b1")):
        await who.slash(huge.channel, "move", where=where)
    assert "out of date" in refused(await huge.alice.click(old, custom_id="w:1:0::1"))


async def test_every_move_is_reached_by_typing(huge: World) -> None:
    """However many moves are legal, the one typed in full comes first."""
    for where in ("a1", "a10", "z3", "z30", "k12"):
        offered = await huge.alice.autocomplete(huge.channel, "move", "where", where)
        assert offered[0]["value"] == where
        assert len(offered) <= 25


FORGED = [
    ("m:1:0", ["a31"]),
    ("m:1:0", ["B2"]),
    ("m:1:0", ["a1:b1"]),
    ("m:1:0", ["a1-b2"]),
    ("m:1:0", ["castle"]),
    ("m:1:0", ["a1", "b1"]),
    ("m:2:0", ["a1"]),
    ("m:1:0:a1", ["b1"]),
    ("m:1", ["0:a1:x"]),
    ("w:1:0", ["31:0"]),
    ("w:1:0", ["1:2"]),
    ("w:1:0", [":2"]),
    ("w:1:0", ["a1:0"]),
    ("w:1:0", ["1"]),
    ("w:1:0", ["1:-1"]),
    ("w:1:0", ["1:0", "2:0"]),
    ("x", ["m:1:0:a1"]),
]
# Menus of a board that lags behind: the current one is shown instead of a refusal.
LAGGING = [("w:1:7", ["30:0"]), ("m:1:7", ["a1"])]


async def test_forged_values_are_refused(huge: World) -> None:
    """Values that no menu offers are refused privately, and nothing is played or shown."""
    for custom_id, values in FORGED:
        forged = await send_menu(huge, custom_id, values)
        before = huge.public()
        assert refused(await huge.alice.select(forged, values, custom_id=custom_id)), custom_id
        assert huge.public() == before, custom_id
    for custom_id, values in LAGGING:
        forged = await send_menu(huge, custom_id, values)
        shown = await huge.alice.select(forged, values, custom_id=custom_id)
        assert not answer_to(shown).ephemeral
        assert rows_of(huge.last)
    assert (await huge.stored()).match.ply == 0


async def send_menu(world: World, custom_id: str, values: list[str]) -> discord.Message:
    """Send a message of the bot's with a forged menu, in which all values are to be chosen."""
    offered = [discord.SelectOption(label="?", value=value) for value in values]
    view = ui.LayoutView(timeout=None)
    menu: ui.Select[ui.LayoutView] = ui.Select(
        custom_id=custom_id, options=offered, min_values=len(values), max_values=len(values)
    )
    view.add_item(ui.ActionRow(menu))
    view.stop()
    await world.env.bot.get_partial_messageable(world.channel.id).send(view=view)
    return world.last
