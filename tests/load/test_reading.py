"""A scripted member reads the bot's messages right, so that the soak's checks aren't blind."""

from random import Random
from typing import Any

import pytest

from bot.i18n import own_texts
from bot.identity import ChannelId, MatchId, Place, ServerId
from bot.matches.model import StoredMatch
from bot.matches.view import board_view, to_notify
from core import Match
from core.games import GAMES
from core.options import Options
from core.players import Member

from . import payloads
from .ledger import Ledger
from .reading import read

_FIRST, _SECOND = payloads.USER_BASE, payloads.USER_BASE + 1
_CHANNEL = payloads.CHANNEL_BASE
_PLAYERS = (Member(_FIRST), Member(_SECOND))


def _match(moves: str, options: Options | None = None) -> Match:
    match = Match.start("tictactoe", options or {}, players=_PLAYERS)
    for move in moves.split():
        match = match.play(move)
    return match


def board_fields(match: Match, number: int = 7) -> dict[str, Any]:
    """Return the body of the message that shows a match, and mentions the member to move."""
    place, match_id = Place(ServerId(1), ChannelId(_CHANNEL)), MatchId(number)
    names = tuple(f"Player {seat}" for seat in range(len(match.players)))
    stored = StoredMatch(match_id, place, match, names, match_id, (0.0,) * len(names))
    notify = to_notify(stored, None)
    view = board_view(stored, notify)
    return {
        "components": view.to_components(),
        "allowed_mentions": {"users": [str(notify)] if notify else []},
    }


def _message(match: Match, number: int = 1) -> payloads.Json:
    return payloads.message(number, _CHANNEL, "", board_fields(match))


def test_a_running_board_is_read() -> None:
    """The match, the ply, the last move, the member to move and the squares are found."""
    boards: list[Options] = [{}, {"rows": 10, "columns": 10, "line": 5}]
    for options in boards:
        shown = read(_message(_match("a1 b2 c1", options)))
        assert (shown.match, shown.ply, shown.last, shown.turn) == (7, 3, "c1", _SECOND)
        assert (shown.squares, shown.running, shown.over) == (True, True, False)
        assert any(control.custom_id[0] in "mw" for control in shown.controls)


@pytest.mark.parametrize("game", GAMES)
def test_the_last_move_of_each_game_is_read(game: str) -> None:
    """It is read in any game's words, even with the last moves of other seats beside it."""
    rng, players = Random(1), tuple(map(Member, range(GAMES[game].seats)))
    match = Match.start(game, players=players, rng=rng)
    for ply in range(1, 5):
        match = match.play(str(rng.choice(match.position.legal_moves())))
        if match.outcome:
            return
        shown = read(_message(match))
        assert (shown.ply, shown.last) == (ply, str(match.moves[-1]))


def test_a_final_board_is_read() -> None:
    """The end of a match is told apart from a running one."""
    shown = read(_message(_match("a1 b2 a2 c3 a3")))
    assert (shown.match, shown.over, shown.running, shown.squares) == (7, True, False, False)


def test_an_unexpected_error_is_read() -> None:
    """It is distinguished from a refusal by the bot's words for it."""
    texts = own_texts("en-US")
    for key, failed in (("refusal.unexpected", True), ("refusal.try_again", False)):
        told = payloads.message(1, _CHANNEL, "", {"content": texts(key, id=1)})
        assert read(told).failed is failed


def test_the_ledger_notes_shown_moves() -> None:
    """The ledger holds the last move of each board, who was told, and forgets what was undone."""
    ledger = Ledger()
    for number, moves in enumerate(("a1", "a1 b2", "a1 b2 c1", "a1 b1")):
        ledger.note(_message(_match(moves), number))
    assert ledger.moves == {7: {0: "a1", 1: "b1"}}
    assert ledger.taken_back == {7: [(1, "b2"), (2, "c1")]}
    assert ledger.told(7, 1, _SECOND)
    assert not ledger.told(7, 1, _FIRST)
    ledger.note(_message(_match("a1 b2 a2 c3 a3")))
    assert ledger.ended == {7}
