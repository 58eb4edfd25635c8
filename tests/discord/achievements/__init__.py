"""Tests of achievements as members see them."""
