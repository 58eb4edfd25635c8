"""Tests of achievements, seasons and roles as members see them."""
