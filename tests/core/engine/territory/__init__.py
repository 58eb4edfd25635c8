"""Tests of territory games."""
