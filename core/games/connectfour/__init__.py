"""Connect four: pieces fall into columns, and a line of them wins."""

from random import Random

from core.errors import OptionError, PositionError
from core.game import Example, Game
from core.games.connectfour.position import KEY, MARKS, ConnectFourPosition, with_pieces
from core.options import Number, Options
from core.position import Position
from core.views import DropBoard

_SIDE = (5, 10)
_LINE = (4, 5)
_DEFAULTS = {"rows": 6, "columns": 7, "line": 4}
# With best play on the usual board, the first player wins with the 41st of its 42 pieces.
_WON_IN = 41


class ConnectFour(Game):
    """Two seats. Moves are columns, written as their letter.

    Options: `rows` and `columns` (5 to 10, by default 6 rows and 7 columns), and `line` (4 or 5).
    """

    key = KEY
    marks = MARKS
    example = Example("4 " + "/".join(["......."] * 6), tuple("cddefeeffcf"))
    declared = (Number("rows", *_SIDE), Number("columns", *_SIDE), Number("line", *_LINE))

    def complete(self, given: dict[str, int | str]) -> dict[str, int | str]:
        """Fill in the usual board of 7 columns and 6 rows, and a line of 4."""
        return _DEFAULTS | given

    def start(self, options: Options, rng: Random) -> ConnectFourPosition:
        """Return the empty board."""
        rows, columns, line = (int(options[name]) for name in _DEFAULTS)
        return ConnectFourPosition(DropBoard(columns, rows, line))

    def parse(self, notation: str) -> ConnectFourPosition:
        """Return the position written as ``line top/.../bottom``; raise PositionError."""
        try:
            line, diagram = notation.split(" ")
            rows = diagram.split("/")[::-1]
            sides = {"rows": len(rows), "columns": len(rows[0]), "line": int(line)}
            options = self.resolve(sides)
        except (ValueError, OptionError) as error:
            raise PositionError(notation) from error
        position = with_pieces(self.start(options, Random()), "".join(rows), notation)
        if position.notation != notation:  # a short row, another letter, 04 for 4 ...
            raise PositionError(notation)
        return position

    def can_occur(self, position: Position, options: Options) -> bool:
        """Return whether size and line are of `options`."""
        board = self.start(options, Random()).board
        return isinstance(position, ConnectFourPosition) and position.board == board

    def forced_win(self, options: Options) -> int | None:
        """Return the plies of the first player's win on the usual board, solved in 1988."""
        return _WON_IN if options == _DEFAULTS else None

    def one_sided(self, options: Options) -> bool:
        """Return False: people don't play the long win of the first player without a slip."""
        return False

    def solved(self, options: Options) -> bool:
        """Return whether this is the usual board, for which the computer has a book."""
        return options == _DEFAULTS
