"""Settings and moderation of servers."""
