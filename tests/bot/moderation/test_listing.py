"""The list of a server's live matches has those of its guests once they are adopted."""

from bot.db.database import Database
from bot.identity import ChannelId, Context, Place, ServerId
from bot.invitations.store import call_off_all
from bot.matches.model import NewMatch
from bot.matches.store import GuestStore, MatchStore
from bot.moderation.store import ModerationStore
from bot.tournaments.store import TournamentStore
from tests.bot.playing import NAMES, NOW, SERVER, begin


async def test_live_matches_of_a_server_and_of_its_guests(
    store: MatchStore, database: Database
) -> None:
    """Those of other servers, of their guests, and of conversations are never on it."""
    places = [
        Place(SERVER, ChannelId(21)),
        Place(None, ChannelId(22), context=Context.GUEST, guest_of=SERVER),
        Place(ServerId(11), ChannelId(23)),
        Place(None, ChannelId(24), context=Context.GUEST, guest_of=ServerId(11)),
        Place(None, ChannelId(25), context=Context.PRIVATE),
    ]
    begun = [(await store.create(NewMatch(one, begin(), NAMES), NOW)).id for one in places]
    moderation = ModerationStore(database, call_off_all, TournamentStore.note_called_off)
    assert [one.id for one in await moderation.live(SERVER, 0, 10)] == begun[:1]
    assert await moderation.count_live(SERVER) == 1
    await GuestStore(database).adopt(SERVER)
    assert [one.id for one in await moderation.live(SERVER, 0, 10)] == begun[:2]
    assert await moderation.count_live(SERVER) == 2
