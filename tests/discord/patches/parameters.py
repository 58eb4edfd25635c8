"""Options of commands that are read from their handlers once for all tests.

discord.py reads them anew for each bot, and each test has a bot of its own. To read signatures,
annotations and types took a quarter of the time to make a bot.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from discord.app_commands import commands
from discord.app_commands.transformers import CommandParameter

Read: TypeAlias = Callable[[Callable[..., Any], dict[str, Any]], dict[str, CommandParameter]]


def remembering(read: Read) -> Read:
    """Return a function that calls `read` once for all callbacks with the same signature.

    It returns copies, since descriptions, choices and autocompletes are added to the parameters.
    """
    known: dict[object, Mapping[str, CommandParameter]] = {}

    def parameters(callback: Callable[..., Any], names: dict[str, Any]) -> dict[str, Any]:
        key = _signature(callback)
        if key not in known:
            known[key] = {name: _copied(one) for name, one in read(callback, names).items()}
        return {name: _copied(one) for name, one in known[key].items()}

    return parameters


def _copied(one: CommandParameter) -> CommandParameter:
    """Return a copy; `copy.copy` takes four times as long."""
    made = object.__new__(CommandParameter)
    vars(made).update(vars(one))
    return made


def _signature(callback: Callable[..., Any]) -> object:
    """Return a value that is the same for callbacks with the same signature, found quickly."""
    handler = inspect.unwrap(callback, stop=lambda one: hasattr(one, "__signature__"))
    if hasattr(handler, "__signature__"):
        options = handler.__signature__.parameters.values()
        return tuple((one.name, one.annotation, one.default) for one in options)
    function = getattr(handler, "__func__", handler)
    annotations = tuple(function.__annotations__.items())
    return function.__code__, function.__defaults__, annotations, function is handler


def install() -> None:
    """Let discord.py read parameters with `remembering`."""
    name = "_extract_parameters_from_callback"
    vars(commands)[name] = remembering(vars(commands)[name])
