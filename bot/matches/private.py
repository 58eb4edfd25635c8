"""A board that only its asker sees: in the form that they want, with moves marked on it."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from discord import ui

from bot.forms import Form
from bot.gateway.components import Part, gallery
from bot.gateway.responses import Interaction, Upload, own_texts_of, response_of
from bot.i18n import Texts
from bot.matches.drawing import BoardPictures, Drawn, Marked, Seen, Undrawn, fits_in_emoji
from bot.matches.menus import legal_moves, legal_view
from bot.matches.model import StoredMatch
from bot.matches.settings import FormOf
from bot.matches.view import names_of
from bot.render import spoken, words

Look: TypeAlias = Callable[[Seen], ui.LayoutView]
"""Returns the message around a board."""


class PrivateBoards:
    """Shows boards to their asker alone; a board too wide for emoji is a picture."""

    def __init__(self, pictures: BoardPictures, form_of: FormOf):
        self._pictures = pictures
        self._form_of = form_of

    async def show(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        board: Marked,
        look: Look,
        *,
        instead: bool = False,
    ) -> None:
        """Answer with a board of a match: as a new message, or `instead` of the pressed one."""
        texts, response = own_texts_of(interaction), response_of(interaction)
        form, drawn = await self._form_of(interaction), None
        wide = not fits_in_emoji(board.match.position.grid)
        if form is Form.PICTURE or (form is Form.EMOJI and wide):
            may_attach = interaction.app_permissions.attach_files
            drawn = await self._pictures.asked_for(stored, board, texts, may_attach=may_attach)

        async def send(drawn: Drawn) -> None:
            view = look(Seen(_parts(stored, board, form, drawn, texts), form))
            uploads = [drawn] if isinstance(drawn, Upload) else []
            if instead:
                await response.edit(view, uploads)
            else:
                await response.whisper(view, [upload.file() for upload in uploads])

        await self._pictures.delivered(stored, drawn, send)


async def show_legal(boards: PrivateBoards, interaction: Interaction, stored: StoredMatch) -> None:
    """Show the asker the moves of the player to move."""
    texts, board = own_texts_of(interaction), legal_moves(stored.match)
    look = partial(legal_view, board, names_of(stored, texts), texts)
    await boards.show(interaction, stored, board, look)


def _parts(
    stored: StoredMatch, board: Marked, form: Form, drawn: Drawn, texts: Texts
) -> tuple[Part, ...]:
    """Return a board as parts of a message: its picture, or a text and why there is no picture."""
    match = board.match
    if isinstance(drawn, Upload):
        names = words.plain_names(match, stored.names, texts)
        described = spoken.alt_text(match, names, texts)
        return (gallery(drawn.name, described),)
    text = spoken.board_text(match, form, texts, board.hint, board.gains)
    return (text, texts(f"board.undrawn.{drawn}")) if isinstance(drawn, Undrawn) else (text,)
