"""Work in processes of its own: the engine's searches."""
