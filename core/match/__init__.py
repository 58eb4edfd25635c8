"""Matches, and their records: ``python -m core.match FILE`` reads a record and prints the match."""

from core.match.leaving import Withdrawal
from core.match.match import Match

__all__ = ["Match", "Withdrawal"]
