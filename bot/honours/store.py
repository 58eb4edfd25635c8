"""Servers' choices about honours, the ends of seasons, and the roles given for results."""

from collections.abc import Iterable, Sequence

from sqlalchemy import (
    Integer,
    NotNullable,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    true,
    union,
    update,
)

from bot.db.statements import upsert, write
from bot.db.store import Store
from bot.db.tables import given_roles, guild_settings, honour_roles, members, standings
from bot.honours.model import DueSeason, GivenRole, HonourSettings, NewHonourSettings, Rule, Trouble
from bot.identity import MemberId, RoleId, ServerId
from bot.ratings.model import ALL_GAMES, ALL_TIME
from core.games import GAMES

# A role is given to no more members than this: to the best ones.
_MOST_HOLDERS = 1000

_SETTINGS = select(
    guild_settings.c.season_channel,
    guild_settings.c.tells_achievements,
    guild_settings.c.everywhere,
).where(guild_settings.c.guild_id == bindparam("server"))
_RULES = (
    select(honour_roles)
    .where(honour_roles.c.guild_id == bindparam("server"))
    .order_by(func.coalesce(honour_roles.c.rating, 0), honour_roles.c.role_id)
)
_RULE = (
    honour_roles.c.guild_id == bindparam("server"),
    honour_roles.c.role_id == bindparam("role"),
)
_DROP_RULE = delete(honour_roles).where(*_RULE)
_GIVEN = select(given_roles).where(given_roles.c.guild_id == bindparam("server"))
_ONE_GIVEN = (
    given_roles.c.guild_id == bindparam("server"),
    given_roles.c.role_id == bindparam("role"),
    given_roles.c.user_id == bindparam("member"),
)
_HELD = update(given_roles).where(*_ONE_GIVEN).values(joined_at=bindparam("joined"))
_LOST = (
    given_roles.c.guild_id == bindparam("server"),
    given_roles.c.user_id == bindparam("member"),
    given_roles.c.joined_at < bindparam("joined"),
)
_HAS_LOST = select(given_roles.c.role_id).where(*_LOST).limit(1)
_UNCONFIRMED = update(given_roles).where(*_LOST).values(joined_at=None)
_TAKEN_BACK = delete(given_roles).where(*_ONE_GIVEN)
_OF_SEASON = (
    standings.c.guild_id == bindparam("server"),
    standings.c.game == ALL_GAMES,
    standings.c.period == bindparam("period"),
    standings.c.present == true(),
    standings.c.wins > 0,
)
_MOST_WINS = select(func.max(standings.c.wins)).where(*_OF_SEASON).scalar_subquery()
# If a winner leaves after the season, nobody takes their place.
_WINNERS = (
    select(standings.c.user_id)
    .join(
        members,
        and_(members.c.guild_id == standings.c.guild_id, members.c.user_id == standings.c.user_id),
    )
    .where(*_OF_SEASON, standings.c.wins == _MOST_WINS, members.c.present == true())
)
_RATED = (
    select(standings.c.user_id)
    .where(
        standings.c.guild_id == bindparam("server"),
        standings.c.game.in_([*GAMES]),
        standings.c.period == ALL_TIME,
        standings.c.present == true(),
        standings.c.settled == true(),
        standings.c.rating >= bindparam("rating", type_=Integer),
    )
    .group_by(standings.c.user_id)
    .order_by(func.max(standings.c.rating).desc(), standings.c.user_id)
    .limit(_MOST_HOLDERS)
)


class HonourStore(Store):
    """The choices of servers, the ends of seasons, and the roles given."""

    async def settings(self, server_id: ServerId) -> HonourSettings:
        """Return a server's choices; the defaults if nothing was chosen."""
        row = await self._fetch_one(_SETTINGS, {"server": server_id})
        rules = await self.rules(server_id)
        if row is None:
            return HonourSettings(rules=rules)
        return HonourSettings(row.season_channel, row.tells_achievements, row.everywhere, rules)

    async def change(self, server_id: ServerId, changes: NewHonourSettings) -> None:
        """Write new choices, at least one."""
        await write(self._database, upsert, guild_settings, [{"guild_id": server_id, **changes}])

    async def due(self, period: str) -> list[DueSeason]:
        """Return the channels that are to hear of the end of a season, and haven't yet."""
        columns = guild_settings.c
        due = select(columns.guild_id, NotNullable(columns.season_channel)).where(
            columns.season_channel.is_not(None),
            or_(columns.season_told.is_(None), columns.season_told < period),
            self._database.serves(columns.guild_id),
        )
        return [DueSeason(*row, period) for row in await self._fetch(due)]

    async def rules(self, server_id: ServerId) -> list[Rule]:
        """Return a server's rules, first the one for the season's winner, then by rating."""
        return [
            Rule(row.role_id, row.rating, Trouble(row.trouble) if row.trouble else None)
            for row in await self._fetch(_RULES, {"server": server_id})
        ]

    async def set_rule(self, server_id: ServerId, role_id: RoleId, rating: int | None) -> None:
        """Write the rule for a role, in place of its former rule."""
        row = {"guild_id": server_id, "role_id": role_id, "rating": rating, "trouble": None}
        await write(self._database, upsert, honour_roles, [row])

    async def drop_rule(self, server_id: ServerId, role_id: RoleId) -> bool:
        """Delete the rule for a role; return whether there was one."""
        which = {"server": server_id, "role": role_id}
        return await self._execute(_DROP_RULE, which) == 1

    async def note_trouble(
        self, server_id: ServerId, role_id: RoleId, trouble: Trouble | None
    ) -> bool:
        """Note why a role can't be given, None if it can; return whether that is news."""
        noted = (
            update(honour_roles)
            .where(*_RULE, func.coalesce(honour_roles.c.trouble, "") != (trouble or ""))
            .values(trouble=trouble)
        )
        return await self._execute(noted, {"server": server_id, "role": role_id}) == 1

    async def servers_with_roles(self) -> list[ServerId]:
        """Return the servers that have rules or given roles, in the order of their ids."""
        both = union(
            *(
                select(table.c.guild_id).where(self._database.serves(table.c.guild_id))
                for table in (honour_roles, given_roles)
            )
        )
        return sorted(await self._fetch_scalars(both))

    async def winners(self, server_id: ServerId, period: str) -> Sequence[MemberId]:
        """Return the members who have won a season and are still there, all if they are equal."""
        which = {"server": server_id, "period": period}
        return await self._fetch_scalars(_WINNERS, which)

    async def rated(self, server_id: ServerId, rating: int) -> Sequence[MemberId]:
        """Return the listed members with a settled rating of at least `rating` in any game.

        The best come first.
        """
        return await self._fetch_scalars(_RATED, {"server": server_id, "rating": rating})

    async def given(self, server_id: ServerId) -> list[GivenRole]:
        """Return the roles that members of a server have from the bot, or are about to get."""
        rows = await self._fetch(_GIVEN, {"server": server_id})
        return [GivenRole(row.role_id, row.user_id, row.joined_at is not None) for row in rows]

    async def note_giving(self, server_id: ServerId, given: Iterable[GivenRole]) -> None:
        """Note that roles, at least one, are about to be given, before Discord hears of it."""
        rows = [
            {"guild_id": server_id, "role_id": one.role_id, "user_id": one.member_id}
            for one in given
        ]
        await write(self._database, upsert, given_roles, rows)

    async def note_held(self, server_id: ServerId, given: GivenRole, joined_at: int) -> None:
        """Note that Discord has confirmed a role, and when its member joined (Unix seconds)."""
        await self._execute(_HELD, _which(server_id, given) | {"joined": joined_at})

    async def note_lost(self, server_id: ServerId, member_id: MemberId, joined_at: int) -> bool:
        """Note that a member has lost the roles given before they joined; return whether any."""
        which = {"server": server_id, "member": member_id, "joined": joined_at}
        # Read first, since a write makes others wait.
        lost = await self._fetch_scalar_or_none(_HAS_LOST, which) is not None
        return lost and await self._execute(_UNCONFIRMED, which) > 0

    async def drop_given(self, server_id: ServerId, given: GivenRole) -> None:
        """Forget a role that a member doesn't have any more."""
        await self._execute(_TAKEN_BACK, _which(server_id, given))


def _which(server_id: ServerId, given: GivenRole) -> dict[str, int]:
    return {"server": server_id, "role": given.role_id, "member": given.member_id}
