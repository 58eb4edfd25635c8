"""Making safe what people call themselves."""

import re
from functools import lru_cache

import discord

# More than discord.py's escape_markdown knows: links, timestamps, and halves of links in two names.
_SPECIAL = re.compile(r"[\\*_~|`<>\[\]#:]|^-")


@lru_cache(maxsize=1024)
def escape(name: str) -> str:
    """Return `name` without the power to format, link or mention."""
    return discord.utils.escape_mentions(_SPECIAL.sub(r"\\\g<0>", name))
