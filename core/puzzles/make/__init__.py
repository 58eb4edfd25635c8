"""Makes the file of the shipped puzzles: ``python -m core.puzzles.make``."""
