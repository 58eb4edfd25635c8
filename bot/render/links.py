"""Links to messages, and to the boards of matches."""

from bot.i18n import Texts
from bot.identity import MessageId, Place, Posted
from bot.refusals import Board
from bot.render.words import channels_words

# https://discord.com/developers/docs/reference#message-formatting: links to messages
_MESSAGE_LINK = "https://discord.com/channels/{server}/{channel}/{message}"


def message_link(message: Posted) -> str:
    """Return the address of a message."""
    place = message.place
    return _MESSAGE_LINK.format(
        server=place.server_id or place.guest_of or "@me",
        channel=place.channel_id,
        message=message.id,
    )


def where_words(place: Place, board_id: MessageId | None, texts: Texts) -> str:
    """Return the address of the message that shows a match, or the channel if none is known."""
    if board_id is None:
        return channels_words([place.channel_id], texts)
    return texts.address(message_link(Posted(place, board_id)))


def board_line(board: Board, texts: Texts) -> str | None:
    """Return the line with a link to the message that shows a match, None if it isn't known."""
    if board.board_id is None:
        return None
    link = message_link(Posted(board.place, board.board_id))
    return texts("refusal.link", link=link)
