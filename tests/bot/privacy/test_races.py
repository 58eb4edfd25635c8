"""Erasing a member while others act."""

import asyncio
from functools import partial
from random import Random

import pytest
from sqlalchemy import select

from bot.db.database import Database
from bot.db.tables import members, seats
from bot.identity import MemberId
from bot.invitations.store import InvitationStore
from bot.matches.model import NewMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.privacy.service import PrivacyService
from bot.privacy.store import PersonalStore
from bot.refusals import Refusal
from core.outcome import Ending, Termination
from tests.bot.inviting import LAPSES, accept, new_challenge
from tests.bot.meanwhile import meanwhile
from tests.bot.playing import ALICE_ID, BOB_ID, NOW, begin, create
from tests.bot.ratings.counting import begun, won
from tests.bot.ratings.test_pairs import FORCED
from tests.core.boards import ALICE, BOB, after


async def known(database: Database) -> set[MemberId | None]:
    """Return who has a seat or a name."""
    async with database.connect() as connection:
        return {
            *await connection.scalars(select(seats.c.user_id)),
            *await connection.scalars(select(members.c.user_id)),
        }


async def test_an_act_in_the_moment_of_an_erasure(
    store: MatchStore, matches: MatchService, privacy: PrivacyService
) -> None:
    """The erasure waits for it; a match that goes on is resigned, so nobody waits for a ghost."""
    for channel, ends in enumerate((False, True), start=1):
        begun = await create(store, channel_id=channel)
        async with matches.lock(begun.place.channel_id):
            erasing = asyncio.create_task(privacy.forget(BOB_ID))
            await asyncio.sleep(0.05)  # it waits for its turn
            if ends:
                await matches.resign(begun, ALICE_ID)
            else:
                await matches.play(begun.id, ALICE_ID, "b2")
        assert [one.match.ply for one in await erasing] == [1] * (not ends)
        after = await matches.get(begun.id)
        assert after.match.ending == Ending(Termination.RESIGNATION, 0 if ends else 1)
        assert after.names[1] is None


async def test_a_challenge_is_accepted_meanwhile(postgres_database: Database) -> None:
    """The match begins first, and the seat in it is erased."""
    store, personal = MatchStore(postgres_database), PersonalStore(postgres_database, Random(1))
    offered = await InvitationStore(postgres_database).create(new_challenge(), NOW, LAPSES)
    forget = partial(personal.forget, ALICE_ID)
    async with meanwhile(postgres_database, "UPDATE invitation_seats", forget):
        await accept(store, offered)
    assert ALICE_ID not in await known(postgres_database)


async def test_a_rematch_begins_meanwhile(postgres_database: Database) -> None:
    """The match begins first, and the seat in it is erased."""
    store, personal = MatchStore(postgres_database), PersonalStore(postgres_database, Random(1))
    over = await won(store, ALICE, BOB)
    again = NewMatch(over.place, begin(BOB, ALICE), ("Bob", "Alice"), over.series)
    forget = partial(personal.forget, ALICE_ID)
    async with meanwhile(postgres_database, "INSERT INTO matches", forget):
        await store.create(again, NOW, partial(store.insert_rematch, before=over))
    assert ALICE_ID not in await known(postgres_database)


@pytest.mark.parametrize("restarts", [True, False])
async def test_a_match_that_was_read_before(
    database: Database, store: MatchStore, starter: MatchStarter, restarts: bool
) -> None:
    """Nobody plays on with an erased member: the seat would have their id and name again."""
    read = await begun(store, begin()) if restarts else await won(store, ALICE, BOB)
    await PersonalStore(database, Random(1)).forget(ALICE_ID)
    with pytest.raises(Refusal, match="too_late" if restarts else "former_player"):
        await (starter.restart(read) if restarts else starter.rematch(read))
    assert ALICE_ID not in await known(database)


async def test_the_second_of_a_pair_ends_meanwhile(postgres_database: Database) -> None:
    """It also rates the first; the erasure, which waits for it, holds the seat in neither."""
    store, personal = MatchStore(postgres_database), PersonalStore(postgres_database, Random(1))
    moves = "b2 a1 b3 a2 b4"
    first = await begun(store, begin(options=FORCED))
    first = await store.save(first, after(first.match, moves), NOW)
    second = await begun(store, begin(BOB, ALICE, options=FORCED), series=first.series)
    forget = partial(personal.forget, ALICE_ID)
    async with meanwhile(postgres_database, "counting matches of", forget):
        over = await store.save(second, after(second.match, moves), NOW)
    assert over.entry.paired_with == first.id
    assert ALICE_ID not in await known(postgres_database)


async def test_two_who_have_challenged_each_other(postgres_database: Database) -> None:
    """Both are erased at once, one after the other."""
    personal, invitations = (
        PersonalStore(postgres_database, Random(1)),
        InvitationStore(postgres_database),
    )
    for one, other in ((1, 2), (2, 1)):
        await invitations.create(new_challenge(one, other), NOW, LAPSES)
    forget = partial(personal.forget, BOB_ID)
    async with meanwhile(postgres_database, "UPDATE invitation_seats", forget):
        await personal.forget(ALICE_ID)
