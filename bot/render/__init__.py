"""Positions and matches as emoji and words."""
