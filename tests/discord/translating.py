"""Commands that are read and translated once for all tests, not once for each start of the bot.

A bot that starts makes its commands, whose options discord.py reads from the signatures of their
handlers: half the time that making a bot takes, for the same signatures each time. One that has run
for a second looks whether Discord knows its commands, in 32 languages. That took a tenth of the
time of the tests in Discord, for the same words each time.
"""

import inspect
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import orjson
from discord import app_commands
from discord.app_commands import commands

Read: TypeAlias = Callable[[Any, dict[str, Any]], dict[str, Any]]
Translate: TypeAlias = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


def remembering(translate: Translate) -> Translate:
    """Return what `translate` returned for a command with the same English words and options."""
    known: dict[bytes, bytes] = {}

    async def translated(command: Any, tree: Any, translator: Any) -> dict[str, Any]:
        english = orjson.dumps(command.to_dict(tree), default=str)
        if english not in known:
            known[english] = orjson.dumps(await translate(command, tree, translator))
        found: dict[str, Any] = orjson.loads(known[english])
        return found

    return translated


def reading(read: Read) -> Read:
    """Return copies of the options that `read` found in a handler with the same signature."""
    known: dict[Any, dict[str, Any]] = {}

    def options(callback: Any, names: dict[str, Any]) -> dict[str, Any]:
        if any(name.startswith("__discord") for name in vars(callback)):
            return read(callback, names)  # decorators have told more
        signature = _signature(callback)
        if signature not in known:
            known[signature] = {name: _copied(one) for name, one in read(callback, names).items()}
        return {name: _copied(one) for name, one in known[signature].items()}

    return options


def _copied(option: Any) -> Any:
    """Return a copy of an option, whose values discord.py replaces; `copy.copy` takes longer."""
    made = object.__new__(type(option))
    vars(made).update(vars(option))
    return made


def _signature(callback: Any) -> Any:
    """Return all that the signature of a handler depends on."""
    if given := vars(callback).get("__signature__"):
        return given
    handler = inspect.unwrap(callback)
    handler = getattr(handler, "__func__", handler)
    notes = tuple(handler.__annotations__.items())
    return handler.__code__, notes, handler.__defaults__, str(handler.__kwdefaults__)


def install() -> None:
    """Let discord.py use this."""
    for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
        name = "get_translated_payload"
        setattr(kind, name, remembering(getattr(kind, name)))
    vars(commands)["_extract_parameters_from_callback"] = reading(
        commands._extract_parameters_from_callback  # noqa: SLF001
    )
