"""The Discord bot around the core: commands, buttons, storage, and the local preview."""
