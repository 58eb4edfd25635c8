"""Work in child processes: the pool that runs it, and the computer player's searches."""
