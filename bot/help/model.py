"""The presses on the welcome and the rules, and the example of a game."""

from bot.gateway.components import Key, Press
from core.game import Game
from core.match import Match
from core.players import Member


class ShowRules(Press, tag="i"):
    """Show the rules of a game; if `game` is empty, of the one that is played in the channel."""

    game: Key


class ShowCommands(Press, tag="j"):
    """Show all commands."""


def example(game: Game) -> Match:
    """Return the moves that show the rules of a game, as a match between members."""
    shown = game.example
    players = tuple(map(Member, range(game.seats)))
    match = Match(game, game.resolve({}), players, game.parse(shown.start))
    for move in shown.moves:
        match = match.play(move)
    return match
