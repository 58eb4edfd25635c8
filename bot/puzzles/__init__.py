"""Puzzles: one a day for each server, and others at any time."""
