"""One match: load, play, save, show."""
