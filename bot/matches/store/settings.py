"""The settings of servers and of members in the database."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, select

from bot.db.database import Database
from bot.db.statements import (
    change,
    fetch_one,
    fetch_scalar_or_none,
    fetch_scalars,
    upsert,
    write,
)
from bot.db.tables import guild_settings, member_challenges, member_everywhere, member_settings
from bot.forms import Form
from bot.identity import ChannelId, MemberId, ServerId
from bot.matches.settings import Challengers, NewSettings, ServerSettings
from bot.ratings.model import Visibility

_OF = select(guild_settings).where(guild_settings.c.guild_id == bindparam("server"))
_CHOSEN = select(member_settings.c.board).where(member_settings.c.user_id == bindparam("member"))
_UNCHOSEN = delete(member_settings).where(member_settings.c.user_id == bindparam("member"))
_SHOWN = select(member_everywhere.c.shown).where(member_everywhere.c.user_id == bindparam("member"))
_SHOWN_AS_USUAL = delete(member_everywhere).where(
    member_everywhere.c.user_id == bindparam("member")
)
_CHALLENGERS = select(member_challenges.c.challengers).where(
    member_challenges.c.user_id == bindparam("member")
)
_TAKES_CHALLENGES = delete(member_challenges).where(
    member_challenges.c.user_id == bindparam("member")
)


class SettingsStore:
    """The settings of all servers and members in one database."""

    def __init__(self, database: Database):
        self._database = database

    async def settings(self, server_id: ServerId | None) -> ServerSettings:
        """Return a server's settings; the defaults if nothing was chosen, and without a server."""
        if server_id is None:
            return ServerSettings()
        row = await fetch_one(self._database, _OF, {"server": server_id})
        if row is None:
            return ServerSettings()
        return ServerSettings(
            channels=tuple(ChannelId(int(word)) for word in row.channels.split()),
            clock=row.clock,
            challenge_seconds=row.challenge_seconds,
            boards_stay=row.boards_stay,
            boards=Form(row.boards or Form.EMOJI),
            language=row.language,
        )

    async def chosen_form(self, member_id: MemberId) -> Form | None:
        """Return the form of boards that a member has chosen, None for none."""
        chosen = await fetch_scalar_or_none(self._database, _CHOSEN, {"member": member_id})
        return Form(chosen) if chosen else None

    async def choose_form(self, member_id: MemberId, form: Form | None) -> None:
        """Write the form of boards that a member has chosen, or erase it."""
        if form is None:
            await change(self._database, _UNCHOSEN, {"member": member_id})
        else:
            chosen = {"user_id": member_id, "board": form.value}
            await write(self._database, upsert, member_settings, [chosen])

    async def visibility(self, member_id: MemberId) -> Visibility:
        """Return how a member is listed on the leaderboard of all servers."""
        shown = await fetch_scalar_or_none(self._database, _SHOWN, {"member": member_id})
        return Visibility(shown) if shown else Visibility.UNNAMED

    async def choose_visibility(self, member_id: MemberId, shown: Visibility) -> None:
        """Write how a member is listed there; the usual way takes no row."""
        if shown is Visibility.UNNAMED:
            await change(self._database, _SHOWN_AS_USUAL, {"member": member_id})
        else:
            chosen = {"user_id": member_id, "shown": shown.value}
            await write(self._database, upsert, member_everywhere, [chosen])

    async def challengers(self, member_id: MemberId) -> Challengers:
        """Return who may challenge a member."""
        chosen = await fetch_scalar_or_none(self._database, _CHALLENGERS, {"member": member_id})
        return Challengers(chosen) if chosen else Challengers.EVERYBODY

    async def choose_challengers(self, member_id: MemberId, challengers: Challengers) -> None:
        """Write who may challenge a member; everybody takes no row."""
        if challengers is Challengers.EVERYBODY:
            await change(self._database, _TAKES_CHALLENGES, {"member": member_id})
        else:
            chosen = {"user_id": member_id, "challengers": challengers.value}
            await write(self._database, upsert, member_challenges, [chosen])

    async def unwilling(self, member_ids: Collection[MemberId]) -> set[MemberId]:
        """Return those of these members whom nobody may challenge."""
        found = select(member_challenges.c.user_id).where(
            member_challenges.c.user_id.in_(member_ids),
            member_challenges.c.challengers == Challengers.NOBODY.value,
        )
        return {*await fetch_scalars(self._database, found)} if member_ids else set()

    async def change(self, server_id: ServerId, changes: NewSettings) -> None:
        """Write new choices, at least one."""
        row: dict[str, object] = {"guild_id": server_id, **changes}
        if "channels" in changes:
            row["channels"] = " ".join(map(str, changes["channels"]))
        await write(self._database, upsert, guild_settings, [row])
