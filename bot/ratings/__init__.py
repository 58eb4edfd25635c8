"""What a rated match does to numbers: ratings, standings, and their lists."""
