"""Every board as a message, within all of Discord's limits, at any ply."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, product
from random import Random

import pytest
from discord import ui

from bot.forms import Form
from bot.gateway.components import Upload, displays, view_of
from bot.i18n import own_texts
from bot.identity import MatchId, MemberId
from bot.matches.board_pictures import Seen
from bot.matches.clock import Timing
from bot.matches.model import StoredMatch
from bot.matches.moves import MAX_SINGLE, group_items, grouped, legal_moves, legal_view
from bot.matches.presses import on_board
from bot.matches.view import board_view, names_of
from bot.render.spoken import board_text
from core.engine.levels import Level
from core.errors import OptionError
from core.game import Game
from core.games import GAMES
from core.grid import Move
from core.match import Match
from core.options import OFF, ON, Flag, Number, Option, Options
from core.players import Computer, Member, Player
from tests.bot.i18n import catalogue as catalogues
from tests.bot.playing import HERE
from tests.discord.limits import LONGEST, MAX_PIECES, check, pieces

LANGUAGES = cycle(["en-XA", *catalogues.LANGUAGES])
MEMBERS = [Member(10**17 + seat) for seat in range(max(game.seats for game in GAMES.values()))]
LATE = 10**17
MATCH = MatchId(LATE)
# If there are more than MANY combinations, CI takes one in SAMPLED_ONE_IN. That number has no
# divisor in common with the numbers of tic-tac-toe's values, so that all values come in turn.
MANY, SAMPLED_ONE_IN = 100, 29
PLIES_ONE_IN, MANY_PLIES = 11, 15
MISSING = ("view_channel", "send_messages_in_threads")


def settings(game: Game) -> Iterator[Options]:
    """Yield every valid combination of a game's options."""
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
    """Return a stored match with names as long as can be, in one language after the other."""
    names = tuple(LONGEST if isinstance(player, Member) else None for player in match.players)
    brought, timing = (0.5,) * match.game.seats, Timing(LATE, LATE)
    language = next(LANGUAGES)
    return StoredMatch(
        MATCH, HERE, match, names, MATCH, brought, hinted=True, timing=timing, language=language
    )


def views(match: Match) -> Iterator[ui.LayoutView]:
    """Yield every message of a match: each row of moves, and with its legal squares."""
    shown, mover = stored(match), match.next_player
    texts = own_texts(shown.language or "en")
    notify = MemberId(mover.id) if isinstance(mover, Member) else None
    yield board_view(shown, notify, missing=MISSING)
    members = [MemberId(p.id) for p in match.players if isinstance(p, Member)]
    for forms in ([Form.PICTURE], [Form.WORDS], [Form.WORDS, Form.PICTURE]):
        formed = replace(shown, forms=dict(zip(members, cycle(forms), strict=False)))
        yield board_view(formed, notify, missing=MISSING, drawn=Upload("board.png", b""))
    if match.outcome is not None:
        return
    moves = match.position.legal_moves()
    for group in grouped(moves) if len(moves) > MAX_SINGLE else ():
        yield view_of(*group_items(match.position, on_board(MATCH, match.ply), group, 0, texts))
    for form in (Form.EMOJI, Form.WORDS):
        told = board_text(match, form, texts, gains=legal_moves(match, shown.names).gains)
        seen = Seen((told,), form)
        yield legal_view(legal_moves(match, shown.names), names_of(shown, texts), texts, seen)


def played(game: Game, options: Options, rng: Random, players: tuple[Player, ...]) -> list[Match]:
    """Return a match after each ply of a random playout."""
    match = Match.start(game, options, players=players, rng=rng)
    course = [match]
    while match.next_player is not None:
        match = match.play(rng.choice(match.position.legal_moves()))
        course.append(match)
    return course


@pytest.mark.parametrize("step", [SAMPLED_ONE_IN, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_setting_fits(game: Game, step: int) -> None:
    """Every combination of options fits at the start and at plies of a random game.

    Menus and legal squares are rendered once per set of legal moves: only their title differs. Of
    many combinations CI takes one in 29.
    """
    rng, players, count = Random(5), tuple(MEMBERS[: game.seats]), 0
    seen: set[tuple[Move, ...]] = set()
    every = list(settings(game))
    for count, options in enumerate(every[:: step if len(every) > MANY else 1], start=1):
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
@pytest.mark.parametrize("step", [PLIES_ONE_IN, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("computers", [0, 1])
def test_every_ply_fits(key: str, options: Options, computers: int, step: int) -> None:
    """Every position of a game fits, between members and with a computer in the last seat.

    In long games CI takes one ply in eleven, so that all of two or three seats come to move.
    """
    game = GAMES[key]
    seated: list[Player] = [*MEMBERS[: game.seats - computers]]
    seated += [Computer(Level.HARD)] * computers
    course = played(game, options, Random(7), tuple(seated))
    for match in [*course[:: step if len(course) > MANY_PLIES else 1], course[-1]]:
        for view in views(match):
            check(view)


def test_a_long_text_is_cut_between_lines() -> None:
    """A split loses nothing but line breaks, and no part exceeds the length that clients show."""
    board = "\n".join(["head", *["🟦" * 17] * 11, "foot"])
    parts = [part["content"] for part in displays(board)]
    assert "\n".join(parts) == board
    assert len(parts) == 2
    assert all(pieces(part) <= MAX_PIECES for part in parts)


@pytest.mark.parametrize("text", ["word", "", "**Ω** größer 象棋 – `/move`", "🟦" * 100])
def test_short_texts_stay_whole(text: str) -> None:
    """A text that clients show in full is one component, in any language."""
    assert [part["content"] for part in displays(text)] == [text]
