"""The live matches of a server, and the results of `/endgame`, as values."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.gateway.components import PageNumber, Press
from bot.identity import MatchId, MessageId, Place
from bot.matches.model import StoredMatch


@dataclass(frozen=True)
class CalledOff:
    """The match and the challenges of a channel that a moderator has ended, with the newest board.

    `challenges` is the number of challenges and open tables that were ended, `challenge_messages`
    are their messages, as far as these are known. `stored` is the ended match, None if it isn't
    read yet, or can't be.
    """

    match_id: MatchId | None
    board_id: MessageId | None
    challenges: int
    challenge_messages: tuple[MessageId, ...]
    stored: StoredMatch | None = None


@dataclass(frozen=True)
class ListedMatch:
    """A live match that `started_at` a moment in Unix seconds.

    `stored` is None if it isn't read yet, or can't be.
    """

    id: MatchId
    place: Place
    board_id: MessageId | None
    started_at: int
    stored: StoredMatch | None = None


@dataclass(frozen=True)
class GamesPage:
    """A page, from 0, of a server's live matches, the oldest first."""

    listed: Sequence[ListedMatch]
    number: int
    pages: int


class TurnGames(Press, tag="n"):
    """Show a page of a server's live matches, from 0."""

    number: PageNumber
