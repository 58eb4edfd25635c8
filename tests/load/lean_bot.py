"""A second baseline: the bare bot with the only intent it needs.

Discord then sends it no events about its own messages.
"""

import asyncio

import discord

from tests.load.bare_bot import main

if __name__ == "__main__":
    asyncio.run(main(discord.Intents(guilds=True)))
