"""The feature: playing a match by buttons, menus and commands."""

from collections.abc import Sequence

from discord import app_commands

from bot.forms import Form
from bot.gateway.commands import MAX_CHOICES, CommandBuilder, typed_move
from bot.gateway.components import view_of
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    own_texts_of,
    place_of,
    pressed_message,
    private_message,
)
from bot.gateway.limits import Kind, Limits
from bot.gateway.responses import defer_private, response_of
from bot.identity import MatchId, MemberId, Place
from bot.matches.absence import Absence
from bot.matches.boards import Boards
from bot.matches.here import SettingsHere
from bot.matches.model import Pressed, StoredMatch
from bot.matches.moves import Chosen, check_pick, group_items, has_page
from bot.matches.occupancy import Occupancy
from bot.matches.presses import (
    BringBack,
    Group,
    Pick,
    Play,
    ShowLegal,
    board_pressed,
    on_board,
    ply_pressed,
)
from bot.matches.private import PrivateBoards
from bot.matches.returning import Returning
from bot.matches.service import ChannelBusy, MatchService, check_newest, check_to_move
from bot.matches.view import in_words, names_of, spoken_text
from bot.matches.ways import Ways
from bot.refusals import Refusal
from core.grid import SWAP, Square


class Matches(Feature):
    """Playing matches by buttons, menus and commands."""

    def __init__(
        self,
        matches: MatchService,
        boards: Boards,
        private: PrivateBoards,
        occupancy: Occupancy,
        returning: Returning,
        absence: Absence,
        ways: Ways,
        here: SettingsHere,
        limits: Limits,
    ):
        self._matches = matches
        self._boards = boards
        self._private = private
        self._occupancy = occupancy
        self._returning = returning
        self._absence = absence
        self._ways = ways
        self._here = here
        self._limits = limits

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /move, /moves and /board."""
        return [
            build.command(
                "move",
                self.move,
                {"where": "option.where"},
                complete={"where": self.complete_move},
            ),
            build.command("moves", self.moves, private=True),
            build.command(
                "board",
                self.board,
                {"match": "option.archived", "put_away": "option.put_away"},
            ),
        ]

    def routes(self) -> Sequence[Route]:
        """Return the presses of squares, menus and the controls that the feature answers."""
        return [
            route(Play, self.play),
            route(Pick, self.pick),
            route(Group, self.group),
            route(ShowLegal, self.legal),
            route(BringBack, self.press_bring_back),
        ]

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
        """Show the asker the legal squares; on a board that lags behind, show the current one."""
        stored = await self._matches.get(press.match, place_of(interaction).channel_id)
        check_newest(stored, pressed_message(interaction))
        if ply_pressed(interaction, stored.id) in (None, stored.shown_ply):
            await self._private.show_legal(interaction, stored)
        else:
            await self._boards.show_current(interaction, stored)

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

    async def move(self, interaction: Interaction, where: str) -> None:
        """Make the move that is written in `where`."""
        channel_id = place_of(interaction).channel_id
        async with self._matches.lock(channel_id):
            stored = await self._matches.play_live(
                channel_id, asker_of(interaction), typed_move(where)
            )
        await self._boards.show(interaction, stored, [stored.board_id])

    async def complete_move(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the legal moves that begin with the typed text, then those that contain it."""
        try:
            live = await self._matches.live(place_of(interaction).channel_id)
        except Refusal:
            return []
        typed = typed_move(current).lower()
        # The swap comes first: it is legal for one move only.
        legal = sorted(live.match.position.legal_moves(), key=lambda move: move != SWAP)
        # The typed text may be a row as well: "5" finds a5 to j5.
        moves = [move for move in map(str, legal) if typed in move]
        found = sorted(moves, key=lambda move: not move.startswith(typed))
        return [app_commands.Choice(name=move, value=move) for move in found[:MAX_CHOICES]]

    async def moves(self, interaction: Interaction) -> None:
        """Show the asker the moves of the player to move."""
        stored = await self._matches.live(place_of(interaction).channel_id)
        await self._private.show_legal(interaction, stored)

    async def board(
        self, interaction: Interaction, match: int | None = None, *, put_away: bool = False
    ) -> None:
        """Post the board again, and let the computer make the move that it owes, if it owes one.

        An archived match is brought back, even from another channel of the server, and so is a live
        one without a clock whose channel the asker can't see. Members who have left the server
        lose. Somebody is notified only if the match comes back, or its board shows a state that
        wasn't shown before. An asker who wants words also gets them privately, if the board has
        none. Bystanders can't ask again and again: the board moves for the players, too.

        `match` is the number of the match to bring back, if there are several. With `put_away`,
        archive the match that holds the channel instead, and free the channel.
        """
        if put_away:
            await self._put_away(interaction)
        else:
            await self._show_board(interaction, None if match is None else MatchId(match))

    async def press_bring_back(self, interaction: Interaction, press: BringBack) -> None:
        """Bring a match back to this channel, and post its board."""
        await self._show_board(interaction, press.match)

    async def _show_board(self, interaction: Interaction, match_id: MatchId | None) -> None:
        place, asker = place_of(interaction), asker_of(interaction)
        live = await self._meant(place, asker, match_id)
        if asker not in live.staying:
            self._limits.count(Kind.BOARD, asker)
        unsure, elsewhere = live.board_unsure, not live.is_in(place)
        comes_back = live.archived or elsewhere
        if elsewhere:
            await self._here.settings_or_refuse(interaction)
            self._limits.count(Kind.PAGE, asker)  # Discord is asked who sees this channel
        if comes_back:
            before, live = live, await self._returning.bring(live, place, asker)
            if elsewhere and not before.archived:
                self._boards.arrivals.remove(before, [before.board_id])
        current = await self._absence.settle(live, asker)
        known = current is live and not comes_back
        quiet = known and (not unsure or await self._boards.is_shown(live))
        await self._boards.show(interaction, current, [current.board_id], quiet=quiet)
        if await self._here.form(interaction) is Form.WORDS and not in_words(current):
            texts = own_texts_of(interaction)
            told = spoken_text(current, names_of(current, texts), texts)
            await response_of(interaction).whisper(view_of(told))

    async def _meant(self, place: Place, asker: MemberId, match_id: MatchId | None) -> StoredMatch:
        """Return the match that a member means by `/board`; raise Refusal.

        This is the match that they name, else the one that `Occupancy.meant` finds here, else one
        elsewhere that they can't reach. The refusal lists the matches that they play elsewhere.
        Because all of these are read, it counts as a page of `/mymatches` in the member's limits.
        """
        if match_id is not None:
            self._limits.count(Kind.PAGE, asker)
            return await self._returning.named(place, asker, match_id)
        try:
            async with self._matches.lock(place.channel_id):
                return await self._occupancy.meant(place, asker)
        except Refusal as refusal:
            self._limits.count(Kind.PAGE, asker)
            refusal.playing = await self._occupancy.playing(place, asker)
            for stored in await self._returning.unreachable(refusal.playing, place, asker):
                return stored
            raise

    async def _put_away(self, interaction: Interaction) -> None:
        place = place_of(interaction)
        await self._here.settings_or_refuse(interaction)
        async with self._matches.lock(place.channel_id):
            live = await self._matches.live(place.channel_id)
            allowed = self._occupancy.may_take_over(live, asker_of(interaction))
            if not (allowed and await self._matches.archive(live)):
                raise ChannelBusy(live)
        await response_of(interaction).whisper(await self._ways.taken_over_view(interaction))
