"""Matches of one conversation don't show in another."""

from bot.db.database import Database
from bot.identity import ChannelId, Place
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from bot.profiles.store import HistoryStore
from tests.bot.playing import ALICE_ID, HERE, NAMES, NOW, X_WINS, begin
from tests.core.boards import after


async def test_conversations_are_apart(store: MatchStore, database: Database) -> None:
    """A match outside of servers only shows in its own channel's history and profiles."""
    direct, group = Place(None, ChannelId(1)), Place(None, ChannelId(2))
    stored = await store.create(NewMatch(direct, begin(), NAMES), NOW)
    await store.save(stored, after(stored.match, X_WINS), NOW)
    histories, places = HistoryStore(database), (direct, group, HERE)
    assert [await histories.count(place, ALICE_ID) for place in places] == [1, 0, 0]
    careers = [await histories.career(place, ALICE_ID, None) for place in places]
    assert [career.played for career in careers] == [1, 0, 0]
