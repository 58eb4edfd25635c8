"""Hints, reviews, replays, exports, and sharing a match."""
