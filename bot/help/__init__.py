"""What Rowbot can do: the welcome, the rules of its games, and all commands."""
