"""/play: one subcommand per game, built from the seats and options that the game declares."""

import inspect
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import discord
from discord import app_commands

from bot.client import Interaction, texts_of
from bot.gateway.permissions import check_here, tell_missing
from bot.gateway.serving import person, place_of, served
from bot.i18n import Texts
from bot.invitations.inviting import holders, in_order, invite, others_of
from bot.invitations.model import Holder, Invitation
from bot.matches.clock_choices import clock_choices
from bot.matches.levels import read_level, suggest_levels
from bot.matches.model import First
from bot.matches.options import flags_of, given_options
from bot.matches.posting import show_first
from bot.servers.service import checked_clock
from core.game import Game
from core.options import Choice, Flag, Number, Option, Options
from core.players import Computer

# What Discord asks for, by the kind of option.
_TYPES: dict[type[Option], Any] = {Number: int, Choice: str, Flag: bool}


def play_group(games: dict[str, Game], texts: Texts) -> app_commands.Group:
    """Return /play with a subcommand for each of `games`."""
    group = app_commands.Group(name="play", description=texts("command.play"))
    for game in games.values():
        group.add_command(_command(game, texts))
    return group


def _command(game: Game, texts: Texts) -> app_commands.Command[Any, ..., None]:
    return app_commands.Command(
        name=game.key,
        description=texts(f"game.{game.key}.command"),
        callback=_callback(game, texts),
    )


def _callback(game: Game, texts: Texts) -> Callable[..., Coroutine[Any, Any, None]]:
    """Return the handler of a game, with the signature from which discord.py reads its options."""

    @served
    async def play(
        interaction: Interaction,
        level: str | None = None,
        first: str | None = None,
        clock: int | None = None,
        open: bool | None = None,  # noqa: FBT001 - Discord gives it by name
        **given: Any,
    ) -> None:
        settings = await check_here(interaction)
        others = [given.pop(name, None) for name in others_of(game)]
        options = given_options(game, given.items())
        resolved = game.resolve(options)
        chosen_level = read_level(game, resolved, level, texts_of(interaction))
        named = [somebody for somebody in others if somebody is not None]
        seats = holders(interaction, game, named, chosen_level, is_open=bool(open))
        agreed = _agreed(game, options, resolved, seats)
        invitation = Invitation(
            place=place_of(interaction),
            game=game.key,
            options=agreed,
            owner=person(interaction.user),
            seats=in_order(seats, _drawn(interaction, first)),
            fill_level=read_level(game, agreed, level, texts_of(interaction)) if open else None,
            clock=settings.clock if clock is None else checked_clock(clock),
        )
        if invitation.complete:
            await _begin(interaction, game, invitation)
        else:
            await invite(interaction, invitation, settings.challenge_seconds)

    play.__signature__ = inspect.Signature(_parameters(game))  # type: ignore[attr-defined]
    app_commands.describe(**_descriptions(game, texts))(play)
    app_commands.choices(**_choices(game, texts))(play)
    app_commands.choices(clock=clock_choices(texts))(play)
    app_commands.autocomplete(level=suggest_levels(game))(play)
    return play


def _agreed(game: Game, given: Options, resolved: Options, seats: Sequence[Holder]) -> Options:
    """Return the `resolved` options of a match: among members a fair one, unless they say else."""
    said = given.keys() & flags_of(game)
    alone = any(isinstance(holder, Computer) for holder in seats)
    return resolved if said or alone else game.evened(resolved)


def _drawn(interaction: Interaction, first: str | None) -> First:
    """Return who takes the first seat: me or the opponent, by chance where it was asked for."""
    chosen = First(first) if first else First.ME
    if chosen is First.RANDOM:
        mine = interaction.client.services.matches.rng.random() < 0.5
        return First.ME if mine else First.OPPONENT
    return chosen


async def _begin(interaction: Interaction, game: Game, invitation: Invitation) -> None:
    """Begin at once what needs nobody's consent."""
    services, place = interaction.client.services, invitation.place
    async with services.matches.turn(place.channel_id):
        stored = await services.beginnings.start(
            place, game, invitation.options, invitation.seating, clock=invitation.clock
        )
        await show_first(interaction, stored)
    await tell_missing(interaction, clock=None)


def _parameters(game: Game) -> list[inspect.Parameter]:
    """Return the parameters of a game's command: the interaction, and the options."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [
        inspect.Parameter("interaction", kind),
        *(
            inspect.Parameter(name, kind, default=None, annotation=annotation)
            for name, annotation in _annotations(game).items()
        ),
    ]


def _annotations(game: Game) -> dict[str, Any]:
    """Return the options with their types, in the order in which they are offered.

    Numbers carry no range for Discord to hold: ours is the refusal that says what would fit.
    """
    annotations: dict[str, Any] = dict.fromkeys(others_of(game), discord.User | None)
    annotations["level"] = str | None
    for option in game.declared:
        annotations[option.name] = _TYPES[type(option)] | None
    if not game.first_by_lot:
        annotations["first"] = str | None
    annotations["clock"] = int | None
    annotations["open"] = bool | None
    return annotations


def _descriptions(game: Game, texts: Texts) -> dict[str, str]:
    own = {
        "against": texts("option.against"),
        "third": texts("option.third"),
        "level": texts("option.level"),
        "first": texts("option.first"),
        "clock": texts("option.clock"),
        "open": texts("option.open"),
    }
    declared = {option.name: _description(game, option, texts) for option in game.declared}
    return {name: (own | declared)[name] for name in _annotations(game)}


def _description(game: Game, option: Option, texts: Texts) -> str:
    limits = {"low": option.low, "high": option.high} if isinstance(option, Number) else {}
    return texts(f"game.{game.key}.option.{option.name}", **limits)


def _choices(game: Game, texts: Texts) -> dict[str, list[app_commands.Choice[str]]]:
    named = {o.name: {w: w for w in o.choices} for o in game.declared if isinstance(o, Choice)}
    if not game.first_by_lot:
        named["first"] = {first.value: texts(f"first.{first}") for first in First}
    return {
        option: [app_commands.Choice(name=name, value=value) for value, name in words.items()]
        for option, words in named.items()
    }
