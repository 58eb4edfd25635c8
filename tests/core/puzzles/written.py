"""Puzzles in the notation of a line in a file of puzzles."""

# O must take a3, and then c2.
BLOCKS = (
    "tictactoe rows=3 columns=3 line=3 variant=classic | classic 3 .XX/.O./... | save 2 easy"
    " | a3 c1: a1 b1 c1 a2 c2 > a3 | c2: a1 b1 a2 > c2 | "
)
# X wins by c1 alone.
FORK = (
    "tictactoe rows=3 columns=3 line=3 variant=classic | classic 3 XOX/.../O.. | win 3 medium"
    " | c1 b2: a2 c2 b1 > b2; b2 > c1 | c2: a2 b1 > c2 | "
)
# X must enter the last man from home at a2.
HOLES = (
    "nineholes variant=drop-first | drop-first --O/O../OXX/.../--X X | save 2 easy"
    " | c1-a2: c1-b2 c1-c2 c1-b4 c1-c4 > c5-a2 | "
)
