"""Guests' matches: a server adopts those that haven't ended once it has the bot."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select, text, update

from bot.db.servers import removed
from bot.db.statements import upsert
from bot.db.store import Store, transaction
from bot.db.tables import GUESTS, guilds, matches
from bot.identity import Context, MatchId, ServerId
from bot.ratings.model import Unrated

_SERVERS = select(matches.c.guest_of).where(text(GUESTS)).distinct()
# A server that the bot is noted to have left adopts nothing: noting the bot's return moves on the
# clocks of the server's own matches, and guests' clocks have run all the time.
_ADOPT = (
    update(matches)
    .where(
        text(GUESTS),
        matches.c.guest_of == bindparam("server_id"),
        ~removed(matches.c.guest_of),
    )
    .values(
        guild_id=bindparam("server_id"),
        guest_of=None,
        context=Context.SERVER.value,
        unrated=Unrated.BEFORE.value,
    )
    .returning(matches.c.id)
)


class GuestStore(Store):
    """The matches of one database that began where only members have the bot."""

    async def servers(self) -> Sequence[ServerId]:
        """Return the servers with matches of guests that haven't ended."""
        return [one for one in await self._fetch_scalars(_SERVERS) if one is not None]

    @transaction
    def adopt(self, connection: Connection, server_id: ServerId) -> Sequence[MatchId]:
        """Give a server the matches of its guests that haven't ended; return their ids.

        They stay unrated. Their revision doesn't change, so a turn that is under way is saved. None
        is adopted while the bot is noted to have left the server.
        """
        adopted = connection.execute(_ADOPT, {"server_id": server_id}).scalars().all()
        if adopted:
            upsert(connection, guilds, [{"id": server_id}])  # so that a removal will be noted
        return adopted
