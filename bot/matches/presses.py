"""The presses of a match's messages: before it begins, while it is played and afterwards.

A board has buttons of several features. Their presses are defined here, and each feature answers
its own. If kinds of press share a tag, a field tells them apart, such as an `action` that has one
value. The buttons on a message also tell which match it shows, and at which ply.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Literal, TypeAlias, get_args

from bot.gateway.components import Ply, Press, custom_ids
from bot.gateway.interactions import Interaction, place_of, pressed_message, private_message
from bot.identity import MatchId
from bot.matches.model import FINAL, OfferKind, PressedBoard
from core.grid import SWAP

_SQUARE = "[a-z][1-9][0-9]?"

MoveText = Annotated[str, f"{_SQUARE}(?:-{_SQUARE})?|[a-z]|{SWAP}"]
SquareOrNone = Annotated[str, f"(?:{_SQUARE})?"]
GroupOrNone = Annotated[str, f"(?:[1-9][0-9]?|{_SQUARE})?"]
GroupPage = Annotated[int, "[0-9]{1,3}"]
GameKey = Annotated[str, "[a-z]{1,20}"]


class Play(Press, tag="m"):
    """Make a move, in notation, on the board of `match` as it was at `ply`."""

    match: MatchId
    ply: Ply
    move: MoveText


class Pick(Press, tag="p"):
    """Pick up the man on `square`; put him back if `square` is empty."""

    match: MatchId
    ply: Ply
    square: SquareOrNone


class Group(Press, tag="w"):
    """Show a page, from 0, of the moves of a row, such as 7, or of the man on a square.

    With an empty `group` it is a page of the groups.
    """

    match: MatchId
    ply: Ply
    group: GroupOrNone
    page: GroupPage


@dataclass(frozen=True)
class MovePresses:
    """The presses by which a move is chosen on a board.

    `play` makes a move, in notation. `pick` picks up the man on a square; for an empty text, it
    puts him back. `group` shows a page of a group of moves, or of the groups. The custom ids of
    `play` and `pick` end with the move and the square. So a board makes each id once, for an empty
    text, and appends moves and squares.
    """

    play: Callable[[str], Press]
    pick: Callable[[str], Press]
    group: Callable[[str, int], Press]


def on_board(match_id: MatchId, ply: int) -> MovePresses:
    """Return the presses on the board of a match as it is at `ply`."""
    return MovePresses(
        play=partial(Play, match_id, ply),
        pick=partial(Pick, match_id, ply),
        group=partial(Group, match_id, ply),
    )


class ShowLegal(Press, tag="q"):
    """Show the squares that the player to move can choose from."""

    match: MatchId


class AskOffer(Press, tag="a"):
    """Make an offer to the other players."""

    match: MatchId
    ply: Ply
    kind: Literal[OfferKind.UNDO, OfferKind.DRAW, OfferKind.RESTART, OfferKind.UNRATED]


class AskResign(Press, tag="a"):
    """Ask whether to resign."""

    match: MatchId
    ply: Ply
    action: Literal["resign"] = "resign"


class EndOwn(Press, tag="b"):
    """Restart or resign the match with which a player keeps their own channel busy.

    The action *sure* restarts the match without another question.
    """

    match: MatchId
    action: Literal["restart", "resign", "sure"]


class AskHint(Press, tag="a"):
    """Ask for a hint."""

    match: MatchId
    ply: Ply
    action: Literal["hint"] = "hint"


class TakeOver(Press, tag="t"):
    """Archive an idle match, to play in its channel."""

    match: MatchId


class BringBack(Press, tag="bb"):
    """Bring a match back to this channel: an archived one, or one that the presser can't reach."""

    match: MatchId


class Way(StrEnum):
    """A way to a new match."""

    COMPUTER = "computer"
    CHALLENGE = "challenge"
    TABLE = "table"


class Begin(Press, tag="b"):
    """Ask which match to start in this way."""

    way: Way


class ChooseGame(Press, tag="b"):
    """Play the usual board of a game: against the computer, or at an open table."""

    way: Literal[Way.COMPUTER, Way.TABLE]
    game: GameKey


class OpenRules(Press, tag="i"):
    """Show the rules of a game to the presser alone, below the message that is about a match."""

    game: GameKey
    action: Literal["open"] = "open"


class NewGame(Press, tag="g"):
    """Ask which match to play after a finished one: another level, or another game."""

    match: MatchId


class Rematch(Press, tag="r"):
    """Play a finished match again."""

    match: MatchId


class RematchInThread(Press, tag="r"):
    """Play a finished match again, in a new thread of its channel."""

    match: MatchId
    action: Literal["thread"] = "thread"


class Analyse(Press, tag="y"):
    """Show the review of a finished match."""

    match: MatchId


class Share(Press, tag="u"):
    """Post a finished match as an animation, for everybody in its channel."""

    match: MatchId


class Step(StrEnum):
    """The step of a replay. It tells two buttons apart that lead to the same move."""

    OPEN = "open"
    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    LAST = "last"


class Replay(Press, tag="v"):
    """Show a finished match as it was after `ply` moves."""

    match: MatchId
    ply: Ply
    step: Step


AtAPly: TypeAlias = Play | Pick | Group | AskOffer | AskResign | AskHint
"""A press on the board of a match as it was at a ply."""

_AT_A_PLY: tuple[type[AtAPly], ...] = get_args(AtAPly)


def ply_shown(match_id: MatchId, ids: Collection[str]) -> int | None:
    """Return the ply of a match that a message with these custom ids shows, or FINAL.

    None means that the message is no board of the match. A final board is known by its button to
    analyse the match, or to play another.
    """
    if Analyse(match_id).custom_id in ids or NewGame(match_id).custom_id in ids:
        return FINAL
    parsed = (kind.parse(one) for one in ids for kind in _AT_A_PLY)
    return next((press.ply for press in parsed if press and press.match == match_id), None)


def ply_pressed(interaction: Interaction, match_id: MatchId) -> int | None:
    """Return the ply of a match that the pressed message shows, or FINAL; None if it shows none."""
    message = interaction.message
    return ply_shown(match_id, custom_ids(message)) if message else None


def board_pressed(interaction: Interaction, press: AtAPly) -> PressedBoard:
    """Return the board that a member has seen and pressed.

    The board's ply is read from the press, since the message may have been edited by now. But if
    the message shows a final board, the ply is FINAL.
    """
    ply = FINAL if ply_pressed(interaction, press.match) == FINAL else press.ply
    private = private_message(interaction) is not None
    channel_id = place_of(interaction).channel_id
    return PressedBoard(channel_id, pressed_message(interaction), ply, private)
