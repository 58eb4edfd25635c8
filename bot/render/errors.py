"""The errors of the core in words."""

from collections.abc import Sequence

from bot.i18n import Texts
from bot.identity import Escaped, escape
from bot.refusals import Refusal
from bot.render.words import notation, on_squares, versus
from core.errors import (
    BadNotation,
    GameError,
    HasLeft,
    Illegal,
    IllegalMove,
    MatchOver,
    NotAPlayer,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    StalePly,
)
from core.grid import Move, Square
from core.match import Match
from core.match.diagram import moves_men
from core.players import Computer
from core.position import falls, mover_of

_KEYS: dict[type[GameError], str] = {
    StalePly: "refusal.old_board",
    MatchOver: "refusal.match_over",
    HasLeft: "refusal.has_left",
    NothingToUndo: "refusal.nothing_to_undo",
}


def error_text(error: GameError, refusal: Refusal, texts: Texts, names: Sequence[Escaped]) -> str:
    """Return an error of the core in words; `names` are those of the players on its board."""
    board = refusal.board
    match error:
        case OptionError():
            return _option_text(error, texts)
        case BadNotation():
            return _notation_text(error, refusal, texts)
        case IllegalMove() if _is_no_move(error, refusal.match):
            return _notation_text(BadNotation(str(error.move)), refusal, texts)
        case IllegalMove():
            return _illegal_text(error, refusal, texts)
        case NotYourTurn() if board is not None:
            if isinstance(board.match.next_player, Computer):
                return texts("refusal.computers_turn")
            return texts("refusal.not_your_turn", player=names[mover_of(board.match.position)])
        case NotAPlayer():
            return texts("refusal.not_a_player", players=versus(names, texts))
        case NothingToUndo() if board is not None and board.match.withdrawals:
            return texts("refusal.nothing_to_undo.left")
        case MatchOver() if board is not None and board.tournament_id is not None:
            over, none = texts("refusal.match_over"), texts("refusal.tournament.match.again")
            return f"{over}\n{none}"
        case _:
            return texts(_KEYS[type(error)])


def _notation_text(error: BadNotation, refusal: Refusal, texts: Texts) -> str:
    """Return how moves are written on this board, with one that can be made."""
    text = escape(error.text)
    match = refusal.match
    if match is None or not (moves := on_squares(match.position.legal_moves())):
        return texts("refusal.notation", text=text)
    man = "man" if moves_men(match) else "square"
    kind = "column" if falls(match.position) else man
    return texts(f"refusal.notation.{kind}", text=text, example=notation(moves[0]))


def _illegal_text(error: IllegalMove, refusal: Refusal, texts: Texts) -> str:
    # Moves of a puzzle are typed in another command.
    in_puzzle = refusal.puzzle is not None
    puzzle, move = texts.name("puzzle"), texts.name("move")
    typed = f"/{puzzle} {move}:" if in_puzzle else f"/{move} "
    legal = refusal.match.position.legal_moves() if refusal.match else ()
    example = _example(error.move.to, on_squares(legal))
    shown = example and notation(example)
    values = {
        "move": notation(error.move),
        "square": error.move.to,
        "example": shown,
        "target": example and example.to,
        "command": f"`{typed}{shown}`",
    }
    if error.reason.game is None:
        return texts(f"refusal.illegal.{error.reason}", **values)
    return texts(f"game.{error.reason.game}.illegal.{error.reason}", **values)


def _is_no_move(error: IllegalMove, match: Match | None) -> bool:
    """Return whether a match never has such a move: of a man, or into a column that isn't there."""
    if match is None:
        return False
    if error.reason is Illegal.OFF_BOARD:
        return falls(match.position)
    return error.reason is Illegal.NOT_YOUR_MAN and not moves_men(match)


def _example(square: Square, moves: Sequence[Move]) -> Move | None:
    """Return one of the legal `moves`: to a square, else from it, else any; None if none."""
    onto = [move for move in moves if move.to == square]
    off = [move for move in moves if move.origin == square]
    return next(iter([*onto, *off, *moves]), None)


def _option_text(error: OptionError, texts: Texts) -> str:
    option, value = texts.name(error.option), escape(str(error.value))
    if isinstance(error.allowed[0], int):
        low, high = error.allowed
        key = "refusal.option.single" if low == high else "refusal.option.number"
        return texts(key, option=option, low=low, high=high, value=value)
    choices = texts.listed(f"`{choice}`" for choice in error.allowed)
    return texts("refusal.option.choice", option=option, choices=choices, value=value)
