"""Wishes in custom ids: each game's longest one fits, and comes back as it was."""

from dataclasses import replace
from typing import cast

import discord
import pytest

from bot.i18n import own_texts
from bot.identity import MatchId
from bot.invitations.model import First, PlayInThread, TakeOverFor
from bot.invitations.wishes import Named, Wish
from bot.matches.options import options_of_members
from bot.refusals import Refusal
from core.engine.levels import levels_of
from core.game import Game
from core.games import GAMES
from core.options import OFF, Choice, Number

# A trillion matches are more than any bot has.
MATCH = MatchId(10**12 - 1)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_the_longest_wish_fits(game: Game) -> None:
    """It has every option, all members with the longest ids, a level, a clock and open seats."""
    options = {
        option.name: option.high
        if isinstance(option, Number)
        else max(option.choices, key=len)
        if isinstance(option, Choice)
        else OFF
        for option in game.declared
    }
    named = [cast("Named", discord.Object(9 * 10**18 - 1 - seat)) for seat in range(game.seats - 1)]
    level = max(levels_of(game, game.resolve(options)), key=len)
    first = First.ME if game.first_by_lot else First.OPPONENT
    wish = Wish(game, options, named, level, is_open=True, first=first, clock=604_800)
    custom_id = wish.taking_over(MATCH, own_texts("en-US")).custom_id
    assert len(custom_id) <= 100, custom_id
    press = TakeOverFor.parse(custom_id)
    assert press is not None
    assert press.members == [somebody.id for somebody in named]
    assert Wish.from_press(press, game, named) == wish
    shorter = PlayInThread.parse(wish.in_thread(own_texts("en-US")).custom_id)
    assert shorter is not None and Wish.from_press(shorter, game, named) == wish


def test_a_wish_of_before_an_option_was_declared() -> None:
    """It is still read: buttons stay for years, and a game may declare further options last."""
    game = GAMES["tictactoe"]
    wish = Wish(game, {"rows": 4, "variant": "misere"})
    sent = wish.taking_over(MATCH, own_texts("en-US"))
    earlier = replace(sent, options=sent.options.removesuffix(","))
    assert earlier.options == "4,,,misere"
    assert Wish.from_press(earlier, game, ()) == Wish.from_press(sent, game, ())
    with pytest.raises(Refusal, match="unknown_button"):
        Wish.from_press(replace(sent, options=f"{sent.options},on"), game, ())


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_options_left_open_in_a_wish_stay_open(game: Game) -> None:
    """Options that nobody gave aren't filled in, so that members still get the fairer board."""
    press = TakeOverFor.parse(Wish(game).taking_over(MATCH, own_texts("en-US")).custom_id)
    assert press is not None
    wish = Wish.from_press(press, game, ())
    assert wish == Wish(game)
    assert options_of_members(game, wish.options) == options_of_members(game, {})
