"""A match that waits for its players, as a value: who has which seat."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.matches.model import Person, Place
from core.engine.levels import Level
from core.options import Options
from core.players import Computer, Member, Player


class InvitationStatus(StrEnum):
    """What became of an invitation."""

    OPEN = "open"
    BEGUN = "begun"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    CALLED_OFF = "called_off"  # by a moderator


@dataclass(frozen=True)
class Guest:
    """A member for whom a seat is kept; not `agreed`, they are still asked."""

    person: Person
    agreed: bool = True


# Who has a seat of an invitation; None: whoever sits down first.
Holder: TypeAlias = Guest | Computer | None


@dataclass(frozen=True)
class Invitation:
    """A match that begins when somebody who plays has every seat: a challenge, or an open table.

    `fill_level` is how the computer plays at open seats that the owner doesn't want to wait for;
    None for a challenge, which has no open seats. `expires_at` is in Unix seconds, `clock` that of
    the match. `revision` counts the changes.
    """

    place: Place
    game: str
    options: Options
    owner: Person
    seats: tuple[Holder, ...]
    id: int = 0  # until it is stored, and so is its time
    expires_at: int = 0
    fill_level: Level | None = None
    status: InvitationStatus = InvitationStatus.OPEN
    message_id: int | None = None
    clock: int | None = None
    revision: int = 0

    @property
    def is_table(self) -> bool:
        """Whether there are seats that any member may take, or were."""
        return self.fill_level is not None

    @property
    def asked(self) -> tuple[Person, ...]:
        """The members who have not answered yet."""
        guests = (seat for seat in self.seats if isinstance(seat, Guest))
        return tuple(guest.person for guest in guests if not guest.agreed)

    @property
    def opponents(self) -> tuple[Person, ...]:
        """The members at the other seats than the owner's, whether or not they have agreed."""
        people = (seat.person for seat in self.seats if isinstance(seat, Guest))
        return tuple(person for person in people if person.id != self.owner.id)

    @property
    def complete(self) -> bool:
        """Whether nobody is missing any more."""
        return None not in self.seats and not self.asked

    def seat_of(self, member_id: int) -> int | None:
        """Return the seat that is kept for a member, None where none is."""
        for number, seat in enumerate(self.seats):
            if isinstance(seat, Guest) and seat.person.id == member_id:
                return number
        return None

    @property
    def seating(self) -> list[tuple[Player, str | None]]:
        """The players of a complete invitation with their names, the computer's being None."""
        return [
            (Member(seat.person.id), seat.person.name) if isinstance(seat, Guest) else (seat, None)
            for seat in self.seats
            if seat is not None
        ]
