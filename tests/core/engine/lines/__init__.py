"""Tests of line games."""
