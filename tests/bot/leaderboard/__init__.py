"""Tests of leaderboards below Discord."""
