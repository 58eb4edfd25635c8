"""The legal moves of a position, on the board and by name. Names of players come in escaped."""

from textwrap import shorten

from bot.i18n import Texts
from bot.render import terms, words
from bot.render.cells import text_board
from bot.render.emoji import TARGET, points
from bot.render.moves import gain
from core.match import Match

_MAX_NAMED = 2000


def legal_text(match: Match, names: words.Names, texts: Texts) -> str:
    """Return the board with the squares marked to which the player to move can go.

    Where moves bring points, the marks say how many. The moves are named as well, for whoever
    can't see the board, as far as there is room.
    """
    if match.to_move is None:
        return texts("legal.none")
    gains = {move: gain(match.position, move) for move in match.position.legal_moves()}
    targets = {move.to: TARGET if by is None else points(by) for move, by in gains.items()}
    key = "legal.marked" if TARGET in targets.values() else "legal.counted"
    player = f"{words.mark(match, match.to_move)} {names[match.to_move]}"
    named = [f"{move}" if by is None else f"{move} (+{by})" for move, by in gains.items()]
    lines = [
        f"### {terms.title(match.game, match.options, texts)}",
        text_board(match, targets=targets),
        texts(key, target=TARGET, player=player, count=len(gains)),
        f"-# {shorten(', '.join(named), _MAX_NAMED, placeholder=' …')}",
    ]
    return "\n".join(lines)
