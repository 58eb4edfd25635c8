"""The feature: playing a match by buttons, menus and commands."""

import logging
from collections.abc import Sequence

from bot.gateway.commands import CommandBuilder
from bot.gateway.feature import AnyCommand, Feature, Loop, Route, route
from bot.matches.absence import Absence
from bot.matches.boards import Boards
from bot.matches.buttons import MatchButtons
from bot.matches.commands import MatchCommands
from bot.matches.presses import Group, Pick, Play, ShowLegal
from bot.matches.service import MatchService
from bot.refusals import Refusal

log = logging.getLogger(__name__)

_EVERY_SECONDS = 5.0


class Matches(Feature):
    """Playing matches, and making the moves that the computer owes after a restart."""

    def __init__(self, matches: MatchService, boards: Boards, absence: Absence):
        self._matches = matches
        self._boards = boards
        self._buttons = MatchButtons(matches, boards)
        self._commands = MatchCommands(matches, boards, absence)
        self._resuming = Loop("resuming matches", _EVERY_SECONDS, self.resume_all, count=1)

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /move, /moves and /board."""
        return self._commands.commands(build)

    def routes(self) -> Sequence[Route]:
        """Return the presses of squares, menus and the control that shows legal moves."""
        return [
            route(Play, self._buttons.play),
            route(Pick, self._buttons.pick),
            route(Group, self._buttons.group),
            route(ShowLegal, self._buttons.legal),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loop that writes boards, and the single round of `resume_all`."""
        return [
            Loop("writing boards", _EVERY_SECONDS, self._matches.store.write_boards),
            self._resuming,
        ]

    async def close(self) -> None:
        """Save which message shows which match."""
        await self._matches.store.write_boards()

    async def resume_all(self) -> None:
        """Let the computer make the moves that it owed when the program last ended."""
        for match_id in await self._matches.store.computer_due():
            if self._resuming.stopping:
                return
            try:
                stored = await self._matches.get(match_id)
                await self._boards.post(await self._matches.resume(stored))
            except Refusal as error:
                log.warning("match %s waits for /board: %s", match_id, error)
            except Exception:
                log.exception("match %s could not be resumed", match_id)
