"""The private questions on the way to a match: which game, which level, which member."""

from collections.abc import Iterable

from discord import ButtonStyle

from bot.gateway.components import (
    Component,
    Layout,
    button,
    button_row,
    member_menu,
    menu,
    option,
    view_of,
)
from bot.i18n import OwnTexts
from bot.identity import Escaped, MemberId, is_former
from bot.invitations.model import Challenge, ChooseLevel
from bot.invitations.options import DEFAULT_LEVEL
from bot.matches.model import StoredMatch
from bot.matches.presses import Begin, NewGame, Way
from bot.matches.ways import begin_buttons, ways_in
from core.engine.levels import Level, levels_of
from core.game import Game
from core.games import GAMES
from core.players import Computer, Member


def way_view(way: Way, texts: OwnTexts) -> Layout:
    """Return the first question on a way to a match: whom to challenge, else which game."""
    asked = texts(f"begin.{way}")
    if way is Way.CHALLENGE:
        # The id of the chosen member completes the custom id to that of a ChooseMember.
        return view_of(asked, member_menu(Begin(way).custom_id, texts("select.member")))
    games = _games(Begin(way).custom_id, GAMES.values(), texts("select.game"), texts)
    return view_of(asked, games, texts("begin.more"))


def level_view(game: Game, texts: OwnTexts) -> Layout:
    """Return the question for the computer's level on the usual board of a game.

    The level that `/play` takes by itself stands out, for those who can't say.
    """
    levels = (
        button(
            _label(level, texts),
            ChooseLevel(Way.COMPUTER, game.key, level),
            ButtonStyle.primary if level is DEFAULT_LEVEL else ButtonStyle.secondary,
        )
        for level in levels_of(game, game.resolve({}))
    )
    return view_of(texts("begin.level", game=texts(f"game.{game.key}")), button_row(*levels))


def challenge_view(opponent: MemberId, name: Escaped, texts: OwnTexts) -> Layout:
    """Return the question for the game of a challenge."""
    games = _games(_against(opponent), _for_two(), texts("select.game"), texts)
    return view_of(texts("challenge.which", opponent=f"**{name}**"), games)


def next_view(stored: StoredMatch, asker: MemberId, texts: OwnTexts) -> Layout:
    """Return the choices of a member after a finished match.

    If the member has played the computer alone, they may choose the same board at another level.
    They may choose another game with their opponent if there was one, or else against the computer.
    The other ways to a match follow. A former player can't be challenged.
    """
    match = stored.match
    levels = {player.level for player in match.players if isinstance(player, Computer)}
    members = {player for player in match.players if isinstance(player, Member)}
    rows = []
    if members == {Member(asker)} and levels:
        others = [level for level in levels_of(match.game, match.options) if {level} != levels]
        rows.append(_levels(stored, others, texts))
    ways = ways_in(stored.place.context)
    opponents = {one for one in members if one.id != asker and not is_former(one.id)}
    if match.game.seats == 2 and len(opponents) == 1 and len(members) == 2:
        (opponent,) = opponents
        prompt = texts("select.game.challenge")
        rows.append(_games(_against(MemberId(opponent.id)), _for_two(), prompt, texts))
    else:
        ways.remove(Way.COMPUTER)
        custom_id = Begin(Way.COMPUTER).custom_id
        rows.append(_games(custom_id, GAMES.values(), texts("select.game.computer"), texts))
    if ways:
        rows.append(button_row(*begin_buttons(ways, texts)))
    return view_of(texts("begin.next"), *rows, texts("begin.more"))


def _for_two() -> list[Game]:
    """Return the games of a challenge, which names one opponent."""
    return [game for game in GAMES.values() if game.seats == 2]


def _against(opponent: MemberId) -> str:
    """Return the custom id of a menu of games, which the chosen game completes to a Challenge."""
    return f"{Challenge.tag}:{opponent}"


def _label(level: Level, texts: OwnTexts) -> str:
    """Return the name of a level with a capital, as all buttons have it.

    None begins with the Turkish i or the Dutch ij, which have capitals of their own.
    """
    name = texts(f"level.{level}")
    return f"{name[0].upper()}{name[1:]}"


def _levels(stored: StoredMatch, levels: Iterable[Level], texts: OwnTexts) -> Component:
    """Return a menu of levels; the chosen level completes its custom id to an OtherLevel."""
    options = [option(_label(level, texts), level.value) for level in levels]
    return menu(NewGame(stored.id).custom_id, texts("select.level"), options)


def _games(custom_id: str, games: Iterable[Game], prompt: str, texts: OwnTexts) -> Component:
    """Return a menu of games; the key of the chosen game completes the custom id."""
    options = [
        option(texts(f"game.{game.key}"), game.key, texts(f"game.{game.key}.command"))
        for game in games
    ]
    return menu(custom_id, prompt, options)
