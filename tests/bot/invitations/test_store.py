"""Invitations in the database: one open per member, changed in order, found by members' seats."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Select, update

from bot.db.database import Database
from bot.db.errors import ChangedError, CorruptRowError
from bot.db.tables import invitation_seats, invitations
from bot.identity import ChannelId, InvitationId, MemberId, MessageId, Place, Posted, ServerId
from bot.invitations.model import Guest, Holder, InvitationStatus
from bot.invitations.store import (
    _WITH_SEAT,
    _WITH_SEAT_ON_SERVER,
    AlreadyOpenError,
    InvitationStore,
)
from bot.matches.model import Waiting
from core.engine.levels import Level
from core.players import Computer
from tests.bot.inviting import LAPSES, PEOPLE, closed, hears, new_challenge
from tests.bot.planning import planned
from tests.bot.playing import HERE, NOW, ON_SQLITE, SERVER, both


@pytest.mark.parametrize(
    ("seats", "fill_level"),
    [
        ((Guest(PEOPLE[1]), Guest(PEOPLE[2], agreed=False)), None),
        ((Guest(PEOPLE[2], agreed=False), Guest(PEOPLE[1])), None),
        ((Guest(PEOPLE[1]), None), Level.EASY),
        ((Computer(Level.HARD), Guest(PEOPLE[1])), None),
    ],
    ids=str,
)
async def test_an_invitation_round_trips(
    invitation_store: InvitationStore, seats: tuple[Holder, ...], fill_level: Level | None
) -> None:
    """Place, game, options, owner, seats, level, status, message and time are restored."""
    made = await invitation_store.create(
        new_challenge(seats=seats, fill_level=fill_level), NOW, LAPSES
    )
    message_id = MessageId(2**62)
    await invitation_store.note_posted(made.id, message_id)
    posted = replace(made, message_id=message_id)
    assert await invitation_store.load(made.id) == posted
    assert await invitation_store.open_in(HERE.channel_id) == [posted]


async def test_open_invitations_with_a_seat_for_a_member(invitation_store: InvitationStore) -> None:
    """They are those of a server, or of all places: the first to run out first, and none closed."""
    late = await invitation_store.create(new_challenge(), NOW, LAPSES + 60)
    soon = await invitation_store.create(new_challenge(place=_at(21)), NOW, LAPSES)
    other = await invitation_store.create(new_challenge(place=_at(22, server_id=None)), NOW, LAPSES)
    gone = await invitation_store.create(new_challenge(place=_at(23)), NOW, LAPSES)
    await invitation_store.change(gone, closed(gone, InvitationStatus.DECLINED))
    for member in (1, 2):
        here = await invitation_store.with_seat(MemberId(member), SERVER, NOW)
        assert here == [soon, late]
    anywhere = await invitation_store.with_seat(MemberId(1), None, NOW)
    assert anywhere == [soon, other, late]
    assert await invitation_store.with_seat(MemberId(1), SERVER, LAPSES) == [late]
    assert await invitation_store.with_seat(MemberId(3), None, NOW) == []


def _at(channel_id: int, server_id: ServerId | None = SERVER) -> Place:
    return replace(HERE, channel_id=ChannelId(channel_id), server_id=server_id)


@pytest.mark.parametrize("statement", [_WITH_SEAT, _WITH_SEAT_ON_SERVER], ids=["all", "here"])
async def test_invitations_are_found_by_their_seats(
    database: Database, invitation_store: InvitationStore, statement: Select[Any]
) -> None:
    """However many invitations are open, the database only looks at the member's."""
    made = await invitation_store.create(new_challenge(), NOW, LAPSES)
    steps = await planned(
        database,
        statement.params(member=1, server_id=SERVER, now=NOW),
        invitations,
        lambda n: {"id": made.id + n, "channel_id": HERE.channel_id + n},
    )
    assert any("ix_invitation_seats_user" in step for step in steps), steps
    scans = ("SCAN invitations", "Seq Scan on invitations")
    assert not any(scan in step for step in steps for scan in scans), steps


async def test_a_seat_goes_to_one(invitation_store: InvitationStore) -> None:
    """Of two simultaneous joins for the last seat one succeeds, and the other changes nothing."""
    table = new_challenge(seats=(Guest(PEOPLE[1]), None), fill_level=Level.EASY)
    made = await invitation_store.create(table, NOW, LAPSES)
    wishes = [replace(made, seats=(made.seats[0], Guest(PEOPLE[who]))) for who in (2, 3)]
    first, second = await both(*(invitation_store.change(made, wish) for wish in wishes))
    assert isinstance(second, ChangedError)
    assert await invitation_store.load(made.id) == first


async def test_leaving_and_rejoining_invalidates_earlier_reads(
    invitation_store: InvitationStore,
) -> None:
    """A change based on an older read fails, even if the table looks the same again."""
    table = new_challenge(seats=(Guest(PEOPLE[1]), None), fill_level=Level.EASY)
    made = await invitation_store.create(table, NOW, LAPSES)
    joined = await invitation_store.change(
        made, replace(made, seats=(made.seats[0], Guest(PEOPLE[2])))
    )
    left = await invitation_store.change(joined, replace(joined, seats=made.seats))
    assert replace(left, revision=0) == made
    with pytest.raises(ChangedError):
        await invitation_store.change(made, closed(made, InvitationStatus.LAPSED))


async def test_missing_rows_are_none(invitation_store: InvitationStore) -> None:
    """An unknown challenge, and a member without an open one, are None."""
    assert await invitation_store.load(InvitationId(1)) is None
    assert await invitation_store.open_in(HERE.channel_id) == []
    assert await invitation_store.expired(LAPSES, hears) == []


async def test_one_open_challenge_per_member(invitation_store: InvitationStore) -> None:
    """Of a member's two simultaneous challenges in a channel the database accepts one."""
    first, second = await both(
        invitation_store.create(new_challenge(1, 2), NOW, LAPSES),
        invitation_store.create(new_challenge(1, 3), NOW, LAPSES),
    )
    assert isinstance(second, AlreadyOpenError)
    assert await invitation_store.open_in(HERE.channel_id) == [first]


async def test_others_may_challenge_too(invitation_store: InvitationStore) -> None:
    """Other members, and the same member in another channel, have open challenges of their own."""
    elsewhere = replace(HERE, channel_id=ChannelId(21))
    made = [
        await invitation_store.create(offered, NOW, LAPSES)
        for offered in (
            new_challenge(1, 2),
            new_challenge(2, 1),
            new_challenge(1, 2, place=elsewhere),
        )
    ]
    assert len({each.id for each in made}) == 3


async def test_a_closed_challenge_makes_room(invitation_store: InvitationStore) -> None:
    """After any outcome of the last challenge its challenger may make another."""
    for status in {*InvitationStatus} - {InvitationStatus.OPEN}:
        made = await invitation_store.create(new_challenge(), NOW, LAPSES)
        ended = await invitation_store.change(made, closed(made, status))
        assert ended == replace(made, status=status, revision=1)
        assert await invitation_store.load(made.id) == ended
        assert await invitation_store.open_in(HERE.channel_id) == []
    await invitation_store.create(new_challenge(), NOW, LAPSES)


async def test_expired_challenges_are_listed(invitation_store: InvitationStore) -> None:
    """A challenge is listed from its last second on, while it is open."""
    made = await invitation_store.create(new_challenge(1, 2), NOW, LAPSES)
    await invitation_store.create(new_challenge(2, 1), NOW, LAPSES + 1)
    answered = await invitation_store.create(new_challenge(3, 4), NOW, LAPSES)
    await invitation_store.change(answered, closed(answered, InvitationStatus.DECLINED))
    assert await invitation_store.expired(LAPSES - 1, hears) == []
    assert await invitation_store.expired(LAPSES, hears) == [made]


async def test_a_hundred_expired_ones_at_once(invitation_store: InvitationStore) -> None:
    """Those that are due longest come first; the ones on other shards keep none waiting."""
    unheard = ServerId(SERVER + 1)
    for number in range(202):
        place = _at(number, unheard if number < 101 else SERVER)
        await invitation_store.create(new_challenge(place=place), NOW, LAPSES - number)
    found = await invitation_store.expired(LAPSES, lambda server_id: server_id != unheard)
    assert {one.place.channel_id for one in found} == {*range(102, 202)}


async def test_the_newest_that_a_channel_waits_for(invitation_store: InvitationStore) -> None:
    """It is found with its owner, kind and place; one that is over or elsewhere isn't."""
    assert await invitation_store.waiting(HERE.channel_id, NOW) is None
    await invitation_store.create(new_challenge(1, 2), NOW, LAPSES)
    seats = (Guest(PEOPLE[2]), None)
    made = await invitation_store.create(
        new_challenge(2, seats=seats, fill_level=Level.EASY), NOW, LAPSES + 60
    )
    elsewhere = replace(HERE, channel_id=ChannelId(21))
    await invitation_store.create(new_challenge(3, 1, place=elsewhere), NOW, LAPSES)
    newest = Waiting("Bob", None, has_free_seat=True)
    assert await invitation_store.waiting(HERE.channel_id, NOW) == newest
    await invitation_store.note_posted(made.id, MessageId(7))
    newest = replace(newest, shown=Posted(HERE, MessageId(7)))
    assert await invitation_store.waiting(HERE.channel_id, LAPSES) == newest
    await invitation_store.change(made, closed(made, InvitationStatus.DECLINED))
    older = Waiting("Alice", None, has_free_seat=False)
    assert await invitation_store.waiting(HERE.channel_id, NOW) == older
    assert await invitation_store.waiting(HERE.channel_id, LAPSES) is None


async def test_a_table_is_handed_on(invitation_store: InvitationStore) -> None:
    """The new owner is stored, unless they already have an open table in the channel."""
    made = await invitation_store.create(new_challenge(1, 2), NOW, LAPSES)
    handed = await invitation_store.change(made, replace(made, owner=PEOPLE[2]))
    assert handed.owner == PEOPLE[2]
    assert await invitation_store.load(made.id) == handed
    other = await invitation_store.create(new_challenge(1, 3), NOW, LAPSES)
    with pytest.raises(AlreadyOpenError):
        await invitation_store.change(other, replace(other, owner=PEOPLE[2]))
    assert await invitation_store.load(other.id) == other


@pytest.mark.parametrize(
    "values",
    [
        {"game": "chess"},
        {"options": "{"},
        {"options": "[]"},
        {"options": '{"rows": 99}'},
        {"options": '{"colour": "red"}'},
        {"status": "forgotten"},
        {"fill_level": "godlike"},
    ],
    ids=str,
)
@ON_SQLITE
async def test_corrupt_challenges_are_named(
    database: Database, invitation_store: InvitationStore, values: dict[str, Any]
) -> None:
    """A malformed row raises CorruptRowError with its number, and no other error."""
    made = await invitation_store.create(new_challenge(), NOW, LAPSES)
    async with database.begin() as connection:
        await connection.execute(update(invitations).values(values))
    with pytest.raises(CorruptRowError, match=f"invitation {made.id}"):
        await invitation_store.load(made.id)


@pytest.mark.parametrize(
    "values", [{"level": "godlike", "user_id": None}, {"name": None}, {"seat": 7}], ids=str
)
@ON_SQLITE
async def test_corrupt_seats_are_named(
    database: Database, invitation_store: InvitationStore, values: dict[str, Any]
) -> None:
    """An impossible seat, or a missing one, raises CorruptRowError too."""
    made = await invitation_store.create(new_challenge(), NOW, LAPSES)
    spoil = update(invitation_seats).where(invitation_seats.c.seat == 1).values(values)
    async with database.begin() as connection:
        await connection.execute(spoil)
    with pytest.raises(CorruptRowError, match=f"invitation {made.id}"):
        await invitation_store.load(made.id)
