"""Quicker copies of what simcord logs, checks, stores and sends.

simcord copies each message several times on its way, and all commands. All of them are JSON, mostly
strings and numbers, and `copy.deepcopy` calls several functions for each of these.
"""

import copy
from types import NoneType, SimpleNamespace
from typing import Any

from simcord import components, gateway, results
from simcord.backend import serializers
from simcord.http import router

_UNCHANGEABLE = (str, int, float, NoneType)


def copied(value: Any) -> Any:
    """Return a deep copy."""
    if type(value) is dict:
        return {
            key: one if isinstance(one, _UNCHANGEABLE) else copied(one)
            for key, one in value.items()
        }
    if type(value) is list:
        return [one if isinstance(one, _UNCHANGEABLE) else copied(one) for one in value]
    return copy.deepcopy(value)


def install() -> None:
    """Let simcord make its copies with `copied`."""
    for module in (components, results, serializers):
        vars(module)["deepcopy"] = copied
    for module in (gateway, router):
        vars(module)["copy"] = SimpleNamespace(deepcopy=copied)
