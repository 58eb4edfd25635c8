"""The option `clock`: what is offered; 0 stands for none."""

from discord import app_commands

from bot.i18n import Texts
from bot.matches.clock import CLOCKS
from bot.render.terms import clock_words

Choices = list[app_commands.Choice[int]]


def clock_choices(texts: Texts) -> Choices:
    """Return the choices of `clock`, in seconds, the shortest first."""
    return [
        app_commands.Choice(name=clock_words(clock, texts), value=clock or 0)
        for clock in (*CLOCKS, None)
    ]
