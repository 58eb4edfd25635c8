"""Help: the welcome, the rules of the games, and all commands."""
