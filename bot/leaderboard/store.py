"""The first lines of the leaderboard of all servers that take part.

Ratings of different servers come from different matches, so a member is listed with the best of
their ratings: the best settled one if they have any. Wins are added up.
"""

from collections.abc import Collection

from sqlalchemy import (
    ColumnElement,
    Integer,
    and_,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
    true,
)

from bot.db.servers import removed
from bot.db.store import Store
from bot.db.tables import guild_settings, member_settings, members, standings
from bot.identity import MemberId, ServerId
from bot.ratings.model import By, Listing, Standing, Visibility


def _takes_part(server_id: ColumnElement[ServerId]) -> ColumnElement[bool]:
    """Return the condition that a server takes part, and has the bot."""
    chosen = exists().where(
        guild_settings.c.guild_id == server_id, guild_settings.c.everywhere == true()
    )
    return chosen & ~removed(server_id)


_HIDDEN = select(member_settings.c.user_id).where(
    member_settings.c.shown == Visibility.HIDDEN.value
)
_TAKES_PART = select(_takes_part(bindparam("server")))
# A list of servers, so that SQLite finds their rows by the index that begins with the server. With
# a join or an `EXISTS` it would read the standings of all servers.
_TAKING_PART = select(guild_settings.c.guild_id).where(
    guild_settings.c.everywhere == true(), ~removed(guild_settings.c.guild_id)
)
_WHICH = (
    standings.c.guild_id.in_(_TAKING_PART),
    standings.c.game == bindparam("game"),
    standings.c.period == bindparam("period"),
    standings.c.present == true(),
)
_BEST = func.max(standings.c.rating)
_BEST_SETTLED = func.max(case((standings.c.settled == true(), standings.c.rating)))
_SUMS = (
    select(
        standings.c.user_id,
        func.sum(standings.c.wins).label("wins"),
        func.sum(standings.c.draws).label("draws"),
        func.sum(standings.c.losses).label("losses"),
        _BEST.label("best"),
        _BEST_SETTLED.label("best_settled"),
    )
    .where(*_WHICH, standings.c.user_id.not_in(_HIDDEN))
    .group_by(standings.c.user_id)
    .limit(bindparam("most", type_=Integer))
)
_BY_WINS = _SUMS.order_by(func.sum(standings.c.wins).desc(), standings.c.user_id)
_BY_RATING = _SUMS.order_by(_BEST_SETTLED.desc().nulls_last(), _BEST.desc(), standings.c.user_id)
# A member who was erased has no row here.
_LISTED = (
    select(members.c.user_id)
    .where(
        members.c.user_id.in_(bindparam("members", expanding=True)),
        members.c.present == true(),
        members.c.user_id.not_in(_HIDDEN),
    )
    .distinct()
)
_NAMED = exists().where(
    member_settings.c.user_id == members.c.user_id,
    member_settings.c.shown == Visibility.NAMED.value,
)
# A name of the asker's own server comes last, and wins.
_NAMES = (
    select(members.c.user_id, members.c.name)
    .where(
        members.c.user_id.in_(bindparam("members", expanding=True)),
        members.c.present == true(),
        or_(
            members.c.guild_id == bindparam("server"), and_(_NAMED, _takes_part(members.c.guild_id))
        ),
    )
    .order_by(members.c.guild_id == bindparam("server"), members.c.guild_id)
)


class EverywhereStore(Store):
    """The results of all servers in one database that take part."""

    async def takes_part(self, server_id: ServerId) -> bool:
        """Return whether a server takes part."""
        return await self._fetch_scalar(_TAKES_PART, {"server": server_id})

    async def lines(self, listing: Listing, most: int) -> list[Standing]:
        """Return the first `most` lines, the best first; equal members share a rank.

        They have no names yet. It takes 50 ms for 25,000 rows in SQLite.
        """
        statement = _BY_RATING if listing.by is By.RATING else _BY_WINS
        which = {"game": listing.game, "period": listing.period, "most": most}
        async with self._database.connect() as connection:
            rows = (await connection.execute(statement, which)).all()
        found = list[Standing]()
        rank = 0
        value = None
        for place, row in enumerate(rows, start=1):
            settled = row.best_settled is not None
            rating = row.best_settled if settled else row.best
            own = (settled, rating) if listing.by is By.RATING else row.wins
            if own != value:
                rank, value = place, own
            sums = int(row.wins), int(row.draws), int(row.losses)
            provisional = rating is not None and not settled
            found.append(Standing(rank, row.user_id, "", *sums, rating, provisional))
        return found

    async def listed(self, member_ids: Collection[MemberId]) -> set[MemberId]:
        """Return those of these members who are still listed: not erased, gone or hidden."""
        return {*await self._fetch_scalars(_LISTED, {"members": list(member_ids)})}

    async def names(
        self, server_id: ServerId, member_ids: Collection[MemberId]
    ) -> dict[MemberId, str]:
        """Return the names that a server may see, of these members.

        They are the names of its own members, and of those who have chosen to be named everywhere.
        """
        which = {"server": server_id, "members": list(member_ids)}
        return {row.user_id: row.name for row in await self._fetch(_NAMES, which)}
