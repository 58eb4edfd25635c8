"""The settings of servers and of members in the database."""

from collections.abc import Collection

from sqlalchemy import Connection, bindparam, delete, select

from bot.db.statements import upsert, write
from bot.db.store import Store, transaction
from bot.db.tables import guild_settings, member_settings
from bot.forms import Form
from bot.identity import ChannelId, MemberId, ServerId
from bot.matches.settings import (
    Challengers,
    NewOwnSettings,
    NewSettings,
    OwnSettings,
    ServerSettings,
)
from bot.ratings.model import Visibility

_OF = select(guild_settings).where(guild_settings.c.guild_id == bindparam("server"))
_OWN = select(member_settings).where(member_settings.c.user_id == bindparam("member"))
_USUAL = delete(member_settings).where(
    member_settings.c.user_id == bindparam("member"),
    member_settings.c.board.is_(None),
    member_settings.c.shown.is_(None),
    member_settings.c.challengers.is_(None),
)


class SettingsStore(Store):
    """The settings of all servers and members in one database."""

    async def settings(self, server_id: ServerId | None) -> ServerSettings:
        """Return a server's settings; the defaults if nothing was chosen, and without a server."""
        if server_id is None:
            return ServerSettings()
        row = await self._fetch_one(_OF, {"server": server_id})
        if row is None:
            return ServerSettings()
        return ServerSettings(
            channels=tuple(ChannelId(int(word)) for word in row.channels.split()),
            begin_role=row.begin_role,
            clock=row.clock,
            challenge_seconds=row.challenge_seconds,
            boards_stay=row.boards_stay,
            boards=Form(row.boards or Form.EMOJI),
            language=row.language,
        )

    async def change(self, server_id: ServerId, changes: NewSettings) -> None:
        """Write new choices, at least one."""
        row: dict[str, object] = {"guild_id": server_id, **changes}
        if "channels" in changes:
            row["channels"] = " ".join(map(str, changes["channels"]))
        await write(self._database, upsert, guild_settings, [row])

    async def own(self, member_id: MemberId) -> OwnSettings:
        """Return a member's own settings; the defaults if nothing was chosen."""
        row = await self._fetch_one(_OWN, {"member": member_id})
        if row is None:
            return OwnSettings()
        return OwnSettings(
            board=Form(row.board) if row.board else None,
            shown=Visibility(row.shown or Visibility.UNNAMED),
            challengers=Challengers(row.challengers or Challengers.EVERYBODY),
        )

    @transaction
    def change_own(
        self, connection: Connection, member_id: MemberId, changes: NewOwnSettings
    ) -> None:
        """Write a member's new choices, at least one; the defaults take no row."""
        usual = vars(OwnSettings())
        row = {name: None if value == usual[name] else value for name, value in changes.items()}
        upsert(connection, member_settings, [{"user_id": member_id, **row}])
        connection.execute(_USUAL, {"member": member_id})

    async def unwilling(self, member_ids: Collection[MemberId]) -> set[MemberId]:
        """Return those of these members whom nobody may challenge."""
        found = select(member_settings.c.user_id).where(
            member_settings.c.user_id.in_(member_ids),
            member_settings.c.challengers == Challengers.NOBODY.value,
        )
        return {*await self._fetch_scalars(found)} if member_ids else set()
