"""The feature: inviting members to matches."""

from collections.abc import Sequence

from bot.gateway.channels import Channels
from bot.gateway.commands import CommandBuilder
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.limits import Limits
from bot.gateway.loops import Loop
from bot.gateway.membership import Membership
from bot.invitations.buttons import InvitationButtons
from bot.invitations.closing import EVERY_SECONDS, Closing
from bot.invitations.commands import PlayCommands
from bot.invitations.model import (
    Challenge,
    ChooseGame,
    ChooseLevel,
    ChooseMember,
    OtherLevel,
    Reply,
)
from bot.invitations.play import Play
from bot.invitations.service import InvitationService
from bot.matches.boards import Boards
from bot.matches.presses import Begin, NewGame
from bot.matches.service import MatchService
from bot.matches.settings import CheckHere
from bot.matches.start import MatchStarter

_LAPSE_SECONDS = 5.0


class Invitations(Feature):
    """Challenges and open tables; those whose time has run out are closed."""

    def __init__(
        self,
        matches: MatchService,
        starter: MatchStarter,
        invitations: InvitationService,
        boards: Boards,
        channels: Channels,
        membership: Membership,
        check_here: CheckHere,
        limits: Limits,
    ):
        self._invitations = invitations
        self._closing = Closing(invitations, channels)
        play = Play(matches, starter, invitations, self._closing, boards, channels, check_here)
        self._commands = PlayCommands(play)
        self._buttons = InvitationButtons(
            matches,
            invitations,
            self._closing,
            boards,
            channels,
            membership,
            check_here,
            limits,
            play,
        )

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /play and *Challenge*."""
        return self._commands.commands(build)

    def routes(self) -> Sequence[Route]:
        """Return the presses on invitations, and on the questions that lead to a match."""
        buttons = self._buttons
        return [
            route(Reply, buttons.reply),
            route(Begin, buttons.begin),
            route(ChooseGame, buttons.choose_game),
            route(ChooseLevel, buttons.choose_level),
            route(ChooseMember, buttons.choose_member),
            route(Challenge, buttons.challenge),
            route(NewGame, buttons.next_game),
            route(OtherLevel, buttons.other_level),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the closing of invitations, and of the messages that were left."""
        return [
            Loop("closing invitations", _LAPSE_SECONDS, self.lapse, first_after=_LAPSE_SECONDS),
            Loop("changing closed invitations", EVERY_SECONDS, self._closing.catch_up),
        ]

    async def lapse(self) -> None:
        """Close the invitations whose time has run out, and show that in their messages."""
        for lapsed in await self._invitations.lapse():
            self._closing.change_later(lapsed)
