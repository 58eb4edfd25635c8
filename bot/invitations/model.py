"""An invitation as a value: a match that waits for its players. And the presses around it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from bot.forms import Form
from bot.gateway.components import Key, MemberIds, Press
from bot.identity import InvitationId, MatchId, MemberId, MessageId, Person, Place, Posted
from bot.matches.in_threads import Planned
from bot.matches.model import NewMatch
from bot.matches.presses import GameKey, TakeOver, Way
from core.engine.levels import Level
from core.game import Game
from core.match import Match
from core.options import Options
from core.players import Computer, Member, Player


class First(StrEnum):
    """Who takes the first seat of a new match."""

    ME = "me"
    OPPONENT = "opponent"
    RANDOM = "random"


class InvitationStatus(StrEnum):
    """Whether an invitation is open, or how it ended."""

    OPEN = "open"
    BEGUN = "begun"
    MOVED = "moved"  # begun in a thread
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LEFT = "left"  # a table whose owner has left it, or the server
    LAPSED = "lapsed"
    CALLED_OFF = "called_off"  # by a moderator


@dataclass(frozen=True)
class Guest:
    """A member for whom a seat is kept, and whether they have `agreed` to take it."""

    person: Person
    agreed: bool = True


Holder: TypeAlias = Guest | Computer | None
"""The holder of a seat; None for an open seat, which the first member to join takes."""


@dataclass(frozen=True, kw_only=True)
class NewInvitation:
    """A match that is to wait for its players: a challenge, or an open table.

    When the owner starts the match, the computer takes the open seats at `fill_level`; None for a
    challenge, which has no open seats. `clock` is the match's, in seconds, None for none.
    """

    place: Place
    game: Game
    options: Options
    owner: Person
    seats: tuple[Holder, ...]
    fill_level: Level | None = None
    clock: int | None = None

    @property
    def complete(self) -> bool:
        """Whether the match can begin: no seat is open, and everybody has agreed."""
        return not self.asked and None not in self.seats

    @property
    def is_table(self) -> bool:
        """Whether this is an open table, with seats for any member, rather than a challenge."""
        return self.fill_level is not None

    @property
    def asked(self) -> tuple[Person, ...]:
        """The members who have not answered yet."""
        guests = (seat for seat in self.seats if isinstance(seat, Guest))
        return tuple(guest.person for guest in guests if not guest.agreed)

    @property
    def opponents(self) -> tuple[Person, ...]:
        """The members for whom seats are kept, without the owner, agreed or not."""
        people = (seat.person for seat in self.seats if isinstance(seat, Guest))
        return tuple(person for person in people if person.id != self.owner.id)

    @property
    def players(self) -> list[Player]:
        """Who holds the seats, without the open ones."""
        return [
            Member(seat.person.id) if isinstance(seat, Guest) else seat
            for seat in self.seats
            if seat is not None
        ]

    @property
    def terms(self) -> tuple[object, ...]:
        """The channel, game, options, clock and players, without who goes first."""
        return self.place.channel_id, self.game, self.options, self.clock, Counter(self.players)

    @property
    def planned(self) -> Planned:
        """The match, for a thread."""
        names = [person.name for person in (self.owner, *self.opponents)]
        return Planned(self.game, self.options, names, self.clock)

    def new_match(self, match: Match) -> NewMatch:
        """Return the `match` of those who hold the seats."""
        names = [seat.person.name if isinstance(seat, Guest) else None for seat in self.seats]
        return NewMatch(self.place, match, names, clock=self.clock)


@dataclass(frozen=True, kw_only=True)
class Invitation(NewInvitation):
    """An invitation as the database holds it; its match begins when every seat is taken.

    `created_at` and `expires_at` are in Unix seconds. `revision` counts the changes. `forms` are
    the forms of boards that members at its seats have chosen. `language` is the locale for the
    whole channel, None if it isn't known.
    """

    id: InvitationId
    created_at: int
    expires_at: int
    status: InvitationStatus = InvitationStatus.OPEN
    message_id: MessageId | None = None
    revision: int = 0
    forms: Mapping[MemberId, Form] = field(default_factory=dict, compare=False, repr=False)
    language: str | None = field(default=None, compare=False)

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered."""
        return self.status is InvitationStatus.OPEN

    @property
    def shown(self) -> Posted | None:
        """The message that shows it, None while none is known."""
        return Posted(self.place, self.message_id) if self.message_id else None

    @property
    def heirs(self) -> tuple[Person, ...]:
        """The guests who have taken a seat, in order from the seat after the owner's."""
        own = self.seat_of(self.owner.id) or 0
        after = (*self.seats[own + 1 :], *self.seats[:own])
        return tuple(seat.person for seat in after if isinstance(seat, Guest) and seat.agreed)

    def seat_of(self, member_id: MemberId) -> int | None:
        """Return the seat that is kept for a member, None if there is none."""
        for number, seat in enumerate(self.seats):
            if isinstance(seat, Guest) and seat.person.id == member_id:
                return number
        return None


class Verb(StrEnum):
    """An answer to an invitation."""

    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    JOIN = "join"
    LEAVE = "leave"
    START = "start"


AT_A_TABLE = (Verb.JOIN, Verb.LEAVE, Verb.START)
"""The answers for which only an open table has buttons, in their order there."""


class Reply(Press, tag="c"):
    """Answer a challenge; or join, leave, start or close an open table."""

    invitation: InvitationId
    verb: Verb


class ReplyInThread(Press, tag="c"):
    """Answer an invitation, so that its match begins in a new thread of the channel."""

    invitation: InvitationId
    verb: Verb
    action: Literal["thread"] = "thread"


class Challenge(Press, tag="d"):
    """Challenge `opponent` to the usual board of a game."""

    opponent: MemberId
    game: GameKey


@dataclass(frozen=True)
class Wished:
    """The fields of a press that hold a `Wish`, which writes and reads them."""

    game: GameKey
    options: Annotated[str, "[a-z0-9,-]{0,60}"]
    named: MemberIds
    level: Key
    first: First
    clock: Annotated[str, "[0-9]{0,7}"]
    seats: Literal["", "open"]

    @property
    def members(self) -> list[MemberId]:
        """The members with whom to play."""
        return [MemberId(int(word)) for word in self.named.split(",") if word]


class TakeOverFor(Wished, TakeOver, tag="t"):  # in its custom id, the wish comes last
    """Archive an idle match, and ask again for the match that was refused because of it."""


class PlayInThread(Wished, Press, tag="f"):
    """Ask again, in a new thread, for the match that was refused because of another one."""


class ChooseLevel(Press, tag="b"):
    """Play the usual board of a game against the computer at a level."""

    way: Literal[Way.COMPUTER]
    game: GameKey
    level: Level


class ChooseMember(Press, tag="b"):
    """Challenge a member; the game is asked for next."""

    way: Literal[Way.CHALLENGE]
    opponent: MemberId


class OtherLevel(Press, tag="g"):
    """Play the board of a finished match against the computer at another level."""

    match: MatchId
    level: Level
