"""Who may do something in a match, and on which of its boards."""

from bot.matches.model import StoredMatch
from bot.refusals import LaggingView, Refusal
from core.errors import GameError
from core.match import Match
from core.players import Member, Player


def check_turn(
    stored: StoredMatch, member_id: int, ply: int | None = None, message_id: int | None = None
) -> None:
    """Raise Refusal unless this member may move now, on the board that they look at."""
    check_board(stored, member_id, ply, message_id)
    if message_id and message_id == stored.board_id and stored.match.outcome:
        # Its board still has squares to press: the end could not be posted.
        raise LaggingView(stored)
    try:
        stored.match.check_turn(Member(member_id), ply)
    except GameError as error:
        raise Refusal(error, stored) from error


def check_there(stored: StoredMatch) -> None:
    """Raise Refusal for a match that is put away."""
    if stored.put_away:
        raise Refusal("refusal.put_away", stored)


def check_seated(stored: StoredMatch, player: Player) -> int:
    """Return the seat of `player`; raise Refusal for a stranger."""
    try:
        return stored.match.seat_of(player)
    except GameError as error:
        raise Refusal(error, stored) from error


def resigned(stored: StoredMatch, member_id: int) -> Match:
    """Return what the match would be if this member resigned; raise Refusal."""
    try:
        return stored.match.resign(Member(member_id))
    except GameError as error:
        raise Refusal(error, stored) from error


def check_board(
    stored: StoredMatch, member_id: int, ply: int | None, message_id: int | None
) -> None:
    """Raise Refusal for a stranger or an old board, LaggingView for a board left behind.

    After an undo an old board can show the current ply again; but messages are numbered in time, so
    one from before the current board is old whatever it shows.
    """
    check_seated(stored, Member(member_id))
    check_there(stored)
    if message_id and stored.board_id and message_id < stored.board_id:
        raise Refusal("refusal.old_board", stored)
    if message_id and ply != stored.match.ply:
        raise LaggingView(stored)
