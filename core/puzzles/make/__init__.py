"""Makes the file of the shipped puzzles: ``python -m core.puzzles.make``.

Puzzles are found in games of the weaker levels, so once these levels play otherwise, it makes other
puzzles than those that are shipped.
"""
