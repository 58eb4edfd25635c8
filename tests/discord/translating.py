"""Commands that are translated once for all tests, instead of once for each start of the bot.

A bot that has run for a second looks whether Discord knows its commands, in 32 languages. That took
a tenth of the time of the tests in Discord, for the same words each time.
"""

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import orjson
from discord import app_commands

Translate: TypeAlias = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


def remembering(translate: Translate) -> Translate:
    """Return what `translate` returned for a command with the same English words and options.

    It is the same object each time: the bot only sends it.
    """
    known: dict[bytes, dict[str, Any]] = {}

    async def translated(command: Any, tree: Any, translator: Any) -> dict[str, Any]:
        english = orjson.dumps(command.to_dict(tree), default=str)
        if english not in known:
            known[english] = await translate(command, tree, translator)
        return known[english]

    return translated


def install() -> None:
    """Let discord.py use this."""
    for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
        name = "get_translated_payload"
        setattr(kind, name, remembering(getattr(kind, name)))
