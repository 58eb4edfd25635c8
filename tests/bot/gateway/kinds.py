"""All kinds of press."""

import bot.app  # noqa: F401 - registers the presses of all features
from bot.gateway.components import Press


def kinds_of(kind: type[Press]) -> list[type[Press]]:
    """Return all kinds of press that are of this kind."""
    return [one for below in kind.__subclasses__() for one in (below, *kinds_of(below))]


KINDS = kinds_of(Press)
