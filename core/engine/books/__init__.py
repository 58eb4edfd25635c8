"""The books of first moves and the tablebases as data, and in `make` their makers."""
