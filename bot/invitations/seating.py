"""Taking and giving up seats: the rules of invitations.

Each function returns the changed invitation, or raises Refusal if the member may not do this.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from bot.identity import MemberId, Person
from bot.invitations.model import Guest, Holder, Invitation, InvitationStatus, Verb
from bot.refusals import Refusal
from core.players import Computer


def answered(
    invitation: Invitation, verb: Verb, person: Person, absent: Collection[MemberId] = ()
) -> Invitation:
    """Return the invitation after a member's answer, without those who have left the server.

    If none of those at a table is left, it has closed, whatever the answer.
    """
    invitation = _without(invitation, absent)
    if not invitation.is_open:
        return invitation
    match verb:
        case Verb.ACCEPT:
            return _accept(invitation, person.id)
        case Verb.DECLINE:
            return _decline(invitation, person.id)
        case Verb.JOIN:
            return _join(invitation, person)
        case Verb.LEAVE:
            return _leave(invitation, person.id)
        case Verb.START:
            return _fill(invitation, person.id)
        case Verb.WITHDRAW:
            return _withdraw(invitation, person.id)


def _without(invitation: Invitation, absent: Collection[MemberId]) -> Invitation:
    """Return a table that those who are `absent` have left.

    Raises Refusal if one of these has agreed to a challenge, or sent it.
    """
    for person in (invitation.owner, *invitation.heirs):
        if person.id not in absent:
            continue
        if not invitation.is_table:
            raise Refusal("refusal.player_gone", player=person.name)
        invitation = _leave(invitation, person.id)
    return invitation


def _accept(invitation: Invitation, member_id: MemberId) -> Invitation:
    """Let a member take the seat that is kept for them."""
    seat = _asked_seat(invitation, member_id)
    person = next((asked for asked in invitation.asked if asked.id == member_id), None)
    if person is None and invitation.is_table:
        raise Refusal("refusal.joined_already")
    if person is None:
        raise Refusal("refusal.agreed_already", members=_names(invitation.asked))
    return _seated(invitation, seat, Guest(person))


def _decline(invitation: Invitation, member_id: MemberId) -> Invitation:
    """Let a member give up the seat that is kept for them; this ends a challenge."""
    seat = _asked_seat(invitation, member_id)
    if invitation.is_table:
        return _seated(invitation, seat, None)
    return replace(invitation, status=InvitationStatus.DECLINED)


def _join(invitation: Invitation, person: Person) -> Invitation:
    """Let a member take an open seat of a table, or the seat that is kept for them."""
    if not invitation.is_table:
        return _accept(invitation, person.id)
    seat = invitation.seat_of(person.id)
    if seat is not None:
        if person.id in _ids(invitation.asked):
            return _accept(invitation, person.id)
        raise Refusal("refusal.joined_already")
    if None not in invitation.seats:
        raise Refusal("refusal.table_full", owner=invitation.owner.name)
    return _seated(invitation, invitation.seats.index(None), Guest(person))


def _leave(invitation: Invitation, member_id: MemberId) -> Invitation:
    """Let a member leave a table, or give up the seat that is kept for them.

    If the owner leaves, the next guest who has taken a seat owns the table. If there is none, it
    closes.
    """
    if member_id == invitation.owner.id:
        return _handed_on(invitation)
    if invitation.is_table and invitation.seat_of(member_id) is None:
        if None in invitation.seats:
            raise Refusal("refusal.not_at_table")
        raise Refusal("refusal.table_full", owner=invitation.owner.name)
    return _decline(invitation, member_id)


def _handed_on(invitation: Invitation) -> Invitation:
    """Return a table whose owner has left."""
    seat = invitation.seat_of(invitation.owner.id)
    heirs = invitation.heirs
    if not invitation.is_table:
        return _withdraw(invitation, invitation.owner.id)
    if seat is None or not heirs:
        return abandoned(invitation)
    return replace(_seated(invitation, seat, None), owner=heirs[0])


def abandoned(table: Invitation) -> Invitation:
    """Return a table whose owner has left, and which nobody can own after them."""
    return replace(table, status=InvitationStatus.LEFT)


def _fill(invitation: Invitation, member_id: MemberId) -> Invitation:
    """Let the owner give the open seats of a table to the computer."""
    owns = member_id == invitation.owner.id
    if invitation.fill_level is None:
        key = "refusal.own_challenge" if owns else "refusal.not_challenged"
        raise Refusal(key, members=_names(invitation.asked))
    if not owns:
        raise Refusal("refusal.not_owner_start", owner=invitation.owner.name)
    if invitation.asked:
        raise Refusal("refusal.still_asked", members=_names(invitation.asked))
    computer = Computer(invitation.fill_level)
    return replace(invitation, seats=tuple(seat or computer for seat in invitation.seats))


def _withdraw(invitation: Invitation, member_id: MemberId) -> Invitation:
    """Let the owner take the whole invitation back."""
    if member_id != invitation.owner.id:
        key = "refusal.not_challenger"
        if invitation.is_table:
            seated = member_id in _ids(invitation.heirs)
            key = "refusal.not_owner_close" if seated else "refusal.not_owner_close.stranger"
        raise Refusal(key, owner=invitation.owner.name)
    return replace(invitation, status=InvitationStatus.WITHDRAWN)


def _asked_seat(invitation: Invitation, member_id: MemberId) -> int:
    """Return the seat that the owner keeps for this member; raise Refusal if there is none."""
    seat = invitation.seat_of(member_id)
    if seat is not None and member_id != invitation.owner.id:
        return seat
    if seat is not None and invitation.is_table:
        raise Refusal("refusal.joined_already")
    if not invitation.asked:
        raise Refusal("refusal.nobody_asked")
    key = "refusal.not_challenged" if seat is None else "refusal.own_challenge"
    raise Refusal(key, members=_names(invitation.asked))


def _seated(invitation: Invitation, number: int, holder: Holder) -> Invitation:
    seats = (*invitation.seats[:number], holder, *invitation.seats[number + 1 :])
    return replace(invitation, seats=seats)


def _names(people: Iterable[Person]) -> tuple[str, ...]:
    return tuple(person.name for person in people)


def _ids(people: Iterable[Person]) -> set[MemberId]:
    return {person.id for person in people}
