"""Commands by name: what each does, described in the catalogue's words."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeAlias

from discord import app_commands

from bot.i18n import Texts

Handler: TypeAlias = Callable[..., Coroutine[Any, Any, None]]


def declared(
    handlers: Mapping[str, Handler], texts: Texts
) -> list[app_commands.Command[Any, ..., None]]:
    """Return a command for each handler, in their order."""
    return [
        app_commands.Command(name=name, description=texts(f"command.{name}"), callback=handler)
        for name, handler in handlers.items()
    ]
