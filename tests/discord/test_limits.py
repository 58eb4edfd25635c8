"""Every board as a message, within all of Discord's limits, at any ply.

https://discord.com/developers/docs/components/reference
"""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from discord import ui
from simcord.components import walk_components

from bot.gateway.codec import decode
from bot.gateway.paragraphs import displays
from bot.i18n import texts_for
from bot.matches.clock import Timing
from bot.matches.legal import legal_text
from bot.matches.messages import names_of, text_view
from bot.matches.model import StoredMatch
from bot.matches.presses import Group
from bot.matches.view import board_view
from bot.render.moves import MAX_OPTIONS, grouped
from core.engine.levels import Level
from core.errors import OptionError
from core.game import Game
from core.games import GAMES
from core.grid import Move
from core.match import Match
from core.options import OFF, ON, Flag, Number, Option, Options
from core.players import Computer, Member, Player
from tests.bot.playing import HERE

MAX_COMPONENTS, MAX_TEXT, MAX_ID, MAX_BUTTONS, MAX_ROWS = 40, 4000, 100, 5, 40
MAX_WORDS = {"label": 80, "placeholder": 150, "value": 100, "description": 100}
MAX_PIECES = 199
TEXTS = texts_for("en")
LONGEST = "*_" * 16
MEMBERS = (Member(10**17), Member(10**17 + 1), Member(10**17 + 2))
LATE = 10**17
MISSING = ("view_channel", "send_messages_in_threads")


def settings(game: Game) -> Iterator[Options]:
    """Yield every combination of a game's options that it takes."""
    declared = [[(option.name, value) for value in _values(option)] for option in game.declared]
    for chosen in product(*declared):
        try:
            yield game.resolve(dict(chosen))
        except OptionError:
            continue


def _values(option: Option) -> Sequence[int | str]:
    if isinstance(option, Number):
        return range(option.low, option.high + 1)
    return (OFF, ON) if isinstance(option, Flag) else option.choices


def stored(match: Match) -> StoredMatch:
    """Return a match as it would be read, with names that are as long as escaping makes them."""
    names = tuple(LONGEST if isinstance(player, Member) else None for player in match.players)
    brought, timing = (0.5,) * match.game.seats, Timing(LATE, LATE)
    return StoredMatch(LATE, HERE, match, names, 1, brought, hinted=True, timing=timing)


def views(match: Match) -> Iterator[ui.LayoutView]:
    """Yield every message that shows a match: with each row opened, and its legal squares."""
    shown, mover = stored(match), match.next_player
    notify = mover.id if isinstance(mover, Member) else None
    yield board_view(shown, TEXTS, notify, missing=MISSING)
    if match.outcome is not None:
        return
    moves = match.position.legal_moves()
    for group in grouped(moves) if len(moves) > MAX_OPTIONS else ():
        yield board_view(shown, TEXTS, opened=Group(LATE, match.ply, group, 0), missing=MISSING)
    yield text_view(legal_text(match, names_of(shown, TEXTS), TEXTS))


def parts_of(view: ui.LayoutView) -> list[dict[str, Any]]:
    """Return all components of a message, as Discord's JSON."""
    sent: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]
    return list(walk_components(sent))


def check(view: ui.LayoutView) -> None:
    """Fail where Discord would refuse a message, or its clients not show all of it."""
    parts = parts_of(view)
    assert len(parts) <= MAX_COMPONENTS
    written = [part["content"] for part in parts if "content" in part]
    assert sum(len(text.encode("utf-16-le")) // 2 for text in written) <= MAX_TEXT
    for text in written:
        assert text.strip()
        assert pieces(text) <= MAX_PIECES
    custom_ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(set(custom_ids)) == len(custom_ids)
    for part in parts:
        if "components" in part and part["type"] == 1:
            assert 1 <= len(part["components"]) <= MAX_BUTTONS
        options = part.get("options", [])
        assert len(options) <= MAX_OPTIONS
        assert len({option["value"] for option in options}) == len(options)
        arriving = [f"{part['custom_id']}:{option['value']}" for option in options]
        for said in [*arriving, *([part["custom_id"]] if "style" in part else [])]:
            assert len(said) <= MAX_ID
            assert decode(said) is not None
        for worded in [part, *options]:
            for key, limit in MAX_WORDS.items():
                assert worded.get(key) is None or 1 <= len(worded[key]) <= limit


def pieces(text: str) -> int:
    """Return about how many pieces a client makes of a text beside plain words."""
    emoji = sum(not character.isascii() and not character.isalnum() for character in text)
    unseen = sum(text.count(character) for character in "\ufe0f\u200b–·×")
    return emoji - unseen + text.count("**") // 2 + text.count("`") // 2 + text.count("<@") + 2


def played(game: Game, options: Options, rng: Random, players: tuple[Player, ...]) -> list[Match]:
    """Return a match at each of its plies, played at random to its end."""
    match = Match.start(game, options, players=players, rng=rng)
    course = [match]
    while match.next_player is not None:
        match = match.play(rng.choice(match.position.legal_moves()))
        course.append(match)
    return course


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_setting_fits(game: Game) -> None:
    """Each combination of options as it begins, and now and then through a random game.

    Where the same moves are legal, menus and legal squares differ only in their title.
    """
    rng, players, count = Random(5), MEMBERS[: game.seats], 0
    seen: set[tuple[Move, ...]] = set()
    for count, options in enumerate(settings(game), start=1):
        begun = Match.start(game, options, players=players, rng=rng)
        check(next(views(begun)))
        moves = tuple(begun.position.legal_moves())
        shown = [] if moves in seen else [begun]
        seen.add(moves)
        if count % 10 == 1:
            course = played(game, options, rng, players)
            shown += [rng.choice(course), course[-1]]
        for match in shown:
            for view in views(match):
                check(view)
    assert count


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("tictactoe", {"rows": 6, "line": 6}),
        ("tictactoe", {"rows": 9, "columns": 4, "line": 9}),
        ("tictactoe", {"rows": 10, "line": 10, "variant": "torus"}),
        ("nineholes", {}),
        ("tribolo", {"size": "small"}),
        ("tribolo", {"size": "medium"}),
        ("tribolo", {"size": "full"}),
    ],
)
@pytest.mark.parametrize("computers", [0, 1])
def test_every_ply_fits(key: str, options: Options, computers: int) -> None:
    """Each position of a game, between members and with a computer at the last seat."""
    game = GAMES[key]
    seated: list[Player] = [*MEMBERS[: game.seats - computers]]
    seated += [Computer(Level.HARD)] * computers
    for match in played(game, options, Random(7), tuple(seated)):
        for view in views(match):
            check(view)


def test_a_long_text_is_cut_between_lines() -> None:
    """Nothing is lost or changed but the line break, and no part is longer than clients show."""
    board = "\n".join(["head", *["🟦" * 17] * 11, "foot"])
    parts = [part.content for part in displays(board)]
    assert "\n".join(parts) == board
    assert len(parts) == 2
    assert all(pieces(part) <= MAX_PIECES for part in parts)


@pytest.mark.parametrize("text", ["word", "", "**Ω** größer 象棋 – `/move`", "🟦" * 100])
def test_other_texts_stay_whole(text: str) -> None:
    """What clients show at once is one component, in any language."""
    assert [part.content for part in displays(text)] == [text]
