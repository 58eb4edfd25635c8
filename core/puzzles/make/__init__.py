"""Makes the puzzles that the shipped file lacks: ``python -m core.puzzles.make``.

Boards that have puzzles keep them. Puzzles are found in games of the weaker levels, so other
puzzles would be found as soon as these levels play otherwise. To make a board's puzzles anew,
delete its lines first.
"""
