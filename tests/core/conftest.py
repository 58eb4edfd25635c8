"""Hypothesis for the core: the same examples on every run, and no example database."""

from hypothesis import settings

settings.register_profile("core", deadline=None, database=None, derandomize=True, max_examples=50)
settings.load_profile("core")
