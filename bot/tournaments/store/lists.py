"""Lists of tournaments: with something due, in a channel, on a server, or of a member."""

import logging
from collections.abc import Collection, Sequence

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    and_,
    bindparam,
    func,
    or_,
    select,
    text,
    union_all,
)

from bot.db.database import Database
from bot.db.errors import CorruptRowError
from bot.db.servers import removed
from bot.db.store import Store
from bot.db.tables import (
    UNFINISHED,
    WAITING_INVITATION,
    invitations,
    matches,
    tournament_entrants,
    tournament_games,
    tournaments,
)
from bot.identity import ChannelId, MemberId, ServerId, TournamentId
from bot.matches.store import LIVE
from bot.tournaments.model import Stage
from bot.tournaments.rows import read_listed
from bot.tournaments.store.tournaments import OVER
from bot.tournaments.stored import Listed

log = logging.getLogger(__name__)

_UNFINISHED = text(f"({UNFINISHED})")
_OF_TOURNAMENT = tournament_games.c.tournament_id == tournaments.c.id


def _has_game(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a tournament has a game that isn't over and meets `conditions`.

    This is no `EXISTS`, because PostgreSQL would answer that for all tournaments at once, from all
    games ever played.
    """
    games = select(tournament_games.c.round).where(_OF_TOURNAMENT, ~OVER, *conditions).limit(1)
    return games.scalar_subquery().is_not(None)


_MATCH_ENDED_OR_ELSEWHERE = _has_game(
    matches.c.id == tournament_games.c.match_id,
    tournament_games.c.how.is_(None),  # otherwise nothing is due until a result is entered
    or_(matches.c.ended_at.is_not(None), matches.c.channel_id != tournament_games.c.channel_id),
)
_NOT_BEGUN = _has_game(
    or_(tournament_games.c.match_id.is_(None), tournament_games.c.channel_id.is_(None))
)
_FULL = (
    select(func.count())
    .where(tournament_entrants.c.tournament_id == tournaments.c.id)
    .scalar_subquery()
    >= tournaments.c.places
)
_DUE = (
    select(tournaments.c.id)
    .where(
        _UNFINISHED,
        tournaments.c.retry_at <= bindparam("now"),
        ~removed(tournaments.c.guild_id),
        or_(
            tournaments.c.shown < tournaments.c.revision,
            ~tournaments.c.told,
            and_(
                tournaments.c.stage == Stage.OPEN.value,
                or_(
                    tournaments.c.starts_at <= bindparam("now"),
                    and_(tournaments.c.when_full, _FULL),
                ),
            ),
            and_(
                tournaments.c.stage == Stage.RUNNING.value,
                or_(_MATCH_ENDED_OR_ELSEWHERE, _NOT_BEGUN, ~_has_game()),
            ),
        ),
    )
    .order_by(tournaments.c.id)
)
_HELD = select(tournaments.c.id).where(
    _UNFINISHED, tournaments.c.stage.in_((Stage.OPEN.value, Stage.RUNNING.value))
)
_PLAYED = (
    select(tournament_games.c.channel_id)
    .join(tournaments, _OF_TOURNAMENT)
    .where(_UNFINISHED, ~OVER, tournaments.c.stage == Stage.RUNNING.value)
)
_THREADS: BindParameter[Sequence[ChannelId]] = bindparam("threads", expanding=True)
_IN_USE: CompoundSelect[ChannelId | None] = union_all(
    select(tournament_games.c.channel_id).where(
        tournament_games.c.channel_id.in_(_THREADS), tournament_games.c.match_id.is_(None), ~OVER
    ),
    select(matches.c.channel_id).where(
        matches.c.channel_id.in_(_THREADS), or_(LIVE, matches.c.ended_at > bindparam("since"))
    ),
    select(invitations.c.channel_id).where(
        invitations.c.channel_id.in_(_THREADS), text(WAITING_INVITATION)
    ),
)
_WON = (
    select(func.count())
    .select_from(tournament_entrants)
    .join(tournaments, tournaments.c.id == tournament_entrants.c.tournament_id)
    .where(
        tournament_entrants.c.user_id == bindparam("member"),
        tournament_entrants.c.rank == 1,
        tournaments.c.guild_id == bindparam("server"),
    )
)


class TournamentLists(Store):
    """Lists of the tournaments of one database."""

    def __init__(self, database: Database):
        super().__init__(database)
        here = database.serves(tournaments.c.guild_id)
        self._due = _DUE.where(here)
        self._held = _HELD.with_only_columns(tournaments.c.channel_id).where(here)
        self._played = _PLAYED.where(here)

    async def due(self, now: int) -> Sequence[TournamentId]:
        """Return the tournaments here in which something is due `now` (Unix seconds).

        On a server that has removed the bot nothing is due until its return.
        """
        return await self._fetch_scalars(self._due, {"now": now})

    async def channels(self) -> list[ChannelId]:
        """Return the channels in which tournaments here are held, then those of unfinished games.

        Only tournaments that are open to join or being played count.
        """
        held = await self._fetch_scalars(self._held.distinct())
        return [*held, *filter(None, await self._fetch_scalars(self._played))]

    async def held_in(self, channel_id: ChannelId) -> Sequence[TournamentId]:
        """Return the tournaments in a channel that are open to join or being played."""
        held = _HELD.where(tournaments.c.channel_id == channel_id)
        return await self._fetch_scalars(held)

    async def listed(self, server_id: ServerId, most: int) -> list[Listed]:
        """Return up to `most` tournaments of a server: first those not over, then the last to end.

        One that can't be read is logged and left out, so that it doesn't hide the others.
        """
        last = tournaments.c.stage.in_((Stage.ENDED.value, Stage.CANCELLED.value))
        of_server = (
            select(tournaments)
            .where(tournaments.c.guild_id == server_id)
            .order_by(last, tournaments.c.ended_at.desc(), tournaments.c.id.desc())
            .limit(most)
        )
        found = list[Listed]()
        for row in await self._fetch(of_server):
            try:
                found.append(read_listed(row))
            except CorruptRowError:
                log.exception("a tournament is missing in a list")
        return found

    async def entered_by(
        self, server_id: ServerId, member_id: MemberId, most: int
    ) -> Sequence[TournamentId]:
        """Return up to `most` tournaments of a server that aren't over, and that a member joined.

        The newest come first.
        """
        entered = (
            _HELD.join(tournament_entrants, tournament_entrants.c.tournament_id == tournaments.c.id)
            .where(tournaments.c.guild_id == server_id, tournament_entrants.c.user_id == member_id)
            .order_by(tournaments.c.id.desc())
            .limit(most)
        )
        return await self._fetch_scalars(entered)

    async def played_in(self, channel_id: ChannelId) -> Sequence[TournamentId]:
        """Return the running tournaments with an unfinished game in a channel or thread."""
        played = _PLAYED.where(tournament_games.c.channel_id == channel_id)
        ids = played.with_only_columns(tournament_games.c.tournament_id).distinct()
        return await self._fetch_scalars(ids)

    async def in_use(self, threads: Sequence[ChannelId], since: int) -> Collection[ChannelId]:
        """Return those of these threads in which a match is played, or waits to begin.

        So are those in which one was played `since` that moment (Unix seconds).
        """
        asked = {"threads": threads, "since": since}
        return {*filter(None, await self._fetch_scalars(_IN_USE, asked))}

    async def last_in(self, channel_id: ChannelId) -> Sequence[TournamentId]:
        """Return the newest tournament with a game in a channel or thread, if there is one."""
        ids = tournament_games.c.tournament_id
        played_here = select(ids).where(tournament_games.c.channel_id == channel_id)
        return await self._fetch_scalars(played_here.order_by(ids.desc()).limit(1))

    async def won(self, server_id: ServerId, member_id: MemberId) -> int:
        """Return the number of tournaments that a member has won on a server."""
        return await self._fetch_scalar(_WON, {"server": server_id, "member": member_id})
