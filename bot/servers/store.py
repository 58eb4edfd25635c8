"""A server's settings and live matches in the database, and calling a match off."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from sqlalchemy import Connection, bindparam, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import fetch, fetch_one, fetch_scalars, upsert
from bot.db.errors import CorruptRowError, retried
from bot.db.tables import (
    guild_settings,
    guilds,
    invitations,
    matches,
    member_everywhere,
    member_settings,
)
from bot.forms import Form
from bot.identity import ChannelId, MatchId, MemberId, MessageId, Place, ServerId
from bot.matches.model import StoredMatch
from bot.matches.rows import SeatRow, read_match, reading, seat_rows_of
from bot.matches.settings import ServerSettings
from bot.matches.store import LIVE
from bot.ratings.model import Visibility
from bot.servers.model import CalledOff, ListedMatch, NewSettings
from core.outcome import Termination

CloseInvitations: TypeAlias = Callable[[Connection, ChannelId], Sequence[MessageId | None]]
"""Closes a channel's open invitations; returns the messages that show them, None for unknown."""

_OF = select(guild_settings).where(guild_settings.c.guild_id == bindparam("server"))
_CALL_OFF = (
    update(matches)
    .where(matches.c.channel_id == bindparam("channel"), LIVE)
    .values(
        ended_at=bindparam("now"),
        ending=Termination.CALLED_OFF.value,
        ending_seat=None,
        computer_due=False,
        unrated=None,
        deadline=None,
        due_at=None,
    )
    .returning(matches.c.id, matches.c.board_id)
)
_CHOSEN = select(member_settings.c.board).where(member_settings.c.user_id == bindparam("member"))
_UNCHOSEN = delete(member_settings).where(member_settings.c.user_id == bindparam("member"))
_SHOWN = select(member_everywhere.c.shown).where(member_everywhere.c.user_id == bindparam("member"))
_SHOWN_AS_USUAL = delete(member_everywhere).where(
    member_everywhere.c.user_id == bindparam("member")
)
_OF_SERVER = (matches.c.guild_id == bindparam("server"), LIVE)
_COUNT = select(func.count()).select_from(matches).where(*_OF_SERVER)
_LISTED = (
    select(matches.c.id, matches.c.channel_id, matches.c.board_id, matches.c.started_at)
    .where(*_OF_SERVER)
    .order_by(matches.c.id)
    .offset(bindparam("skipped"))
    .limit(bindparam("most"))
)
_READ = reading(matches.c.id.in_(bindparam("ids", expanding=True)))


class SettingsStore:
    """The settings of all servers and members in one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def settings(self, server_id: ServerId) -> ServerSettings:
        """Return a server's settings; the defaults if nothing was chosen."""
        found = await fetch(self._engine, _OF, {"server": server_id})
        if not found:
            return ServerSettings()
        row = found[0]
        channels = tuple(ChannelId(int(word)) for word in row.channels.split() if word.isdecimal())
        boards = Form(row.boards or Form.EMOJI)
        return ServerSettings(
            channels, row.clock, row.challenge_seconds, row.boards_stay, boards, row.language
        )

    async def chosen_form(self, member_id: MemberId) -> Form | None:
        """Return the form of boards that a member has chosen, None for none."""
        row = await fetch_one(self._engine, _CHOSEN, {"member": member_id})
        return Form(row.board) if row else None

    @retried
    async def choose_form(self, member_id: MemberId, form: Form | None) -> None:
        """Write the form of boards that a member has chosen, or erase it."""
        async with self._engine.begin() as connection:
            if form is None:
                await connection.execute(_UNCHOSEN, {"member": member_id})
            else:
                chosen = {"user_id": member_id, "board": form.value}
                await connection.run_sync(upsert, member_settings, [chosen])

    async def shown(self, member_id: MemberId) -> Visibility:
        """Return how a member is listed on the leaderboard of all servers."""
        row = await fetch_one(self._engine, _SHOWN, {"member": member_id})
        return Visibility(row.shown) if row else Visibility.UNNAMED

    @retried
    async def show_as(self, member_id: MemberId, shown: Visibility) -> None:
        """Write how a member is listed there; as usual takes no row."""
        async with self._engine.begin() as connection:
            if shown is Visibility.UNNAMED:
                await connection.execute(_SHOWN_AS_USUAL, {"member": member_id})
            else:
                chosen = {"user_id": member_id, "shown": shown.value}
                await connection.run_sync(upsert, member_everywhere, [chosen])

    @retried
    async def change(self, server_id: ServerId, changes: NewSettings) -> None:
        """Write new choices, at least one."""
        row: dict[str, object] = {"guild_id": server_id, **changes}
        if "channels" in changes:
            row["channels"] = " ".join(map(str, changes["channels"]))
        async with self._engine.begin() as connection:
            await connection.run_sync(upsert, guild_settings, [row])


class ModerationStore:
    """The live matches of one database, for its moderators."""

    def __init__(self, engine: AsyncEngine, close_invitations: CloseInvitations):
        self._engine = engine
        self._close_invitations = close_invitations

    @retried
    async def call_off(self, channel_id: ChannelId, now: int) -> CalledOff:
        """End the match of a channel, without a result, and its invitations; neither is read."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(self._call_off, channel_id, now)

    def _call_off(self, connection: Connection, channel_id: ChannelId, now: int) -> CalledOff:
        # Invitations come first: one that is being accepted in this moment is a match afterwards.
        closed = self._close_invitations(connection, channel_id)
        ended = connection.execute(_CALL_OFF, {"channel": channel_id, "now": now}).one_or_none()
        match_id, board_id = ended or (None, None)
        shown = tuple(message for message in closed if message is not None)
        return CalledOff(match_id, board_id, len(closed), shown)

    async def live(self, server_id: ServerId, skipped: int, most: int) -> list[ListedMatch]:
        """Return up to `most` live matches of a server, the oldest first."""
        async with self._engine.connect() as connection:
            some = {"server": server_id, "skipped": skipped, "most": most}
            listed = (await connection.execute(_LISTED, some)).all()
            rows = (await connection.execute(_READ, {"ids": [row.id for row in listed]})).all()
        by_match: dict[MatchId, list[SeatRow]] = defaultdict(list)
        for row in seat_rows_of(rows):
            by_match[row.id].append(row)
        return [
            ListedMatch(
                row.id,
                Place(server_id, row.channel_id),
                row.board_id,
                row.started_at,
                _readable(by_match[row.id]),
            )
            for row in listed
        ]

    async def count_live(self, server_id: ServerId) -> int:
        """Return the number of live matches of a server."""
        (count,) = await fetch_scalars(self._engine, _COUNT, {"server": server_id})
        return int(count)


def _readable(rows: Sequence[SeatRow]) -> StoredMatch | None:
    try:
        return read_match(rows) if rows else None
    except CorruptRowError:
        return None


class JoiningStore:
    """When the bot joined the servers of one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    @retried
    async def is_new(self, server_id: ServerId, joined_at: int) -> bool:
        """Note when the bot joined a server (Unix seconds); return whether all is new to it.

        It isn't if that moment was noted before, or if the server has matches, invitations or
        settings.
        """
        async with self._engine.begin() as connection:
            return await connection.run_sync(_is_new, server_id, joined_at)

    async def unnoted(self, joined: Mapping[ServerId, int]) -> set[ServerId]:
        """Return the servers for which another moment of joining is noted, or none."""
        noted = select(guilds.c.id, guilds.c.joined_at)
        rows = await fetch(self._engine, noted)
        known = {row.id: row.joined_at for row in rows}
        return {server for server, moment in joined.items() if known.get(server) != moment}

    @retried
    async def note(self, joined: Mapping[ServerId, int]) -> None:
        """Note when the bot joined servers, in Unix seconds."""
        rows = [{"id": server, "joined_at": moment} for server, moment in joined.items()]
        if rows:
            async with self._engine.begin() as connection:
                await connection.run_sync(upsert, guilds, rows)


def _is_new(connection: Connection, server_id: ServerId, joined_at: int) -> bool:
    # The row is locked by this, so that of two such calls one sees what the other has noted.
    upsert(connection, guilds, [{"id": server_id, "removed_at": None}])
    before = or_(guilds.c.joined_at.is_(None), guilds.c.joined_at != joined_at)
    noted = update(guilds).where(guilds.c.id == server_id, before).values(joined_at=joined_at)
    if connection.execute(noted).rowcount == 0:
        return False
    known = (matches, invitations, guild_settings)
    used = or_(*(exists().where(table.c.guild_id == server_id) for table in known))
    return not connection.execute(select(used)).scalar_one()
