"""Making safe what people call themselves."""

import discord


def escape(name: str) -> str:
    """Return `name` without the power to format, link or mention."""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(name))
