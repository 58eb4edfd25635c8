"""Old invitations are erased, on both engines."""

from itertools import product

import pytest
from sqlalchemy import select

from bot.db.database import Database
from bot.db.tables import invitation_seats
from bot.identity import ChannelId, InvitationId, Place
from bot.invitations.model import InvitationStatus
from bot.invitations.store import InvitationStore
from bot.privacy.service import PrivacyService
from bot.privacy.store import members as member_store
from bot.times import DAY
from tests.bot.inviting import LAPSES, closed, new_challenge
from tests.bot.playing import NOW
from tests.bot.serving import Clock

MONTH = 30 * DAY


async def test_closed_invitations_are_erased_after_a_month(
    database: Database,
    invitation_store: InvitationStore,
    privacy: PrivacyService,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However they ended, batch by batch, with their seats; open and recent ones stay."""
    monkeypatch.setattr(member_store, "_BATCH", 2)
    kept = list[InvitationId]()
    cases = list(product(InvitationStatus, (0, 1)))
    for number, (status, late) in enumerate(cases):
        place = Place(None, ChannelId(number))
        made = await invitation_store.create(new_challenge(place=place), NOW, LAPSES + late)
        if status is not InvitationStatus.OPEN:
            made = await invitation_store.change(made, closed(made, status))
        if late or status is InvitationStatus.OPEN:
            kept.append(made.id)
    clock.now = LAPSES + MONTH + 1
    await privacy.erase_invitations()
    async with database.connect() as connection:
        seated = await connection.execute(select(invitation_seats.c.invitation_id).distinct())
        assert sorted(seated.scalars()) == sorted(kept)
    for number in range(1, len(cases) + 1):
        found = await invitation_store.load(InvitationId(number))
        assert (found is not None) == (number in kept)
