"""A server's leaderboards."""
