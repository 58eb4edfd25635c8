"""Tests of seasons and roles as members see them."""
