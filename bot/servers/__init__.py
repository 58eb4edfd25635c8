"""What a server's moderators choose, see and end."""
