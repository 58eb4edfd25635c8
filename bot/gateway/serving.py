"""What every handler of a command or button begins with: who asks, where, and how it is run."""

import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeAlias, cast

import discord

from bot.client import Interaction
from bot.gateway.responses import answer_of
from bot.matches.model import Person, Place

P = ParamSpec("P")
Handler: TypeAlias = Callable[P, Coroutine[Any, Any, None]]


def served(handler: Handler[P]) -> Handler[P]:
    """Return `handler`, whose first argument is the interaction, run by `Rowbot.serve`."""
    return _served(handler, private=False)


def served_privately(handler: Handler[P]) -> Handler[P]:
    """Return `handler` as `served` does; it answers the asker alone, also where that takes long."""
    return _served(handler, private=True)


def _served(handler: Handler[P], *, private: bool) -> Handler[P]:
    @functools.wraps(handler)
    async def run(*args: P.args, **kwargs: P.kwargs) -> None:
        interaction = cast("Interaction", args[0])
        answer_of(interaction, private=private)
        await interaction.client.serve(interaction, handler(*args, **kwargs))

    return run


def place_of(interaction: Interaction) -> Place:
    """Return where an interaction happens."""
    assert interaction.guild_id and interaction.channel_id, "commands are for servers only"
    return Place(interaction.guild_id, interaction.channel_id)


def person(user: discord.User | discord.Member) -> Person:
    """Return a member as what they are called here."""
    return Person(user.id, user.display_name)
