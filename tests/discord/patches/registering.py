"""Commands that are registered with simcord once for all tests, if a member gives one at once.

The bot tells Discord its commands a second after its start. In most tests members don't wait that
long: simcord then takes all commands from the bot, which took a tenth of the time of the tests.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from discord.app_commands import Command, Group
from simcord import actors

Commands: TypeAlias = dict[tuple[str, int], dict[str, Any]]
Register: TypeAlias = Callable[[Any, str, int], dict[str, Any]]


def remembering(register: Register) -> Register:
    """Return a function that calls `register` once for all bots with the same commands and options.

    The bots may share the result, since simcord never changes a registered command.
    """
    known: dict[frozenset[tuple[str, ...]], Commands] = {}

    def registered(actor: Any, name: str, kind: int) -> dict[str, Any]:
        env = vars(actor)["_env"]
        commands: dict[int | None, Commands] = env.backend.commands
        given = frozenset(map(_names, env.bot.tree.walk_commands()))
        if commands or env.strict_sync or (name, kind) not in known.get(given, {}):
            found = register(actor, name, kind)
            known[given] = commands[None]
            return found
        commands[None] = known[given]
        return commands[None][name, kind]

    return registered


def _names(command: Command[Any, ..., Any] | Group) -> tuple[str, ...]:
    """Return the name of a command or group, and those of its options."""
    options = command.parameters if isinstance(command, Command) else ()
    return command.qualified_name, *(option.name for option in options)


def install() -> None:
    """Let simcord register commands with `remembering`."""
    vars(actors)["_unsynced_fallback"] = remembering(vars(actors)["_unsynced_fallback"])
