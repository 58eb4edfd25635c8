"""Matches in the database: they are read as written, and of simultaneous turns one is played."""

from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import select

from bot.db.database import Database
from bot.db.errors import ChangedError
from bot.db.tables import seats
from bot.forms import Form
from bot.identity import ChannelId, MatchId, MemberId, MessageId, Place, ServerId
from bot.matches.clock import timing
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import ChannelTakenError, MatchStore
from bot.ratings.model import NO_ENTRY
from core.engine.levels import Level
from core.games import GAMES
from core.options import Choice, Options
from core.outcome import Ending, Termination
from core.players import Computer, Member
from tests.bot.playing import HERE, NOW, X_WINS, begin, both, create, loaded, names_of
from tests.core.boards import ALICE, BOB, after


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
async def test_a_match_round_trips(store: MatchStore, game: str, seed: int) -> None:
    """Game, options, players, names, start, moves and series of a random match are restored."""
    rng = Random(seed)
    declared = GAMES[game].declared
    options: Options = {o.name: rng.choice(o.choices) for o in declared if isinstance(o, Choice)}
    match = begin(game=game, options=options)
    for _ in range(rng.randint(0, 9)):
        if match.next_player is not None:
            match = match.play(rng.choice(match.position.legal_moves()))
    stored = await create(store, match)
    assert await store.load(stored.id) == stored
    nothing = (0,) * match.game.seats
    over = NOW if match.outcome else None
    assert stored == StoredMatch(
        stored.id,
        HERE,
        match,
        names_of(match),
        stored.id,
        nothing,
        ended_at=over,
        timing=timing(match, None, NOW),
        moved_at=NOW,
    )


async def test_a_match_in_the_log_tells_of_no_member(store: MatchStore) -> None:
    """A loop logs the item at which it failed: its text has the match, without names and ids."""
    forms = {MemberId(ALICE.id): Form.WORDS}
    text = repr(replace(await create(store, begin(ALICE, BOB)), forms=forms))
    assert "Match tictactoe" in text
    assert not any(told in text for told in ("Alice", "Bob", "Form", "Member"))


async def test_the_computer_keeps_its_level(store: MatchStore) -> None:
    """A computer's seat has a level and no name."""
    for channel, level in enumerate(map(Computer, Level), 1):
        place = Place(HERE.server_id, ChannelId(channel))
        new = NewMatch(place, begin(ALICE, level), ("Alice", None))
        stored = await store.create(new, NOW)
        assert await store.load(stored.id) == stored
        assert stored.match.players == (ALICE, level)


@pytest.mark.parametrize(
    "ending", [Ending(Termination.RESIGNATION, 1), Ending(Termination.AGREEMENT)], ids=str
)
async def test_a_decided_match_round_trips(store: MatchStore, ending: Ending) -> None:
    """Resignations and agreed draws are restored, with the resigning seat."""
    stored = await create(store)
    over = replace(stored.match, ending=ending)
    await store.save(stored, over, NOW)
    restored = (await loaded(store, stored.id)).match
    assert restored == over
    assert restored.outcome == ending.outcome(2)


async def test_snowflakes_fit(database: Database, store: MatchStore) -> None:
    """Discord's 63-bit ids and names in any script are stored unchanged."""
    big = 2**63 - 1
    match = begin(Member(big), Member(big - 1))
    names = ('🦉\u200d\u200b O\'Brien "x" \\ ', "名前")
    stored = await store.create(
        NewMatch(Place(ServerId(big), ChannelId(big - 2)), match, names), NOW
    )
    board_id = MessageId(big - 3)
    store.board_ids.note(stored, board_id)
    await store.board_ids.write()
    assert await MatchStore(database).load(stored.id) == replace(stored, board_id=board_id)


async def test_missing_rows_are_none(store: MatchStore) -> None:
    """An unknown match and an empty channel are None, not an error."""
    assert await store.load(MatchId(1)) is None
    assert await store.live(HERE.channel_id) is None
    assert await store.latest(HERE.channel_id) is None
    assert await store.load(MatchId(2**62)) is None


async def test_saving_is_compare_and_set(store: MatchStore) -> None:
    """Of two turns from the same state one is written, and the other changes nothing."""
    before = await create(store)
    first, second = await both(
        store.save(before, after(before.match, "b2"), NOW),
        store.save(before, after(before.match, "a1"), NOW),
    )
    assert isinstance(second, ChangedError)
    assert await store.load(before.id) == first
    assert first.match.ply == 1


async def test_resigning_during_the_last_move(database: Database, store: MatchStore) -> None:
    """A match that ends twice at once has one outcome, and its ranks."""
    start = await create(store)
    before = await store.save(start, after(start.match, "a1 a3 b1 b3"), NOW)
    first, second = await both(
        store.save(before, after(before.match, "c1"), NOW),
        store.save(before, before.match.resign(ALICE), NOW),
    )
    assert isinstance(second, ChangedError)
    async with database.connect() as connection:
        ranks = await connection.execute(select(seats.c.rank).order_by(seats.c.seat))
        assert tuple(ranks.scalars()) == first.match.outcome.ranks


async def test_undo_reopens_an_ended_match(database: Database, store: MatchStore) -> None:
    """Undoing the last move makes the match live again, without ranks."""
    start = await create(store, begin(ALICE, ALICE))
    over = await store.save(start, after(start.match, X_WINS), NOW)
    again = await store.save(over, over.match.undo(ALICE), NOW)
    assert await store.live(HERE.channel_id) == again
    async with database.connect() as connection:
        assert set((await connection.execute(select(seats.c.rank))).scalars()) == {None}


async def test_undo_stops_at_a_taken_channel(store: MatchStore) -> None:
    """A finished match isn't resumed in a channel that has another, and is unchanged."""
    start = await create(store, after(begin(), "a1"))
    over = await store.save(start, start.match.resign(BOB), NOW)
    other = await create(store)
    with pytest.raises(ChannelTakenError):
        await store.save(over, over.match.undo(ALICE), NOW)
    assert await store.load(over.id) == over
    assert await store.live(HERE.channel_id) == other


async def test_a_rated_match_stays_as_it_is(store: MatchStore) -> None:
    """It isn't resumed, even by somebody who read it before it was rated."""
    start = await create(store)
    over = await store.save(start, after(start.match, X_WINS), NOW)
    read_before = replace(over, entry=NO_ENTRY)
    with pytest.raises(ChangedError):
        await store.save(read_before, over.match.undo(ALICE), NOW)
    assert await store.load(over.id) == over
