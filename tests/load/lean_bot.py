"""A second yardstick: the bare bot with the one intent that it needs.

Discord then doesn't tell it of the messages that it sends and removes itself.
"""

import asyncio

import discord

from tests.load.bare_bot import main

if __name__ == "__main__":
    asyncio.run(main(discord.Intents(guilds=True)))
