"""Challenges in the database: one open each, answered once, beginning one match or none."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.records import Challenge, ChallengeStatus, Person, Series, StoredMatch
from bot.storage.challenges import AlreadyOpenError, ChallengeStore
from bot.storage.matches import MatchStore
from bot.storage.rows import CorruptRowError
from bot.storage.tables import challenges
from bot.storage.turns import ChangedError, ChannelTakenError
from core.games import GAMES
from core.match import Member
from tests.bot.playing import HERE, NAMES, NOW, begin, both

LAPSES = NOW + 900
_NEW = Series()


def challenge(challenger: int = 1, opponent: int = 2, **values: Any) -> Challenge:
    names = dict(enumerate(("nobody", "Alice", "Bob", "Carol", "Dave")))
    offered = Challenge(
        id=0,
        place=HERE,
        game="tictactoe",
        options=GAMES["tictactoe"].resolve({"rows": 4}),
        challenger=Person(challenger, names[challenger]),
        opponent=Person(opponent, names[opponent]),
        challenger_first=True,
        expires_at=LAPSES,
    )
    return replace(offered, **values)


async def accept(store: ChallengeStore, offered: Challenge, series: Series = _NEW) -> StoredMatch:
    """Accept as the service does, the match being that of the challenge."""
    players = [Member(player.id) for player in offered.players]
    match = begin(*players, game=offered.game, options=offered.options)
    return await store.accept(offered, match, series, NOW)


@pytest.mark.parametrize("challenger_first", [True, False])
async def test_a_challenge_comes_back_as_it_was(
    challenge_store: ChallengeStore, challenger_first: bool
) -> None:
    """Place, game, options, people, seats, status, message and time round-trip."""
    made = await challenge_store.create(challenge(challenger_first=challenger_first))
    await challenge_store.posted(made.id, 2**62)
    posted = replace(made, message_id=2**62)
    assert await challenge_store.load(made.id) == posted
    assert await challenge_store.open_by(HERE.channel_id, 1) == posted
    first, second = (1, 2) if challenger_first else (2, 1)
    assert [player.id for player in posted.players] == [first, second]


async def test_what_isnt_there_is_none(challenge_store: ChallengeStore) -> None:
    """An unknown challenge, and a member without an open one, are None."""
    assert await challenge_store.load(1) is None
    assert await challenge_store.open_by(HERE.channel_id, 1) is None
    assert await challenge_store.expired(LAPSES) == []


async def test_one_open_challenge_each(challenge_store: ChallengeStore) -> None:
    """Of two challenges that a member makes in a channel at once, the database takes one."""
    first, second = await both(
        challenge_store.create(challenge(1, 2)), challenge_store.create(challenge(1, 3))
    )
    assert isinstance(second, AlreadyOpenError)
    assert await challenge_store.open_by(HERE.channel_id, 1) == first


async def test_others_may_challenge_too(challenge_store: ChallengeStore) -> None:
    """Other members, and the same member in another channel, have an open challenge each."""
    elsewhere = replace(HERE, channel_id=21)
    made = [
        await challenge_store.create(offered)
        for offered in (challenge(1, 2), challenge(2, 1), challenge(1, 2, place=elsewhere))
    ]
    assert len({each.id for each in made}) == 3


@pytest.mark.parametrize("status", set(ChallengeStatus) - {ChallengeStatus.OPEN})
async def test_a_closed_challenge_makes_room(
    challenge_store: ChallengeStore, status: ChallengeStatus
) -> None:
    """Whatever became of the last challenge, its challenger may make another."""
    made = await challenge_store.create(challenge())
    closed = await challenge_store.close(made, status)
    assert closed == replace(made, status=status) == await challenge_store.load(made.id)
    assert await challenge_store.open_by(HERE.channel_id, 1) is None
    await challenge_store.create(challenge())


async def test_a_challenge_is_answered_once(challenge_store: ChallengeStore) -> None:
    """Of a withdrawal and a refusal at the same moment one happens, the other hears of it."""
    made = await challenge_store.create(challenge())
    first, second = await both(
        challenge_store.close(made, ChallengeStatus.WITHDRAWN),
        challenge_store.close(made, ChallengeStatus.DECLINED),
    )
    assert isinstance(second, ChangedError)
    assert await challenge_store.load(made.id) == first


async def test_accepting_begins_the_match(
    challenge_store: ChallengeStore, store: MatchStore
) -> None:
    """The match has the challenge's place, game, options, players and names; it is closed."""
    made = await challenge_store.create(challenge(challenger_first=False))
    stored = await accept(challenge_store, made)
    assert await store.live(HERE.channel_id) == stored
    assert stored.place == HERE
    assert stored.names == ("Bob", "Alice")
    assert stored.match.players == (Member(2), Member(1))
    assert stored.match.options == made.options
    closed = await challenge_store.load(made.id)
    assert closed == replace(made, status=ChallengeStatus.ACCEPTED)


async def test_accepting_goes_on_with_a_series(
    challenge_store: ChallengeStore, store: MatchStore
) -> None:
    """The match belongs to the series that it is given."""
    first = await store.create(replace(HERE, channel_id=21), begin(), NAMES, Series(), NOW)
    stored = await accept(challenge_store, await challenge_store.create(challenge()), first.series)
    assert stored.series_id == first.id
    assert await store.load(stored.id) == stored


async def test_a_busy_channel_leaves_the_challenge_open(
    challenge_store: ChallengeStore, store: MatchStore
) -> None:
    """Accepting beside a live match changes nothing, and works once that match is over."""
    made = await challenge_store.create(challenge())
    playing = await store.create(HERE, begin(), NAMES, Series(), NOW)
    with pytest.raises(ChannelTakenError):
        await accept(challenge_store, made)
    assert await challenge_store.load(made.id) == made
    assert await store.live(HERE.channel_id) == playing
    await store.save(playing, playing.match.agree_draw(), NOW)
    assert await store.live(HERE.channel_id) is None
    assert await accept(challenge_store, made) == await store.live(HERE.channel_id)


async def test_two_accepts_begin_one_match(
    challenge_store: ChallengeStore, store: MatchStore
) -> None:
    """A doubled press on Accept begins one match; the second hears that it was answered."""
    made = await challenge_store.create(challenge())
    first, second = await both(accept(challenge_store, made), accept(challenge_store, made))
    assert isinstance(second, ChangedError)
    assert await store.live(HERE.channel_id) == first == await store.latest(HERE.channel_id)


async def test_two_challenges_begin_one_match(
    challenge_store: ChallengeStore, store: MatchStore
) -> None:
    """Of two challenges accepted in one channel at once, one begins and the other stays open."""
    made = [
        await challenge_store.create(challenge(1, 2)),
        await challenge_store.create(challenge(3, 4)),
    ]
    first, second = await both(*(accept(challenge_store, each) for each in made))
    assert isinstance(second, ChannelTakenError)
    assert await store.live(HERE.channel_id) == first
    now = [await challenge_store.load(each.id) for each in made]
    states = {each.challenger.id: each.status for each in now if each}
    winner = 1 if first.names == ("Alice", "Bob") else 3
    assert states == {winner: ChallengeStatus.ACCEPTED, 4 - winner: ChallengeStatus.OPEN}


async def test_accepting_races_with_withdrawing(
    challenge_store: ChallengeStore, store: MatchStore
) -> None:
    """A challenge that is withdrawn as it is accepted begins a match or doesn't, never half."""
    made = await challenge_store.create(challenge())
    first, second = await both(
        challenge_store.close(made, ChallengeStatus.WITHDRAWN), accept(challenge_store, made)
    )
    assert isinstance(second, ChangedError)
    closed, playing = await challenge_store.load(made.id), await store.live(HERE.channel_id)
    assert closed is not None
    if isinstance(first, StoredMatch):
        assert (closed.status, playing) == (ChallengeStatus.ACCEPTED, first)
    else:
        assert (closed.status, playing) == (ChallengeStatus.WITHDRAWN, None)


async def test_expired_are_the_open_ones_whose_time_ran_out(
    challenge_store: ChallengeStore,
) -> None:
    """A challenge is listed from its last second on, and only while it is open."""
    made = await challenge_store.create(challenge(1, 2))
    await challenge_store.create(challenge(2, 1, expires_at=LAPSES + 1))
    answered = await challenge_store.create(challenge(3, 4))
    await challenge_store.close(answered, ChallengeStatus.DECLINED)
    assert await challenge_store.expired(LAPSES - 1) == []
    assert await challenge_store.expired(LAPSES) == [made]


@pytest.mark.parametrize(
    "values",
    [
        {"game": "chess"},
        {"options": "{"},
        {"options": "[]"},
        {"options": '{"rows": 99}'},
        {"options": '{"colour": "red"}'},
        {"status": "forgotten"},
    ],
    ids=str,
)
async def test_corrupt_challenges_are_named(
    database: AsyncEngine, challenge_store: ChallengeStore, values: dict[str, Any]
) -> None:
    """A row that is no challenge raises CorruptRowError with its number, and no other error."""
    made = await challenge_store.create(challenge())
    async with database.begin() as connection:
        await connection.execute(update(challenges).values(values))
    with pytest.raises(CorruptRowError, match=f"challenge {made.id}"):
        await challenge_store.load(made.id)


async def test_a_corrupt_challenge_keeps_no_other_open(
    database: AsyncEngine, challenge_store: ChallengeStore
) -> None:
    """Of two that ran out, the one that can't be read lapses unread, the other is listed."""
    broken = await challenge_store.create(challenge(1, 2))
    made = await challenge_store.create(challenge(2, 1))
    async with database.begin() as connection:
        spoil = update(challenges).where(challenges.c.id == broken.id).values(game="chess")
        await connection.execute(spoil)
    assert await challenge_store.expired(LAPSES) == [made]
    assert await challenge_store.expired(LAPSES) == [made]
    async with database.connect() as connection:
        left = await connection.execute(select(challenges.c.status).order_by(challenges.c.id))
        assert list(left.scalars()) == ["lapsed", "open"]
