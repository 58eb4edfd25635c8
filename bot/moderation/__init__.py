"""The live matches of a server, as moderators list and end them."""
