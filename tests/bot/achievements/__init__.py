"""Tests of achievements below Discord."""
