"""Messages for the asker alone: a board in the form that they want, and a row of moves."""

from collections.abc import Awaitable, Callable
from functools import partial

from cachetools import TTLCache

from bot.forms import Form, fits_in_emoji
from bot.gateway.channels import Channels
from bot.gateway.components import Layout, Part, Upload, gallery
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, place_of
from bot.gateway.responses import response_of
from bot.i18n import Texts
from bot.identity import MatchId, MemberId, MessageId
from bot.matches.board_pictures import BoardPictures, Drawn, Marked, Seen, Undrawn
from bot.matches.here import SettingsHere
from bot.matches.model import StoredMatch
from bot.matches.moves import legal_moves, legal_view
from bot.matches.view import names_of
from bot.render import spoken, words

# After this time the interaction's token can't remove its answer any more.
_ROW_SECONDS = 14 * 60
_MOST_ROWS = 10_000


class PrivateBoards:
    """Shows boards and rows of moves to their asker alone.

    A board too wide for emoji is a picture. A member has only one row of each match open.
    """

    def __init__(self, board_pictures: BoardPictures, here: SettingsHere, channels: Channels):
        self._board_pictures = board_pictures
        self._here = here
        self._channels = channels
        # The message with the row that a member opened last, and the token that can remove it.
        self._rows: TTLCache[tuple[MatchId, MemberId], tuple[MessageId, str]]
        self._rows = TTLCache(_MOST_ROWS, _ROW_SECONDS)

    async def show(
        self,
        interaction: Interaction,
        board: Marked | None,
        around: Callable[[Seen], Layout],
        *,
        instead: bool = False,
    ) -> None:
        """Answer with the message `around` a board: a new one, or `instead` of the pressed one.

        Without a `board` the message has none, but `around` still gets the asker's form.
        """
        place, texts = place_of(interaction), own_texts_of(interaction)
        response = response_of(interaction)
        form = await self._here.form(interaction)

        send: Callable[[Layout], Awaitable[object]] = response.edit if instead else response.whisper

        def view(drawn: Drawn) -> Layout:
            return around(Seen(_parts(board, form, drawn, texts) if board else (), form))

        drawn = None
        if board is not None and _is_drawn(board, form):
            may_attach = interaction.app_permissions.attach_files
            drawn = await self._board_pictures.draw(place, board, texts, may_attach=may_attach)
        await self._board_pictures.send(place, drawn, lambda one: send(view(one)))

    async def show_legal(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Show the asker the moves of the player to move."""
        texts = own_texts_of(interaction)
        board = legal_moves(stored.match, stored.names)
        around = partial(legal_view, board, names_of(stored, texts), texts)
        await self.show(interaction, board, around)

    async def open_row(self, interaction: Interaction, stored: StoredMatch, row: Layout) -> None:
        """Show the presser a row of moves, and remove the one that they opened before."""
        key = stored.id, asker_of(interaction)
        message_id = await response_of(interaction).whisper(row)
        before = self._rows.pop(key, None)
        if message_id is not None:
            self._rows[key] = message_id, interaction.token
        if before is not None:
            self._channels.retract_later(*before)

    def note_row_used(self, stored: StoredMatch, member_id: MemberId) -> None:
        """Note that a member has moved by the row that they opened: that press removes it."""
        self._rows.pop((stored.id, member_id), None)


def _is_drawn(board: Marked, form: Form) -> bool:
    """Return whether a board is shown as a picture: if that is wanted, or emoji don't fit."""
    wide = not fits_in_emoji(board.match.position.grid)
    return form is Form.PICTURE or (form is Form.EMOJI and wide)


def _parts(board: Marked, form: Form, drawn: Drawn, texts: Texts) -> tuple[Part, ...]:
    """Return a board as parts of a message: its picture, or a text and why there is no picture."""
    match = board.match
    if isinstance(drawn, Upload):
        names = words.plain_names(match, board.names, texts)
        described = spoken.alt_text(match, names, texts)
        return (gallery(drawn, described),)
    text = spoken.board_text(match, form, texts, board.hint, board.gains)
    return (text, texts(f"board.undrawn.{drawn}")) if isinstance(drawn, Undrawn) else (text,)
