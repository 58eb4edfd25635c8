"""The feature: tournaments of a server, from the first member to the last game."""

from collections.abc import Sequence
from contextlib import suppress

from bot.db.errors import ChangedError
from bot.gateway.commands import CommandBuilder
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.limits import Limits
from bot.gateway.loops import Loop
from bot.gateway.threads import Threads
from bot.i18n import ChannelTexts
from bot.identity import ChannelId, MemberId, ServerId
from bot.matches.boards import Boards
from bot.matches.here import SettingsHere
from bot.matches.model import StoredMatch
from bot.shards import Hears
from bot.tournaments.commands import TournamentCommands
from bot.tournaments.creation import TournamentCreation
from bot.tournaments.director import Director
from bot.tournaments.presses import Ask, ReallyDrop, ShowPage
from bot.tournaments.service import TournamentService

_EVERY_SECONDS = 5.0
_AT_ONCE = 5
# A start is put off until this many seconds from now, and again when half of them are left.
_PUT_OFF_SECONDS = 600


class Tournaments(Feature):
    """/tournament, the buttons of its messages, and the sweep that takes tournaments on."""

    def __init__(
        self,
        service: TournamentService,
        director: Director,
        boards: Boards,
        threads: Threads,
        limits: Limits,
        here: SettingsHere,
        hears: Hears,
    ):
        self._service = service
        self._director = director
        self._creation = TournamentCreation(service, director, threads, here)
        self._commands = TournamentCommands(service, director, boards, threads, limits)
        self._hears = hears
        self._loop = Loop("taking tournaments on", _EVERY_SECONDS, self.sweep)

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /tournament."""
        create, others = self._creation.command(build), self._commands.commands(build)
        return [build.group("tournament", (create, *others), on_servers=True)]

    def routes(self) -> Sequence[Route]:
        """Return the buttons of a tournament's message and of its pages."""
        return [
            route(Ask, self._commands.ask),
            route(ReallyDrop, self._commands.press_drop),
            route(ShowPage, self._commands.turn),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loops that take tournaments on, and find what was lost before this start."""
        look = self._director.look_for_lost
        return [
            self._loop,
            Loop("looking for lost games of tournaments", _EVERY_SECONDS, look, once=True),
        ]

    async def line(
        self, server_id: ServerId, member_id: MemberId, texts: ChannelTexts
    ) -> str | None:
        """Return the line of a profile with the tournaments that a member has won, if any."""
        count = await self._service.lists.won(server_id, member_id)
        return texts("profile.tournaments", count=count) if count else None

    async def sweep(self) -> None:
        """Take on every tournament in which something is due."""
        await self._put_off_starts()
        due = await self._service.lists.due(self._service.matches.now())
        await self._loop.each(due, self._director.go_on, _AT_ONCE)

    async def _put_off_starts(self) -> None:
        """Leave time to join where nobody can join now."""
        now = self._service.matches.now()
        starting = await self._service.lists.starting(now + _PUT_OFF_SECONDS // 2)
        for tournament_id, server_id in starting:
            if not self._hears(server_id):
                with suppress(ChangedError):  # it has begun, or was cancelled, meanwhile
                    await self._service.store.start_later(tournament_id, now + _PUT_OFF_SECONDS)

    def match_ended(self, stored: StoredMatch) -> None:
        """Take on the tournament of a match that has just ended, if it belongs to one."""
        if stored.tournament_id is not None:
            self._director.go_on_later(stored.tournament_id)

    async def channel_deleted(self, channel_id: ChannelId) -> None:
        """Open the game of a channel or thread that was deleted elsewhere."""
        await self._director.lost(channel_id)
