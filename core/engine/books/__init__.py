"""The books of first moves as data, and in `make` the programs that make them."""
