"""Pictures of matches and ratings: a client for the bot, and the process that draws them."""
