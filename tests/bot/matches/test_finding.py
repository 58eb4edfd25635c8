"""Finding matches along an index, on both databases."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Select

from bot.db.database import Database
from bot.db.tables import matches
from bot.identity import ChannelId, Context, MessageId, Place
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from bot.matches.store.channel import (
    FINISHED_BEFORE,
    FINISHED_HERE,
    FINISHED_OWN_HERE,
    LATEST_HERE,
)
from bot.matches.store.matches import _COMPUTER_DUE, _UNSHOWN, PLAYING_ANYWHERE, PLAYING_ON_SERVER
from tests.bot.planning import planned
from tests.bot.playing import ALICE_ID, CAROL_ID, HERE, NAMES, NOW, SERVER, X_WINS, begin, create
from tests.core.boards import ALICE, ROBOT, after


async def test_matches_waiting_for_the_computer(store: MatchStore) -> None:
    """Listed are the live matches in which the computer is to move, and no others."""
    waiting = await create(store, after(begin(ALICE, ROBOT), "b2"), 1)
    await create(store, begin(ALICE, ROBOT), 2)
    await create(store, begin(), 3)
    ended = await create(store, after(begin(ALICE, ROBOT), "b2"), 4)
    await store.save(ended, ended.match.resign(ALICE), NOW)
    archived = await create(store, after(begin(ALICE, ROBOT), "b2"), 5)
    assert await store.holding.archive(archived, NOW)
    assert await store.computer_due() == [waiting.id]
    await store.save(waiting, after(waiting.match, "a1"), NOW)
    assert await store.computer_due() == []


async def test_matches_waiting_for_a_board(store: MatchStore) -> None:
    """Matches in which the computer is to move are left out, since its move brings a board."""
    waiting = await create(store, begin(), 1)
    await create(store, after(begin(ALICE, ROBOT), "b2"), 2)
    assert await store.unshown(NOW, NOW) == [waiting.id]


async def test_the_final_board_before_a_match(store: MatchStore) -> None:
    """It is never the match's own board, even if the match is over by then."""
    over = after(begin(), X_WINS)
    before, stored = [await create(store, over) for _ in range(2)]
    for number, one in enumerate((before, stored), 1):
        store.board_ids.note(one, MessageId(number))
    assert await store.final_before(stored) == (before.id, 1)
    assert await store.final_before(before) is None


@pytest.mark.parametrize(
    ("statement", "index"),
    [(_COMPUTER_DUE, "ix_matches_computer_due"), (_UNSHOWN, "ix_matches_unshown")],
)
async def test_a_start_looks_at_no_other_matches(
    database: Database, store: MatchStore, statement: Select[Any], index: str
) -> None:
    """Each of its queries has an index of its own rows, however many matches are live."""
    stored = await create(store)
    bound = statement.params(since=NOW, until=NOW) if "since" in str(statement) else statement
    steps = await planned(
        database,
        bound,
        matches,
        lambda n: {"id": stored.id + n, "channel_id": HERE.channel_id + n, "board_id": n},
    )
    assert any(index in step for step in steps), steps
    assert not any("Seq Scan" in step for step in steps), steps


async def test_the_matches_that_a_member_plays(store: MatchStore) -> None:
    """They are those of a server, or of all places; if there are too many, the first to run out."""
    slow, quick, other, over = [
        await store.create(NewMatch(place, match, NAMES, clock=clock), NOW)
        for place, match, clock in (
            (HERE, begin(), 7200),
            (replace(HERE, channel_id=ChannelId(21)), begin(), 3600),
            (Place(None, ChannelId(22), context=Context.PRIVATE), begin(), None),
            (replace(HERE, channel_id=ChannelId(23)), after(begin(), X_WINS), None),
        )
    ]
    played = await store.playing(SERVER, ALICE_ID, 10)
    assert sorted(one.id for one in played) == [slow.id, quick.id]
    anywhere = await store.playing(None, ALICE_ID, 10)
    assert sorted(one.id for one in anywhere) == [slow.id, quick.id, other.id]
    assert [one.id for one in await store.playing(None, ALICE_ID, 1)] == [quick.id]
    assert await store.playing(None, CAROL_ID, 10) == []
    await store.holding.archive(slow, NOW)
    assert [one.id for one in await store.playing(SERVER, ALICE_ID, 10)] == [quick.id]
    assert over.match.outcome


@pytest.mark.parametrize("statement", [PLAYING_ON_SERVER, PLAYING_ANYWHERE], ids=["here", "all"])
async def test_the_matches_of_a_member_are_found_by_their_seats(
    database: Database, store: MatchStore, statement: Select[Any]
) -> None:
    """However many matches are live, the database only looks at the member's."""
    stored = await create(store)
    steps = await planned(
        database,
        statement.params(user_id=ALICE_ID, server_id=SERVER, most=100),
        matches,
        lambda n: {"id": stored.id + n, "channel_id": HERE.channel_id + n},
    )
    assert any("ix_seats_user" in step for step in steps), steps
    assert not any("SCAN matches" in step or "Seq Scan on matches" in step for step in steps), steps


@pytest.mark.parametrize(
    "statement",
    [FINISHED_BEFORE, FINISHED_HERE, LATEST_HERE],
    ids=["before", "over", "any"],
)
async def test_the_last_match_of_a_channel_is_found_by_its_end(
    database: Database, store: MatchStore, statement: Select[Any]
) -> None:
    """However many have ended there, the database only looks at the last."""
    stored = await create(store, after(begin(), X_WINS))
    steps = await planned(
        database,
        statement.params(channel_id=HERE.channel_id, match_id=stored.id + 2000),
        matches,
        lambda n: {"id": stored.id + n, "ended_at": NOW + n},
    )
    assert any("ix_matches_channel_ended" in step for step in steps), steps
    assert not any("SCAN matches" in step or "Seq Scan on matches" in step for step in steps), steps


async def test_the_last_match_of_a_member_in_a_channel_is_found_by_an_index(
    database: Database, store: MatchStore
) -> None:
    """By their seats, or by the ends in that channel; which is better depends on both."""
    stored = await create(store, after(begin(), X_WINS))
    steps = await planned(
        database,
        FINISHED_OWN_HERE.params(channel_id=HERE.channel_id, user_id=ALICE_ID),
        matches,
        lambda n: {"id": stored.id + n, "ended_at": NOW + n},
    )
    assert any("ix_matches_channel_ended" in s or "ix_seats_user" in s for s in steps), steps
    assert not any("SCAN matches" in step or "Seq Scan on matches" in step for step in steps), steps
