"""The rules of invitations: which answers an invitation refuses, and from whom."""

from dataclasses import replace

import pytest

from bot.identity import Person
from bot.invitations import seating
from bot.invitations.model import Guest, Invitation, InvitationStatus, Verb
from bot.refusals import Refusal
from core.engine.levels import Level
from core.games import GAMES
from tests.bot.inviting import PEOPLE, new_challenge, stored

_, ALICE, BOB, CAROL, DAVE = PEOPLE
CHALLENGE = stored(new_challenge())
OF_THREE = replace(
    CHALLENGE,
    game=GAMES["tribolo"],
    options=GAMES["tribolo"].resolve({}),
    seats=(Guest(ALICE), Guest(BOB), Guest(CAROL, agreed=False)),
)
TABLE = replace(OF_THREE, seats=(Guest(ALICE), Guest(BOB), None), fill_level=Level.EASY)
KEPT = replace(TABLE, seats=(Guest(ALICE), Guest(BOB, agreed=False), None))
FULL = replace(TABLE, seats=(Guest(ALICE), Guest(BOB, agreed=False), Guest(DAVE)))


@pytest.mark.parametrize(
    ("invitation", "people", "verbs", "reason"),
    [
        (CHALLENGE, [ALICE], [Verb.ACCEPT, Verb.DECLINE, Verb.JOIN, Verb.START], "own_challenge"),
        (CHALLENGE, [CAROL], [Verb.ACCEPT, Verb.DECLINE, Verb.JOIN, Verb.LEAVE], "not_challenged"),
        (CHALLENGE, [BOB, CAROL], [Verb.WITHDRAW], "not_challenger"),
        (CHALLENGE, [BOB, CAROL], [Verb.START], "not_challenged"),
        (OF_THREE, [BOB], [Verb.ACCEPT, Verb.JOIN], "agreed_already"),
        (TABLE, [ALICE, BOB], [Verb.JOIN, Verb.ACCEPT], "joined_already"),
        (FULL, [DAVE], [Verb.JOIN, Verb.ACCEPT], "joined_already"),
        (KEPT, [ALICE], [Verb.JOIN, Verb.ACCEPT, Verb.DECLINE], "joined_already"),
        (TABLE, [CAROL], [Verb.LEAVE], "not_at_table"),
        (TABLE, [CAROL], [Verb.ACCEPT, Verb.DECLINE], "nobody_asked"),
        (TABLE, [BOB, CAROL], [Verb.START], "not_owner_start"),
        (TABLE, [BOB], [Verb.WITHDRAW], "not_owner_close"),
        (TABLE, [CAROL], [Verb.WITHDRAW], "not_owner_close.stranger"),
        (KEPT, [BOB], [Verb.WITHDRAW], "not_owner_close.stranger"),
        (KEPT, [ALICE], [Verb.START], "still_asked"),
        (FULL, [CAROL], [Verb.JOIN, Verb.LEAVE], "table_full"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_refused_answers(
    invitation: Invitation, people: list[Person], verbs: list[Verb], reason: str
) -> None:
    """Each has its own reason, also those answers that only a command can give."""
    for person in people:
        for verb in verbs:
            with pytest.raises(Refusal, match=rf"refusal\.{reason}$"):
                seating.answered(invitation, verb, person)


def test_a_challenger_who_leaves_takes_the_challenge_back() -> None:
    """Members who have agreed don't inherit a challenge, as they would inherit a table."""
    left = seating.answered(OF_THREE, Verb.LEAVE, ALICE)
    assert left == replace(OF_THREE, status=InvitationStatus.WITHDRAWN)


def test_a_named_member_has_a_reserved_seat() -> None:
    """Join accepts the reserved seat, and Decline or Leave opens it to everyone."""
    joined = seating.answered(KEPT, Verb.JOIN, BOB)
    assert joined.seats == (Guest(ALICE), Guest(BOB), None)
    for invitation in (KEPT, joined):
        for verb in (Verb.DECLINE, Verb.LEAVE):
            assert seating.answered(invitation, verb, BOB).seats == (Guest(ALICE), None, None)


def test_a_challenged_member_may_leave() -> None:
    """It declines the challenge, as joining accepts it: only a command can say so."""
    left = seating.answered(CHALLENGE, Verb.LEAVE, BOB)
    assert left == replace(CHALLENGE, status=InvitationStatus.DECLINED)
