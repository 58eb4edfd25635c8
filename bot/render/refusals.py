"""Errors in words: the one place where what the core and the services refuse becomes text."""

from collections.abc import Callable, Sequence

from bot.i18n import Texts
from bot.matches.model import StoredMatch
from bot.refusals import Refusal, Value
from bot.render.terms import channels_words
from bot.render.words import player_names
from core.errors import (
    BadNotation,
    GameError,
    HasLeft,
    IllegalMove,
    MatchOver,
    NotAPlayer,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    StalePly,
)

# https://discord.com/developers/docs/reference#message-formatting: links to messages
_MESSAGE_LINK = "https://discord.com/channels/{guild}/{channel}/{message}"
_KEYS: dict[type[GameError], str] = {
    StalePly: "refusal.stale",
    MatchOver: "refusal.match_over",
    HasLeft: "refusal.has_left",
    NothingToUndo: "refusal.nothing_to_undo",
}


def board_link(stored: StoredMatch) -> str | None:
    """Return the address of the message that shows a match, None where none is known."""
    if stored.board_id is None:
        return None
    return message_link(stored.place.guild_id, stored.place.channel_id, stored.board_id)


def message_link(guild_id: int, channel_id: int, message_id: int) -> str:
    """Return the address of a message."""
    return _MESSAGE_LINK.format(guild=guild_id, channel=channel_id, message=message_id)


def refusal_text(refusal: Refusal | GameError, texts: Texts, escape: Callable[[str], str]) -> str:
    """Return what to tell the person whose request was refused, with a link to the board.

    `escape` makes safe whatever people have written themselves.
    """
    if isinstance(refusal, GameError):
        return _error_text(refusal, texts, (), None, escape)
    board = refusal.board
    names = _names(board, texts, escape) if board else ()
    if isinstance(refusal.reason, GameError):
        text = _error_text(refusal.reason, texts, names, board, escape)
    else:
        values = {name: _said(value, escape) for name, value in refusal.values.items()}
        text = texts(refusal.reason, players=texts("board.versus").join(names), **values)
    link = board_link(board) if board else None
    return f"{text}\n{texts('refusal.link', link=link)}" if link else text


def _said(value: Value, escape: Callable[[str], str]) -> str | int:
    if isinstance(value, tuple):
        return channels_words(value)
    return escape(value) if isinstance(value, str) else value


def _names(board: StoredMatch, texts: Texts, escape: Callable[[str], str]) -> Sequence[str]:
    return player_names(board.match, [name and escape(name) for name in board.names], texts)


def _error_text(
    error: GameError,
    texts: Texts,
    names: Sequence[str],
    board: StoredMatch | None,
    escape: Callable[[str], str],
) -> str:
    match error:
        case OptionError():
            return _option_text(error, texts, escape)
        case BadNotation():
            return texts("refusal.notation", text=escape(error.text[:50]))
        case IllegalMove():
            return _illegal_text(error, texts)
        case NotYourTurn() if board is not None:
            return texts("refusal.not_your_turn", player=names[board.match.to_move or 0])
        case NotAPlayer():
            return texts("refusal.not_a_player", players=texts("board.versus").join(names))
        case _:
            return texts(_KEYS[type(error)])


def _illegal_text(error: IllegalMove, texts: Texts) -> str:
    values = {"move": error.move, "square": error.move.to}
    if error.reason.game is None:
        return texts(f"refusal.illegal.{error.reason}", **values)
    return texts(f"game.{error.reason.game}.illegal.{error.reason}", **values)


def _option_text(error: OptionError, texts: Texts, escape: Callable[[str], str]) -> str:
    value = escape(str(error.value)[:50])
    if isinstance(error.allowed[0], int):
        low, high = error.allowed
        key = "refusal.option.single" if low == high else "refusal.option.number"
        return texts(key, option=error.option, low=low, high=high, value=value)
    choices = ", ".join(f"`{choice}`" for choice in error.allowed)
    return texts("refusal.option.choice", option=error.option, choices=choices, value=value)


def pick_first(board: StoredMatch, movable: Sequence[str]) -> Refusal:
    """Return the refusal of a pressed square on which no man of the mover stands."""
    return Refusal("refusal.pick_first", board, squares=" ".join(movable))
