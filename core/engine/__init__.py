"""The computer player: searches over positions, and levels; it never imports a game."""
