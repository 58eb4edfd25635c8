"""Challenges as a service: who may answer, for how long, and what comes of it."""

from dataclasses import replace

import pytest

from bot.challenges import Challenges
from bot.errors import Refusal
from bot.matches import Matches
from bot.records import Challenge, ChallengeStatus, First, Person
from bot.storage.turns import ChannelTakenError
from core.games import GAMES
from core.match import Member
from tests.bot.playing import HERE, both
from tests.bot.serving import LIFETIME, SOLO, Clock, start
from tests.core.boards import ALICE, BOB, CAROL

ALICE_IS, BOB_IS = Person(1, "Alice"), Person(2, "Bob")


async def challenge(
    challenges: Challenges, first: First = First.ME, opponent: Person = BOB_IS
) -> Challenge:
    game = GAMES["tictactoe"]
    return await challenges.offer(HERE, game, {"rows": 4}, ALICE_IS, opponent, first)


@pytest.mark.parametrize(
    ("first", "players"), [(First.ME, (ALICE, BOB)), (First.OPPONENT, (BOB, ALICE))]
)
async def test_an_accepted_challenge_is_a_match(
    challenges: Challenges,
    matches: Matches,
    first: First,
    players: tuple[Member, ...],
) -> None:
    """The challenged member begins the match as it was offered."""
    made = await challenge(challenges, first)
    stored = await challenges.accept(made.id, BOB.id)
    assert stored == await matches.live(HERE.channel_id)
    assert stored.match.players == players
    assert stored.match.options == {"rows": 4, "columns": 4, "line": 4, "variant": "classic"}


async def test_only_the_right_member_answers(challenges: Challenges) -> None:
    """Accepting and declining is for the challenged, withdrawing for the challenger."""
    made = await challenge(challenges)
    for member, reason in ((ALICE, "own_challenge"), (CAROL, "not_challenged")):
        with pytest.raises(Refusal, match=reason):
            await challenges.accept(made.id, member.id)
        with pytest.raises(Refusal, match=reason):
            await challenges.decline(made.id, member.id)
    for member in (BOB, CAROL):
        with pytest.raises(Refusal, match="not_challenger"):
            await challenges.withdraw(made.id, member.id)
    assert (await challenges.withdraw(made.id, ALICE.id)).status is ChallengeStatus.WITHDRAWN
    for answer in (challenges.accept, challenges.decline):
        with pytest.raises(Refusal, match="challenge_gone"):
            await answer(made.id, BOB.id)


async def test_a_second_challenge_is_refused(challenges: Challenges) -> None:
    """A member with an open challenge in a channel is told whom it waits for."""
    await challenge(challenges)
    with pytest.raises(Refusal, match="challenge_open") as caught:
        await challenge(challenges, opponent=Person(3, "Carol"))
    assert caught.value.values == {"opponent": "Bob"}


async def test_a_challenge_lapses(challenges: Challenges, clock: Clock) -> None:
    """From its last second on a challenge can't be accepted; it is then listed once as lapsed."""
    made = await challenge(challenges)
    clock.now += LIFETIME - 1
    assert await challenges.lapse() == []
    clock.now += 1
    with pytest.raises(Refusal, match="challenge_lapsed"):
        await challenges.accept(made.id, BOB.id)
    assert await challenges.lapse() == [replace(made, status=ChallengeStatus.LAPSED)]
    assert await challenges.lapse() == []
    with pytest.raises(Refusal, match="challenge_gone"):
        await challenges.accept(made.id, BOB.id)


async def test_a_lapsed_challenge_makes_way(challenges: Challenges, clock: Clock) -> None:
    """A challenge whose time ran out stands in no way, also before it was cleared up."""
    made = await challenge(challenges)
    clock.now += LIFETIME
    first, second = await both(challenge(challenges), challenge(challenges))
    assert first.id != made.id
    assert isinstance(second, Refusal)
    assert await challenges.lapse() == [replace(made, status=ChallengeStatus.LAPSED)]


async def test_a_challenge_in_a_busy_channel(challenges: Challenges, matches: Matches) -> None:
    """Neither offering nor accepting happens beside a live match; accepting works after it."""
    made = await challenge(challenges)
    playing = await start(matches, SOLO)
    with pytest.raises(Refusal, match="channel_busy"):
        await challenge(challenges, opponent=Person(3, "Carol"))
    with pytest.raises(Refusal, match="channel_busy") as caught:
        await challenges.accept(made.id, BOB.id)
    assert caught.value.board == playing
    await matches.resign(playing, ALICE.id)
    assert (await challenges.accept(made.id, BOB.id)).match.players == (ALICE, BOB)


async def test_two_accepts_at_once(challenges: Challenges, matches: Matches) -> None:
    """A doubled press on Accept begins one match, and the second press is told so."""
    made = await challenge(challenges)
    first, second = await both(
        challenges.accept(made.id, BOB.id), challenges.accept(made.id, BOB.id)
    )
    assert isinstance(second, Refusal)
    assert not isinstance(second, ChannelTakenError)
    assert await matches.live(HERE.channel_id) == first


async def test_a_challenge_goes_on_with_the_series(
    challenges: Challenges, matches: Matches
) -> None:
    """An accepted challenge on the same settings counts on, like a rematch."""
    first = await challenges.accept((await challenge(challenges)).id, BOB.id)
    await matches.resign(first, ALICE.id)
    second = await challenges.accept((await challenge(challenges, First.OPPONENT)).id, BOB.id)
    assert second.series_id == first.id
