"""Offers between players: a draw, an undo, a rematch; and resigning."""
