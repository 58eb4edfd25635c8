"""One match: start, load, play, save, show."""
