"""Hints, reviews, replays and exports."""
