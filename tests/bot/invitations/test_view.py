"""Challenges and open tables as messages."""

from dataclasses import replace
from typing import Any

import pytest

from bot.identity import InvitationId, MemberId, Person
from bot.invitations.model import Guest, Invitation, InvitationStatus
from bot.invitations.view import invitation_view
from core.games import GAMES
from tests.bot.inviting import LAPSES
from tests.bot.playing import HERE, NOW

ALICE, BOB, CAROL = (Person(MemberId(n), name) for n, name in enumerate(("Alice", "Bob", "Carol")))
ASKED = Invitation(
    id=InvitationId(1),
    created_at=NOW,
    expires_at=LAPSES,
    place=HERE,
    game=GAMES["tribolo"],
    options=GAMES["tribolo"].resolve({}),
    owner=ALICE,
    seats=(Guest(ALICE), Guest(BOB, agreed=False), Guest(CAROL, agreed=False)),
    status=InvitationStatus.DECLINED,
)


@pytest.mark.parametrize(
    ("carol_agreed", "by", "told"),
    [
        (False, "Carol", "**Carol** declined **Alice**'s challenge: Tribolo."),
        (False, "", "**Alice**'s challenge to **Bob** and **Carol** was declined: Tribolo."),
        (True, "", "**Alice**'s challenge to **Bob** and **Carol** was declined: Tribolo."),
    ],
)
def test_a_challenge_names_the_member_who_declined_if_known(
    carol_agreed: bool, by: str, told: str
) -> None:
    """Otherwise it may be any of those who were asked: also one who had agreed, and left."""
    *others, _ = ASKED.seats
    seats = (*others, Guest(CAROL, agreed=carol_agreed))
    view: Any = invitation_view(replace(ASKED, seats=seats), by)
    assert [part["content"] for part in view.to_components()] == [told]
