"""Tests of seasons and roles below Discord."""
