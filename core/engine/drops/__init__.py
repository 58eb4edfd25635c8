"""Games in which pieces fall into columns, and a line of them wins."""
