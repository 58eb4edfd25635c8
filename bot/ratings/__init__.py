"""Ratings and standings, which follow from the rated matches."""
