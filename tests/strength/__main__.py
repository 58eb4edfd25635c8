"""Print the tables of strength in `docs/measurements.md`: ``python -m tests.strength [BOARD]``.

With a board, or the beginning of its name, only its rows.
"""

import sys

from tests.strength.matchups import MATCHUPS, Matchup
from tests.strength.tables import markdown

HEAD = ("board", "level", "opponent", "games", "won", "drawn", "lost", "bound", "holds")


def cells(matchup: Matchup) -> tuple[str, ...]:
    """Play a matchup and return its row."""
    tally = matchup.play()
    shares = (f"{count / tally.games:.1%}" for count in (tally.won, tally.drawn, tally.lost))
    holds = "yes" if matchup.holds(tally) else "NO"
    names = (matchup.board, matchup.level, matchup.opponent)
    return (*names, str(tally.games), *shares, matchup.bound, holds)


if __name__ == "__main__":
    asked = " ".join(sys.argv[1:])
    print(markdown(HEAD, (cells(m) for m in MATCHUPS if m.board.startswith(asked))))
