"""Why a match of members isn't rated, as it is stored with its end."""

from dataclasses import replace

from sqlalchemy import update

from bot.db.database import Database
from bot.db.tables import matches
from bot.invitations.store import call_off_all
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.moderation.store import ModerationStore
from bot.ratings.ledger import Ledger
from bot.ratings.model import NO_ENTRY, Unrated
from bot.tournaments.store import TournamentStore
from core.match import Match
from core.outcome import Ending, Termination
from tests.bot.playing import MODERATOR, NOW, begin, loaded
from tests.bot.ratings.counting import begun
from tests.core.boards import ALICE, after


async def why(store: MatchStore, before: StoredMatch, over: Match, now: int = NOW) -> str | None:
    """End a match; return the reason why it is unrated, having checked that it is stored."""
    saved = await store.save(before, over, now)
    assert not (saved.entry.changes and saved.entry.unrated)
    assert await store.load(saved.id) == saved
    return saved.entry.unrated


async def hint(database: Database, stored: StoredMatch) -> StoredMatch:
    """Return a match marked as hinted, as hints did when they weren't refused in rated matches."""
    marked = update(matches).where(matches.c.id == stored.id).values(hinted=True)
    async with database.begin() as connection:
        await connection.execute(marked)
    return replace(stored, hinted=True)


async def test_the_order_of_reasons(database: Database) -> None:
    """An agreement comes before a hint, a hint before an undo, and all before length and limit."""
    store = MatchStore(database, Ledger(0))
    for line in ("a1", "a1 a3 b1 b3"):
        stored = await begun(store, after(begin(), line))
        player = stored.match.players[(stored.match.ply - 1) % 2]
        back = await store.save(stored, stored.match.undo(player), NOW)
        again = await store.save(back, after(back.match, line.split()[-1]), NOW)
        assert await why(store, again, again.match.resign(ALICE)) is Unrated.UNDONE
        live = await begun(store, again.match)
        back = await store.save(live, live.match.undo(player), NOW)
        back = await hint(database, back)
        assert await why(store, back, back.match.resign(ALICE)) is Unrated.HINTED
        both = await hint(database, await begun(store, begin()))
        assert await store.play_on_unrated(both)
        assert await why(store, both, after(both.match, line).resign(ALICE)) is Unrated.AGREED


async def test_a_called_off_match_is_not_counted_and_has_no_reason(
    database: Database, store: MatchStore
) -> None:
    """It has no result to rate, however it came about."""
    moderation = ModerationStore(database, call_off_all, TournamentStore.note_called_off)
    for line in ("a1", "a1 a3 b1 b3"):
        stored = await begun(store, after(begin(), line))
        assert await store.play_on_unrated(stored)
        called_off = await moderation.call_off(stored.place.channel_id, MODERATOR, NOW)
        assert called_off.match_id == stored.id
        over = await loaded(store, stored.id)
        assert over.match.outcome is not None
        assert over.entry.unrated is None
        other = await begun(store, after(begin(), line))
        ended = replace(other.match, ending=Ending(Termination.CALLED_OFF))
        saved = await store.save(other, ended, NOW)
        assert saved.entry == NO_ENTRY


async def test_a_resumed_match_has_no_reason(store: MatchStore) -> None:
    """After an undo of its end a match has no reason until it ends again."""
    stored = await begun(store, after(begin(), "a1 a3 b1"))
    over = await store.save(stored, stored.match.agree_draw(), NOW)
    assert over.entry.unrated is Unrated.SHORT
    again = await store.save(over, over.match.undo(ALICE), NOW)
    assert again.match.outcome is None and again.entry.unrated is None
    assert await store.load(again.id) == again
    assert await why(store, again, after(again.match, "b1 b3 c1")) is Unrated.UNDONE
