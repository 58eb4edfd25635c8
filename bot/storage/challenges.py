"""Challenges in the database."""

import logging
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Update, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.records import Challenge, ChallengeStatus, Series, StoredMatch
from bot.storage.rows import CorruptRowError, read_challenge, write_options
from bot.storage.tables import challenges
from bot.storage.turns import ChangedError, insert_match
from core.match import Match

log = logging.getLogger(__name__)

_OPEN = challenges.c.status == ChallengeStatus.OPEN.value


class AlreadyOpenError(Exception):
    """The challenger has an open challenge in this channel."""


class ChallengeStore:
    """The challenges of one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def _find(self, *where: ColumnElement[bool]) -> list[Challenge]:
        async with self._engine.connect() as connection:
            rows = await connection.execute(select(challenges).where(*where))
            return [read_challenge(row) for row in rows]

    async def load(self, challenge_id: int) -> Challenge | None:
        """Return the challenge, None where there is none."""
        return next(iter(await self._find(challenges.c.id == challenge_id)), None)

    async def open_by(self, channel_id: int, challenger_id: int) -> Challenge | None:
        """Return the open challenge of a member in a channel."""
        found = await self._find(
            _OPEN,
            challenges.c.channel_id == channel_id,
            challenges.c.challenger_id == challenger_id,
        )
        return next(iter(found), None)

    async def expired(self, now: int) -> list[Challenge]:
        """Return the open challenges whose time ran out by `now` (Unix seconds).

        One that can't be read must not keep the others open: it is logged, and lapses unread.
        """
        due = select(challenges).where(_OPEN, challenges.c.expires_at <= now)
        found = []
        async with self._engine.begin() as connection:
            for row in await connection.execute(due):
                try:
                    found.append(read_challenge(row))
                except CorruptRowError:
                    log.exception("challenge %s lapses unread", row.id)
                    await connection.execute(_closing(row.id, ChallengeStatus.LAPSED))
        return found

    async def create(self, challenge: Challenge) -> Challenge:
        """Return `challenge` with its id; raise AlreadyOpenError."""
        try:
            async with self._engine.begin() as connection:
                result = await connection.execute(
                    insert(challenges).returning(challenges.c.id), _row(challenge)
                )
                return replace(challenge, id=result.scalar_one())
        except IntegrityError as error:
            raise AlreadyOpenError from error

    async def posted(self, challenge_id: int, message_id: int) -> None:
        """Note the message that shows the challenge."""
        async with self._engine.begin() as connection:
            await connection.execute(
                update(challenges)
                .where(challenges.c.id == challenge_id)
                .values(message_id=message_id)
            )

    async def close(self, challenge: Challenge, status: ChallengeStatus) -> Challenge:
        """Return the challenge with its new status; raise ChangedError unless it was open."""
        async with self._engine.begin() as connection:
            return await _close(connection, challenge, status)

    async def accept(
        self, challenge: Challenge, match: Match, series: Series, now: int
    ) -> StoredMatch:
        """Close the challenge and begin its match, both or neither.

        Raises ChangedError unless it was open, ChannelTakenError.
        """
        names = [player.name for player in challenge.players]
        async with self._engine.begin() as connection:
            await _close(connection, challenge, ChallengeStatus.ACCEPTED)
            return await connection.run_sync(
                insert_match, challenge.place, match, names, series, now, challenge.clock
            )


def _closing(challenge_id: int, status: ChallengeStatus) -> Update:
    return (
        update(challenges).where(challenges.c.id == challenge_id, _OPEN).values(status=status.value)
    )


async def _close(
    connection: AsyncConnection, challenge: Challenge, status: ChallengeStatus
) -> Challenge:
    result = await connection.execute(_closing(challenge.id, status))
    if result.rowcount != 1:
        raise ChangedError
    return replace(challenge, status=status)


def _row(challenge: Challenge) -> dict[str, Any]:
    return {
        "guild_id": challenge.place.guild_id,
        "channel_id": challenge.place.channel_id,
        "game": challenge.game,
        "options": write_options(challenge.options),
        "challenger_id": challenge.challenger.id,
        "challenger_name": challenge.challenger.name,
        "opponent_id": challenge.opponent.id,
        "opponent_name": challenge.opponent.name,
        "challenger_first": challenge.challenger_first,
        "status": challenge.status.value,
        "expires_at": challenge.expires_at,
        "clock": challenge.clock,
    }
