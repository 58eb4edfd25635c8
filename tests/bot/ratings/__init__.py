"""Ratings, standings and leaderboards in the database."""
