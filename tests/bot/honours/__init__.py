"""Tests of achievements, seasons and roles below Discord."""
