"""/play: one subcommand per game, built from the options that the game declares."""

import inspect
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.challenges import comes_first
from bot.client import Interaction, person, place_of, served, texts_of
from bot.commands.clocks import clock_choices
from bot.commands.levels import read_level, suggest_levels
from bot.i18n import Texts
from bot.records import First
from bot.servers import checked_clock
from bot.views.challenging import challenge
from bot.views.places import check_here, tell_missing
from bot.views.posting import show_first
from core.game import Choice, Game, Number, Options
from core.match import Computer, Member, Player


def play_group(games: dict[str, Game], texts: Texts) -> app_commands.Group:
    """Return /play with a subcommand for each of `games`."""
    group = app_commands.Group(name="play", description=texts("command.play"))
    for game in games.values():
        group.add_command(_command(game, texts))
    return group


def _command(game: Game, texts: Texts) -> app_commands.Command[Any, ..., None]:
    return app_commands.Command(
        name=game.key,
        description=texts(f"command.play.{game.key}"),
        callback=_callback(game, texts),
    )


def _callback(game: Game, texts: Texts) -> Callable[..., Coroutine[Any, Any, None]]:
    """Return the handler of a game, with the signature from which discord.py reads its options."""

    @served
    async def play(
        interaction: Interaction,
        against: discord.User | discord.Member | None = None,
        level: str | None = None,
        first: str | None = None,
        clock: int | None = None,
        **given: int | str | None,
    ) -> None:
        options = {name: value for name, value in given.items() if value is not None}
        chosen = First(first) if first else First.ME
        settings = await check_here(interaction)
        seconds = settings.clock if clock is None else checked_clock(clock)
        if against is None or against == interaction.client.user:
            await _against_computer(interaction, game, options, level, chosen, seconds)
        else:
            terms = replace(settings, clock=seconds)
            await challenge(interaction, game, options, against, chosen, terms)

    play.__signature__ = inspect.Signature(_parameters(game))  # type: ignore[attr-defined]
    app_commands.describe(**_descriptions(game, texts))(play)
    app_commands.choices(**_choices(game, texts))(play)
    app_commands.choices(clock=clock_choices(texts))(play)
    app_commands.autocomplete(level=suggest_levels(game))(play)
    return play


def _descriptions(game: Game, texts: Texts) -> dict[str, str]:
    return {
        "against": texts("option.against"),
        "level": texts("option.level"),
        "first": texts("option.first"),
        "clock": texts("option.clock"),
        **{option.name: _description(option, texts) for option in game.declared},
    }


def _choices(game: Game, texts: Texts) -> dict[str, list[app_commands.Choice[str]]]:
    named = {
        "first": {first.value: texts(f"first.{first}") for first in First},
        **{
            o.name: {word: word for word in o.choices}
            for o in game.declared
            if isinstance(o, Choice)
        },
    }
    return {
        option: [app_commands.Choice(name=name, value=value) for value, name in words.items()]
        for option, words in named.items()
    }


def _description(option: Number | Choice, texts: Texts) -> str:
    limits = {"low": option.low, "high": option.high} if isinstance(option, Number) else {}
    return texts(f"option.{option.name}", **limits)


def _parameters(game: Game) -> list[inspect.Parameter]:
    """Return the options in the order in which they are offered.

    Numbers carry no range for Discord to hold: ours is the refusal that says what would fit.
    """
    annotations: dict[str, Any] = {"against": discord.User | None, "level": str | None}
    for option in game.declared:
        annotations[option.name] = (int if isinstance(option, Number) else str) | None
    annotations["first"] = str | None
    annotations["clock"] = int | None
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [
        inspect.Parameter("interaction", kind),
        *(
            inspect.Parameter(name, kind, default=None, annotation=annotation)
            for name, annotation in annotations.items()
        ),
    ]


async def _against_computer(
    interaction: Interaction,
    game: Game,
    options: Options,
    level: str | None,
    first: First,
    clock: int | None,
) -> None:
    matches, place = interaction.client.services.matches, place_of(interaction)
    me = person(interaction.user)
    resolved = game.resolve(options)
    seating: list[tuple[Player, str | None]] = [
        (Member(me.id), me.name),
        (Computer(read_level(game, resolved, level, texts_of(interaction))), None),
    ]
    if not comes_first(first, matches):
        seating.reverse()
    async with matches.turn(place.channel_id):
        stored = await matches.start(place, game, resolved, seating, clock=clock)
        await show_first(interaction, stored)
    await tell_missing(interaction, clock=None)
