"""Positions and matches as emoji and words. Imports no discord; names come in escaped."""
