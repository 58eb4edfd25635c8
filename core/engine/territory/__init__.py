"""Territory games: the searches of boards on which any number of seats take squares."""
