"""Limits of costly requests."""

from contextlib import suppress

import pytest

from bot.gateway.limits import Kind, Limits
from bot.identity import MemberId
from bot.refusals import Refusal
from tests.bot.playing import ALICE_ID, BOB_ID
from tests.bot.serving import Clock


def use_up(limits: Limits, kind: Kind, member_id: MemberId) -> None:
    """Make requests until one is refused."""
    for _ in range(100):
        limits.count(kind, member_id)


def test_one_of_a_kind_at_a_time() -> None:
    """A member's second request of a kind is refused until the first has ended, however it ends."""
    limits = Limits(Clock())
    with suppress(ZeroDivisionError), limits.one_at_a_time(Kind.HINT, ALICE_ID):
        with pytest.raises(Refusal, match=r"refusal\.one_at_a_time"):
            limits.one_at_a_time(Kind.HINT, ALICE_ID).__enter__()
        with limits.one_at_a_time(Kind.HINT, BOB_ID), limits.one_at_a_time(Kind.EXPORT, ALICE_ID):
            pass
        raise ZeroDivisionError
    with limits.one_at_a_time(Kind.HINT, ALICE_ID):
        pass


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_has_its_own_pace(kind: Kind) -> None:
    """After a few requests the next is refused until the time that is told; others' aren't."""
    clock = Clock()
    limits, begun = Limits(clock), clock.now
    with pytest.raises(Refusal, match=r"refusal\.cooldown") as refused:
        use_up(limits, kind, ALICE_ID)
    moment = refused.value.values["moment"]
    assert isinstance(moment, int)
    assert begun < moment <= begun + 301
    for other in Kind:
        limits.count(other, BOB_ID)
    clock.now = moment - 1
    with pytest.raises(Refusal):
        limits.count(kind, ALICE_ID)
    clock.now = moment
    limits.count(kind, ALICE_ID)


def test_what_others_end_is_counted_but_never_refused() -> None:
    """However often it happens, the next request has to wait only until the time that is told."""
    clock = Clock()
    limits, begun = Limits(clock), clock.now
    for _ in range(5):
        limits.check(Kind.ASKING, ALICE_ID)
        limits.spend(Kind.ASKING, ALICE_ID)
    clock.now += 200
    for _ in range(10):
        limits.spend(Kind.ASKING, ALICE_ID)
    with pytest.raises(Refusal, match=r"refusal\.cooldown") as refused:
        limits.check(Kind.ASKING, ALICE_ID)
    assert refused.value.values["moment"] == begun + 301
    limits.check(Kind.ASKING, BOB_ID)
    clock.now = begun + 301
    limits.check(Kind.ASKING, ALICE_ID)
