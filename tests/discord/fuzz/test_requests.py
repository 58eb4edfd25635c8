"""The faults that the fuzzers plan for the bot's requests."""

from collections import Counter
from itertools import cycle
from random import Random

import pytest

from tests.discord.elsewhere import DIRECT, Elsewhere
from tests.discord.world import DRAWN, World
from tests.fuzzing.requests import Requests


@pytest.fixture
def counts() -> Counter[str]:
    return Counter()


@pytest.fixture
def requests(world: World, counts: Counter[str], monkeypatch: pytest.MonkeyPatch) -> Requests:
    return Requests(world.env, Random(1), counts, monkeypatch)


@pytest.mark.parametrize("carried_out", [False, True])
async def test_the_bot_dies_at_a_request(
    world: World, requests: Requests, carried_out: bool
) -> None:
    """Discord reads that request only if it is `carried_out`, and reads nothing after it."""
    requests.kill_at(1, carried_out=carried_out)
    await world.alice.slash(world.channel, "play tictactoe")
    assert requests.dead and requests.deaths
    assert len(requests.asked) == len(world.boards()) == int(carried_out)
    asked = len(requests.asked)
    await world.bob.slash(world.channel, "help")
    assert len(requests.asked) == asked


async def test_requests_fail_by_kind(
    world: World, requests: Requests, counts: Counter[str]
) -> None:
    """As many as planned fail, and no others; the messages that they were about count as lost."""
    await world.challenge()
    boards = {world.last.id}
    requests.fail(1, "DELETE *")
    for who, square in ((world.alice, "a1"), (world.bob, "b1"), (world.alice, "a2")):
        await world.press(who, square)
        boards.add(world.last.id)
    (hit,) = requests.hit
    assert hit.startswith("DELETE ") and sum(counts.values()) == 1 and requests.failing
    assert len(requests.lost) == 1 and requests.lost < boards
    requests.clear()
    assert (requests.failing, requests.asked) == (False, [])


@pytest.mark.parametrize("elsewhere", [DIRECT], indirect=True)
async def test_a_reply_that_is_lost(world: World, elsewhere: Elsewhere, requests: Requests) -> None:
    """The message that the reply would name is in the channel, and the bot doesn't know it."""
    await world.challenge()
    requests.loses_answers = True
    for who, square in zip(cycle((world.alice, world.bob)), DRAWN.split(), strict=False):
        requests.fail(1, "POST /webhooks/*")
        await world.press(who, square)
        if requests.unheard:
            break
    assert requests.unheard and requests.unheard < {board.id for board in elsewhere.live()}


async def test_a_promise_whose_reply_is_lost(world: World, requests: Requests) -> None:
    """The bot doesn't know that it has promised the interaction an answer."""
    requests.loses_answers = True
    for _ in range(40):
        requests.fail(1, "POST /interactions/*")
        await world.alice.slash(world.channel, "help")
    assert set() < requests.unheard < set(world.env.backend.interactions)


async def test_discord_is_away(world: World, requests: Requests) -> None:
    """All requests fail until it is back."""
    requests.go_away()
    await world.alice.slash(world.channel, "help")
    assert requests.away and len(requests.hit) > 1 and not requests.asked
    requests.calm()
    await world.alice.slash(world.channel, "help")
    assert requests.asked


async def test_something_happens_in_the_middle_of_a_request(
    world: World, requests: Requests
) -> None:
    """It happens before Discord reads the request; only one such thing is planned at a time."""
    seen: list[int] = []
    requests.overtake(1, lambda: seen.append(len(requests.asked)))
    requests.overtake(1, lambda: seen.append(99))
    await world.alice.slash(world.channel, "help")
    assert seen == [0] and requests.asked
