"""Making safe what people call themselves."""

from functools import lru_cache

import discord


@lru_cache(maxsize=1024)
def escape(name: str) -> str:
    """Return `name` without the power to format, link or mention."""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(name))
