"""The squares and menus of a board: a press is parsed, the service called once, the board shown."""

from collections.abc import Awaitable, Callable

from bot.gateway.components import view_of
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    own_texts_of,
    place_of,
    pressed_message,
    private_message,
)
from bot.gateway.responses import defer_private, response_of
from bot.identity import MatchId
from bot.matches.boards import Boards
from bot.matches.model import Pressed, StoredMatch
from bot.matches.moves import Chosen, check_pick, group_items, has_page
from bot.matches.presses import (
    Group,
    Pick,
    Play,
    RulesOfMatch,
    ShowLegal,
    board_pressed,
    on_board,
    ply_pressed,
)
from bot.matches.private import PrivateBoards
from bot.matches.service import MatchService, check_newest, check_to_move
from bot.refusals import Refusal
from core.grid import Square


class MatchButtons:
    """The presses on a running match; `show_rules` is given the key of a game."""

    def __init__(
        self,
        matches: MatchService,
        boards: Boards,
        private: PrivateBoards,
        show_rules: Callable[[Interaction, str], Awaitable[None]],
    ):
        self._matches = matches
        self._boards = boards
        self._private = private
        self._show_rules = show_rules

    async def play(self, interaction: Interaction, press: Play) -> None:
        """Make a move; on a board that lags behind, show the current one instead."""
        me, board = asker_of(interaction), board_pressed(interaction, press)
        async with self._matches.lock(board.channel_id):
            stored = await self._matches.play(press.match, me, press.move, board)
        # The buttons of a large board's moves are on a private message, which this press removes.
        if await defer_private(interaction) is not None:
            self._private.note_row_used(stored, me)
        await self._boards.show_current(interaction, stored)

    async def pick(self, interaction: Interaction, press: Pick) -> None:
        """Show the board with a man picked up, or put back."""
        found = await self._pressed(interaction, press)
        square = Square.parse(press.square) if press.square else None
        if square is not None and not found.lagging:
            check_pick(found.stored.match.position, square, found.stored)
        await self._redraw(interaction, found, Chosen(square))

    async def group(self, interaction: Interaction, press: Group) -> None:
        """Show the presser the moves of a group, or everybody another page of groups."""
        found = await self._pressed(interaction, press)
        position = found.stored.match.position
        if not found.lagging and not has_page(position.legal_moves(), press.group, press.page):
            raise Refusal("refusal.unknown_button", found.stored)
        if found.lagging or not press.group:
            await self._redraw(interaction, found, Chosen(page=press.page))
            return
        presses = on_board(press.match, press.ply)
        texts = own_texts_of(interaction)
        view = view_of(*group_items(position, presses, press.group, press.page, texts))
        if private_message(interaction):
            await response_of(interaction).edit(view)
        else:
            await self._private.open_row(interaction, found.stored, view)

    async def legal(self, interaction: Interaction, press: ShowLegal) -> None:
        """Show the asker the squares that the player to move can choose from."""
        stored = await self._shown(interaction, press.match)
        if stored is not None:
            await self._private.show_legal(interaction, stored)

    async def rules(self, interaction: Interaction, press: RulesOfMatch) -> None:
        """Show the asker the rules of the game."""
        stored = await self._shown(interaction, press.match)
        if stored is not None:
            await self._show_rules(interaction, stored.match.game.key)

    async def _shown(self, interaction: Interaction, match_id: MatchId) -> StoredMatch | None:
        """Return the match that the pressed board shows; raise Refusal for an old board.

        If the board lags behind, show the current one to everybody and return None.
        """
        stored = await self._matches.get(match_id, place_of(interaction).channel_id)
        check_newest(stored, pressed_message(interaction))
        if ply_pressed(interaction, stored.id) in (None, stored.shown_ply):
            return stored
        await self._boards.show_current(interaction, stored)
        return None

    async def _pressed(self, interaction: Interaction, press: Pick | Group) -> Pressed:
        """Return the match of a pressed board; raise Refusal unless the presser is to move."""
        me, board = asker_of(interaction), board_pressed(interaction, press)
        async with self._matches.lock(board.channel_id):
            found = await self._matches.pressed(press.match, me, board)
        if not found.lagging:
            check_to_move(found.stored, me)
        return found

    async def _redraw(self, interaction: Interaction, found: Pressed, chosen: Chosen) -> None:
        """Edit the board while a move is being chosen; if it lags behind, show the current one."""
        stored = found.stored
        if found.lagging:
            await self._boards.show_current(interaction, stored)
        else:
            await self._boards.show_chosen(interaction, stored, chosen)
