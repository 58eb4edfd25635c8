"""The parts of a feature: commands, routes of presses, and loops in the background."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from discord import app_commands

from bot.gateway.commands import CommandBuilder
from bot.gateway.components import Press
from bot.gateway.interactions import Interaction
from bot.gateway.loops import Loop

AnyCommand: TypeAlias = (
    app_commands.Command[Any, ..., None] | app_commands.Group | app_commands.ContextMenu
)
P = TypeVar("P", bound=Press)


@dataclass(frozen=True)
class Route:
    """A kind of press, and its handler; `always` says that it answers blocked members, too."""

    kind: type[Press]
    handle: Callable[[Interaction, Any], Coroutine[Any, Any, None]]
    always: bool = False


def route(
    kind: type[P],
    handle: Callable[[Interaction, P], Coroutine[Any, Any, None]],
    *,
    always: bool = False,
) -> Route:
    """Return the route from a kind of press to a handler that takes this kind."""
    return Route(kind, handle, always)


class Feature:
    """A feature of the bot. A subclass overrides the methods for the parts that it has."""

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return the slash commands and the entries of members' menus."""
        return ()

    def routes(self) -> Sequence[Route]:
        """Return the kinds of press that the feature answers, with their handlers."""
        return ()

    def loops(self) -> Sequence[Loop]:
        """Return the loops that run in the background."""
        return ()
