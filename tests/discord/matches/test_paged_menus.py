"""Menus with more than 25 rows or moves, and forged menu values."""

from random import Random

import discord
import pytest
from discord import ui
from simcord.actors import MessageLike

from bot.matches.menus import paged
from core.errors import PositionError
from core.games import GAMES
from core.games.tictactoe import TicTacToe
from core.games.tictactoe.board import board
from core.games.tictactoe.position import MnkPosition
from core.options import Options
from tests.discord.matches.test_menus_of_moves import choose, menus, options
from tests.discord.world import World, ids, refused, text

COLUMNS, ROWS = 26, 30


class Huge(TicTacToe):
    """Tic-tac-toe with more rows and columns than a menu holds."""

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
    """Return the custom ids of the page buttons."""
    return [i for i in ids(message) if i.startswith("w:") and i.count(":") == 4]


async def turn(world: World, custom_id: str) -> None:
    """Let alice turn a page."""
    await world.alice.click(world.last, custom_id=custom_id)


async def test_every_move_is_reached_by_pages(huge: World) -> None:
    """Rows 26 to 30 and column z are on second pages, and every move can be reached."""
    seen: list[str] = []
    rows = list(menus(huge.last).values())
    assert [len(values) for values in rows] == [25]
    assert turners(huge.last) == ["w:1:0::1"]
    await turn(huge, "w:1:0::1")
    rows += menus(huge.last).values()
    assert rows[1] == [f"{row}:0" for row in range(26, 31)]
    for row in (1, 25, 26, 30):
        await turn(huge, "w:1:0::0" if row < 26 else "w:1:0::1") if row in (1, 26) else None
        await choose(huge, huge.alice, f"{row}:0")
        for last in (False, True):
            (moves,) = [v for i, v in menus(huge.last).items() if i.startswith("m:")]
            seen += moves
            if not last:
                await turn(huge, f"w:1:0:{row}:1")
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert seen == [f"{letter}{row}" for row in (1, 25, 26, 30) for letter in letters]
    assert len(huge.channel.history()) == 1, "paging only edits the message"


async def test_a_move_of_a_second_page_is_played(huge: World) -> None:
    """It is played, even after a restart between the two pages."""
    await turn(huge, "w:1:0::1")
    await huge.env.restart_bot()
    await choose(huge, huge.alice, "30:0")
    await turn(huge, "w:1:0:30:1")
    await huge.env.restart_bot()
    await choose(huge, huge.alice, "z30")
    assert "Last move: ❌ z30" in text(huge.last)


async def test_the_opened_row_is_marked(huge: World) -> None:
    """The first menu marks the open row, on any page."""
    for row, page in (("3:0", 0), ("28:0", 1)):
        await turn(huge, f"w:1:0::{page}") if page else None
        await choose(huge, huge.alice, row)
        chosen = [option["value"] for option in options(huge.last) if option.get("default")]
        assert chosen == [row]


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


@pytest.mark.parametrize(
    ("custom_id", "values"),
    [
        ("m:1:0", ["a31"]),
        ("m:1:0", ["B2"]),
        ("m:1:0", ["a1:b1"]),
        ("m:1:0", ["a1-b2"]),
        ("m:1:0", ["castle"]),
        ("m:1:0", ["a1", "b1"]),
        ("m:1:7", ["a1"]),
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
    ],
)
async def test_forged_values(huge: World, custom_id: str, values: list[str]) -> None:
    """Values that no menu offers are refused privately, and nothing is played or shown."""
    offered = [discord.SelectOption(label="?", value=value) for value in values]
    view = ui.LayoutView(timeout=None)
    menu: ui.Select[ui.LayoutView] = ui.Select(
        custom_id=custom_id, options=offered, min_values=len(values), max_values=len(values)
    )
    view.add_item(ui.ActionRow(menu))
    view.stop()
    await huge.env.bot.get_partial_messageable(huge.channel.id).send(view=view)
    forged, before = huge.last, huge.public()
    lagging = custom_id == "m:1:7"
    answer = await huge.alice.select(forged, values, custom_id=custom_id)
    if lagging:
        assert huge.boards() or menus(huge.last), "the current board is shown instead"
    else:
        assert refused(answer)
        assert huge.public() == before
    assert (await huge.stored()).match.ply == 0


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (1, [1]), (25, [25]), (26, [25, 1])])
def test_pages_hold_25_options(count: int, sizes: list[int]) -> None:
    """Nothing is left out, and no page exceeds a menu."""
    pages = paged(range(count))
    assert [len(page) for page in pages] == sizes
    assert [entry for page in pages for entry in page] == list(range(count))
