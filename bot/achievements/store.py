"""Achievements, and the ended matches that nobody has looked at.

A match is marked as examined in the transaction that writes its achievements. So each match brings
them once, in spite of kills and of several processes that look.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, bindparam, exists, or_, select, text, update

from bot.achievements.rules import Achievement
from bot.db.statements import insert_into
from bot.db.store import Store, transaction
from bot.db.tables import UNEXAMINED, achievements, guild_settings, matches, seats
from bot.identity import MatchId, MemberId, ServerId
from bot.matches.model import StoredMatch
from bot.matches.rows import DAMAGED, read_options
from core.games import GAMES
from core.options import Options

# Whether a member is first, alone or with others: `may_bring` takes no other seats.
_UNLOST = exists().where(
    seats.c.match_id == matches.c.id, seats.c.user_id.is_not(None), seats.c.rank == 1
)
# Only if the match hasn't changed since it was read: it may have been reopened.
_MARK = (
    update(matches)
    .where(
        matches.c.id == bindparam("match_id"),
        matches.c.ended_at.is_not(None),
        ~matches.c.honoured,
        matches.c.revision == bindparam("seen"),
    )
    .values(honoured=True)
)
_CLAIM = _MARK.returning(matches.c.guild_id, matches.c.ended_at)
# The seats are locked, so that the erasure of a member comes either before or afterwards.
_SEATED = (
    select(NotNullable(seats.c.user_id))
    .where(seats.c.match_id == bindparam("match_id"), seats.c.user_id.is_not(None))
    .order_by(seats.c.seat)
    .with_for_update()
)
_EARNED = select(achievements.c.achievement, achievements.c.earned_at).where(
    achievements.c.guild_id == bindparam("server"), achievements.c.user_id == bindparam("member")
)
_TELLS = select(guild_settings.c.tells_achievements).where(
    guild_settings.c.guild_id == bindparam("server")
)
_OTHER = seats.alias("other")
# Matches that a member has won alone, on the board, as `rules.may_bring` has it.
_WINS = (
    select(matches.c.game, matches.c.options)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        seats.c.user_id == bindparam("member"),
        seats.c.rank == 1,
        matches.c.guild_id == bindparam("server"),
        matches.c.ended_at.is_not(None),
        matches.c.ending.is_(None),
        matches.c.withdrawals == "",
        ~matches.c.hinted,
        ~matches.c.undone,
        ~exists().where(
            _OTHER.c.match_id == matches.c.id,
            _OTHER.c.seat != seats.c.seat,
            or_(_OTHER.c.rank == 1, _OTHER.c.user_id == seats.c.user_id),
        ),
    )
    .distinct()
)


class Unexamined(NamedTuple):
    """An ended match as it was read: its revision, and whether a member in it hasn't lost."""

    id: MatchId
    revision: int
    unlost: bool


class AchievementStore(Store):
    """The achievements of one database, and the ended matches on this process's servers."""

    async def unexamined(self, most: int) -> list[Unexamined]:
        """Return up to `most` ended matches of servers that nobody has looked at, oldest first."""
        unexamined = (
            select(matches.c.id, matches.c.revision, _UNLOST)
            .where(text(UNEXAMINED), self._database.serves(matches.c.guild_id))
            .order_by(matches.c.id)
            .limit(most)
        )
        rows = await self._fetch(unexamined)
        return [Unexamined(*row) for row in rows]

    async def earned(self, server_id: ServerId, member_id: MemberId) -> dict[Achievement, int]:
        """Return a member's achievements on a server, with the Unix seconds of each."""
        whose = {"server": server_id, "member": member_id}
        earned = await self._fetch(_EARNED, whose)
        known = {*Achievement}
        return {Achievement(name): moment for name, moment in earned if name in known}

    async def tells(self, server_id: ServerId) -> bool:
        """Return whether a server has chosen that channels hear of achievements."""
        return await self._fetch_scalar_or_none(_TELLS, {"server": server_id}) or False

    async def wins(self, server_id: ServerId, member_id: MemberId) -> list[tuple[str, Options]]:
        """Return the games and options with which a member has won on a server, each once."""
        whose = {"server": server_id, "member": member_id}
        found = []
        for game, options in await self._fetch(_WINS, whose):
            try:
                found.append((game, read_options(GAMES[game], options)))
            except DAMAGED:
                continue  # another version's board
        return found

    @transaction
    def award(
        self,
        connection: Connection,
        match_id: MatchId,
        seen: int,
        earned: Mapping[MemberId, Collection[Achievement]],
    ) -> dict[MemberId, list[Achievement]]:
        """Write the achievements of a match; return the new ones, none if it isn't due.

        `seen` is the revision of the match that was read.
        """
        claimed = connection.execute(_CLAIM, {"match_id": match_id, "seen": seen}).one_or_none()
        if claimed is None or not any(earned.values()):
            return {}
        found: dict[MemberId, list[Achievement]] = {}
        for member_id in connection.execute(_SEATED, {"match_id": match_id}).scalars().all():
            for achievement in sorted(earned.get(member_id, ()), key=[*Achievement].index):
                row = {
                    "guild_id": claimed.guild_id,
                    "user_id": member_id,
                    "achievement": achievement.value,
                    "match_id": match_id,
                    "earned_at": claimed.ended_at,
                }
                added = insert_into(connection, achievements).on_conflict_do_nothing()
                new = added.returning(achievements.c.user_id)
                if connection.execute(new, row).scalar_one_or_none() is not None:
                    found.setdefault(member_id, []).append(achievement)
        return found

    async def mark(self, nothing: Sequence[Unexamined | StoredMatch]) -> None:
        """Mark matches that bring nothing, at least one, if they are still as they were read."""
        rows = [{"match_id": ended.id, "seen": ended.revision} for ended in nothing]
        await self._execute(_MARK, rows)
