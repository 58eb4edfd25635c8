"""Challenges: an offered match that waits for one member, and lapses."""

from contextlib import suppress

from bot.errors import Refusal
from bot.matches import Matches
from bot.records import Challenge, ChallengeStatus, First, Person, Place, StoredMatch
from bot.storage.challenges import AlreadyOpenError, ChallengeStore
from bot.storage.turns import ChangedError, ChannelTakenError
from core.game import Game, Options
from core.games import GAMES
from core.match import Match, Member

_UNSAVED = 0


class Challenges:
    """Every way in which a challenge changes; `lifetime` is in seconds."""

    def __init__(self, store: ChallengeStore, matches: Matches, lifetime: int):
        self._store = store
        self._matches = matches
        self._lifetime = lifetime
        self._replaced: list[Challenge] = []

    async def offer(
        self,
        place: Place,
        game: Game,
        options: Options,
        challenger: Person,
        opponent: Person,
        first: First,
        clock: int | None = None,
        lifetime: int | None = None,
    ) -> Challenge:
        """Return a new challenge, stored before it is shown; raise OptionError, Refusal.

        `clock` and `lifetime` are in seconds; None for no clock, and for the usual lifetime.
        """
        resolved = game.resolve(options)
        await self._matches.check_free(place.channel_id)
        challenge = Challenge(
            id=_UNSAVED,
            place=place,
            game=game.key,
            options=resolved,
            challenger=challenger,
            opponent=opponent,
            challenger_first=comes_first(first, self._matches),
            expires_at=self._matches.clock() + (lifetime or self._lifetime),
            clock=clock,
        )
        try:
            return await self._store.create(challenge)
        except AlreadyOpenError:
            return await self._replace_lapsed(challenge)

    async def _replace_lapsed(self, challenge: Challenge) -> Challenge:
        """Store `challenge` where the open one in its way has run out of time; raise Refusal."""
        there = await self._store.open_by(challenge.place.channel_id, challenge.challenger.id)
        if there is not None and there.expires_at > self._matches.clock():
            raise Refusal("refusal.challenge_open", opponent=there.opponent.name)
        if there is not None:
            with suppress(ChangedError):  # cleared away in the same moment
                self._replaced.append(await self._store.close(there, ChallengeStatus.LAPSED))
        try:
            return await self._store.create(challenge)
        except AlreadyOpenError as error:
            raise Refusal("refusal.challenge_open", opponent=challenge.opponent.name) from error

    async def posted(self, challenge: Challenge, message_id: int) -> None:
        """Note the message that shows a challenge."""
        await self._store.posted(challenge.id, message_id)

    async def accept(self, challenge_id: int, member_id: int) -> StoredMatch:
        """Begin the match that was offered to this member; raise Refusal."""
        challenge = await self._for_opponent(challenge_id, member_id)
        matches = self._matches
        players = [Member(player.id) for player in challenge.players]
        match = Match.begin(GAMES[challenge.game], challenge.options, players, matches.rng)
        series = await matches.series_of(challenge.place, match)
        try:
            return await self._store.accept(challenge, match, series, matches.clock())
        except ChangedError as error:
            raise Refusal("refusal.challenge_gone") from error
        except ChannelTakenError as error:
            await matches.check_free(challenge.place.channel_id)
            raise Refusal("refusal.try_again") from error

    async def decline(self, challenge_id: int, member_id: int) -> Challenge:
        """Return the challenge, declined by the challenged member; raise Refusal."""
        challenge = await self._for_opponent(challenge_id, member_id)
        return await self._close(challenge, ChallengeStatus.DECLINED)

    async def withdraw(self, challenge_id: int, member_id: int) -> Challenge:
        """Return the challenge, withdrawn by its challenger; raise Refusal."""
        challenge = await self._open(challenge_id)
        if member_id != challenge.challenger.id:
            raise Refusal("refusal.not_challenger", challenger=challenge.challenger.name)
        return await self._close(challenge, ChallengeStatus.WITHDRAWN)

    async def lapse(self) -> list[Challenge]:
        """Close the challenges whose time has run out; return them and those closed for others."""
        lapsed, self._replaced = self._replaced, []
        for challenge in await self._store.expired(self._matches.clock()):
            try:
                lapsed.append(await self._store.close(challenge, ChallengeStatus.LAPSED))
            except ChangedError:
                continue  # answered in the same moment
        return lapsed

    async def _for_opponent(self, challenge_id: int, member_id: int) -> Challenge:
        challenge = await self._open(challenge_id)
        opponent = challenge.opponent
        if member_id == challenge.challenger.id:
            raise Refusal("refusal.own_challenge", opponent=opponent.name)
        if member_id != opponent.id:
            raise Refusal("refusal.not_challenged", opponent=opponent.name)
        return challenge

    async def _open(self, challenge_id: int) -> Challenge:
        challenge = await self._store.load(challenge_id)
        if challenge is None or challenge.status is not ChallengeStatus.OPEN:
            raise Refusal("refusal.challenge_gone")
        if challenge.expires_at <= self._matches.clock():
            raise Refusal("refusal.challenge_lapsed")
        return challenge

    async def _close(self, challenge: Challenge, status: ChallengeStatus) -> Challenge:
        try:
            return await self._store.close(challenge, status)
        except ChangedError as error:
            raise Refusal("refusal.challenge_gone") from error


def comes_first(first: First, matches: Matches) -> bool:
    """Return whether the asker takes the first seat."""
    if first is First.RANDOM:
        return matches.rng.random() < 0.5
    return first is First.ME
