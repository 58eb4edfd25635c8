"""The terms of a match in words: the game with its options, the clock, the channels for it."""

from collections.abc import Iterable

from bot.i18n import Texts
from bot.matches.clock import DAY, HOUR, MINUTE
from core.game import Game
from core.options import Choice, Flag, Options


def title(game: Game, options: Options, texts: Texts) -> str:
    """Return the game with its options: variants that aren't the usual one, and what is on."""
    unusual = [
        texts(f"game.{game.key}.variant.{options[option.name]}")
        for option in game.declared
        if isinstance(option, Choice) and options[option.name] != option.choices[0]
    ]
    flags = [texts(f"game.{game.key}.flag.{name}") for name in _on(game, options)]
    return " · ".join([texts(f"game.{game.key}.title", **options), *unusual, *flags])


def without_flags(game: Game, options: Options) -> Options:
    """Return `options` as they are where nothing is on."""
    on = _on(game, options)
    return {name: value for name, value in options.items() if name not in on}


def flag_rules(game: Game, options: Options, texts: Texts) -> list[str]:
    """Return what those options mean that are on."""
    return [texts(f"game.{game.key}.flag.{name}.rule") for name in _on(game, options)]


def _on(game: Game, options: Options) -> list[str]:
    return [o.name for o in game.declared if isinstance(o, Flag) and o.name in options]


def clock_words(clock: int | None, texts: Texts) -> str:
    """Return how long a player has for a move."""
    return texts("clock.none") if clock is None else duration(clock, texts)


def permissions_words(permissions: Iterable[str], texts: Texts) -> str:
    """Return permissions as Discord calls them."""
    return ", ".join(f"*{texts(f'permission.{name}')}*" for name in permissions)


def duration(seconds: int, texts: Texts) -> str:
    """Return a time in the largest unit in which it is a whole number, but days from two on."""
    for unit, size, least in (("days", DAY, 2), ("hours", HOUR, 1), ("minutes", MINUTE, 1)):
        if seconds % size == 0 and seconds >= least * size:
            count = seconds // size
            return texts(f"duration.{unit}" if count > 1 else f"duration.one.{unit}", count=count)
    return texts("duration.seconds", count=seconds)


def channels_words(channel_ids: Iterable[int]) -> str:
    """Return channels as Discord shows them: by name, and only to those who can see them."""
    return ", ".join(f"<#{channel_id}>" for channel_id in channel_ids)
