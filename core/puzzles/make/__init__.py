"""Makes the puzzles that the shipped file lacks: ``python -m core.puzzles.make``.

Those of boards that have some stay: they are found in games of the weaker levels, so once these
play otherwise, it would make others. To have a board's made anew, delete its lines first.
"""
