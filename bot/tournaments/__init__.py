"""Tournaments of a server: who meets whom, and how they stand."""
