"""Refusals of requests. For reasons of the rules, the core raises errors of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bot.forms import Form
from bot.identity import ChannelId, MemberId, MessageId, Person, Place, Posted, TournamentId
from core.errors import GameError
from core.match import Match

Value: TypeAlias = str | int | Person | tuple[int, ...] | tuple[str, ...]


class Board(Protocol):
    """A match, and the message that shows it."""

    @property
    def match(self) -> Match:
        """The match as it stands."""

    @property
    def names(self) -> Sequence[str | None]:
        """The players' names by seat, not escaped; None for the computer."""

    @property
    def place(self) -> Place:
        """Where the match is played."""

    @property
    def forms(self) -> Mapping[MemberId, Form]:
        """The forms of boards that the players, or their server, have chosen."""

    @property
    def board_id(self) -> MessageId | None:
        """The message that shows the match; None while none is known."""

    @property
    def archived(self) -> bool:
        """Whether the match holds no channel until somebody brings it back."""

    @property
    def tournament_id(self) -> TournamentId | None:
        """The tournament to which the match belongs, if it belongs to one."""


class Refusal(Exception):
    """A request that isn't carried out; only the asker is told the `reason`.

    `reason` is an error of the core, or a key of the catalogue whose text is filled with `values`.
    Strings among the values are shortened and escaped when they are shown, because members may have
    written them. A Person may be a former member, who has no name. A tuple holds ids of channels,
    or words to be listed.

    The answer links to `board` if there is one, or to the message `see`. `puzzle` is the board of a
    puzzle on which a move was refused; no message of the channel shows it. The answer names the
    `permissions` that the bot lacks, and lists the matches that the asker is `playing` elsewhere.
    """

    def __init__(
        self,
        reason: str | GameError,
        board: Board | None = None,
        *,
        see: Posted | None = None,
        puzzle: Match | None = None,
        permissions: Sequence[str] = (),
        **values: Value,
    ):
        super().__init__(str(reason))
        self.reason = reason
        self.board = board
        self.see = see
        self.puzzle = puzzle
        self.permissions = permissions
        self.playing: Sequence[Board] = ()
        self.values = values

    @property
    def match(self) -> Match | None:
        """The match or the puzzle on whose board something was refused."""
        return self.board.match if self.board else self.puzzle


@dataclass(frozen=True, slots=True)
class Alternatives:
    """The ways to go on after a refusal, as far as they depend on the place.

    If the server has chosen `game_channels`, the answer sends the asker to no others. If it would
    send them to `/play`, but `/play` is refused here too, by `play_refused`, it suggests the same
    as that refusal. If the asker `may_archive` the match on the board, they can do so to play
    another one here.
    """

    game_channels: Sequence[ChannelId] = ()
    play_refused: Refusal | None = None
    may_archive: bool = False


NO_ALTERNATIVES = Alternatives()


def reason_of(refusal: Refusal) -> str:
    """Return why something was refused: a key of the catalogue, or the name of a core's error."""
    reason = refusal.reason
    return reason if isinstance(reason, str) else type(reason).__name__
