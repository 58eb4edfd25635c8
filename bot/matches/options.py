"""The options of a game as they come from Discord."""

from collections.abc import Iterable
from typing import Any

from core.game import Game
from core.options import OFF, ON, Flag


def given_options(game: Game, given: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return what was given of the options that `game` declares, as it takes them.

    Discord leaves out what wasn't given, or has None; what is on or off comes as true or false.
    """
    declared, flags = {option.name for option in game.declared}, flags_of(game)
    return {
        name: (ON if value else OFF) if name in flags else value
        for name, value in given
        if name in declared and value is not None
    }


def flags_of(game: Game) -> set[str]:
    """Return the options that are on or off."""
    return {option.name for option in game.declared if isinstance(option, Flag)}
