"""Commands that are translated once for all tests, instead of once for each start of the bot.

A second after its start, a bot compares its commands with Discord's, in 32 languages. To translate
the same words each time took a tenth of the time of the tests in Discord. To copy the 600 kB of the
result and to check them against Discord's specification took three milliseconds for each start.
"""

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import orjson
from discord import app_commands

Translate: TypeAlias = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


class Translated(dict[str, Any]):
    """A translated command; it is its own copy, since nobody changes it."""

    def __deepcopy__(self, _known: object) -> "Translated":
        return self


def remembering(translate: Translate) -> Translate:
    """Return a function that calls `translate` once for commands with the same words and options.

    It returns the same object each time, since the bot only sends that.
    """
    known: dict[bytes, Translated] = {}

    async def translated(command: Any, tree: Any, translator: Any) -> dict[str, Any]:
        english = orjson.dumps(command.to_dict(tree), default=str)
        if english not in known:
            known[english] = Translated(await translate(command, tree, translator))
        return known[english]

    return translated


def install() -> None:
    """Let discord.py translate with `remembering`."""
    for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
        name = "get_translated_payload"
        setattr(kind, name, remembering(getattr(kind, name)))
