"""The feature: playing a match by buttons, menus and commands."""

from collections.abc import Sequence

from bot.gateway.commands import CommandBuilder
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.loops import Loop
from bot.matches.buttons import MatchButtons
from bot.matches.commands import MatchCommands
from bot.matches.owed import Owed
from bot.matches.presses import Group, Pick, Play, ShowLegal
from bot.matches.store import BoardIds

_EVERY_SECONDS = 5.0
_CATCH_UP_EVERY_SECONDS = 120.0
# By then, whatever began before this start and was shown is known to have been shown.
_FIRST_BOARDS_AFTER_SECONDS = 10.0


class Matches(Feature):
    """Playing matches, and what a kill or a failure has left undone in them."""

    def __init__(
        self, board_ids: BoardIds, buttons: MatchButtons, commands: MatchCommands, owed: Owed
    ):
        self._board_ids = board_ids
        self._buttons = buttons
        self._commands = commands
        self._owed = owed

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /move, /moves and /board."""
        return self._commands.commands(build)

    def routes(self) -> Sequence[Route]:
        """Return the presses of squares, menus and the controls that the feature answers."""
        return [
            route(Play, self._buttons.play),
            route(Pick, self._buttons.pick),
            route(Group, self._buttons.group),
            route(ShowLegal, self._buttons.legal),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loop that writes boards, and those that do what was left undone."""
        return [
            Loop(
                "writing boards",
                _EVERY_SECONDS,
                self._board_ids.write,
                first_after=_EVERY_SECONDS,
                early=True,
            ),
            Loop("making owed moves", _EVERY_SECONDS, self._owed.make, once=True, early=True),
            Loop(
                "catching up with boards",
                _CATCH_UP_EVERY_SECONDS,
                self._owed.catch_up,
                first_after=_FIRST_BOARDS_AFTER_SECONDS,
                early=True,
            ),
        ]

    async def close(self) -> None:
        """Save which message shows which match."""
        await self._board_ids.write()
