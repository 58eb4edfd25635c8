"""The feature: inviting members to matches."""

from collections.abc import Sequence

from bot.gateway.commands import CommandBuilder
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.loops import Loop
from bot.i18n import OwnTexts
from bot.identity import MemberId, Place
from bot.invitations.answers import Answers
from bot.invitations.buttons import QuestionButtons
from bot.invitations.commands import PlayCommands
from bot.invitations.matchmaker import Matchmaker
from bot.invitations.messages import EVERY_SECONDS, InvitationMessages
from bot.invitations.model import (
    Challenge,
    ChooseGame,
    ChooseLevel,
    ChooseMember,
    OtherLevel,
    Reply,
    TakeOverFor,
)
from bot.invitations.service import InvitationService
from bot.invitations.view import asked_line, offered_line
from bot.matches.presses import Begin, NewGame, TakeOver
from bot.matches.service import MatchService
from bot.shards import Hears

_LAPSE_SECONDS = 5.0


class Invitations(Feature):
    """Challenges and open tables; those whose time has run out are closed."""

    def __init__(
        self,
        invitations: InvitationService,
        messages: InvitationMessages,
        matchmaker: Matchmaker,
        answers: Answers,
        matches: MatchService,
        hears: Hears,
    ):
        self._invitations = invitations
        self._messages = messages
        self._matchmaker = matchmaker
        self._answers = answers
        self._questions = QuestionButtons(matchmaker, matches)
        self._hears = hears

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /play, /answer and *Challenge*."""
        return PlayCommands(self._matchmaker, self._answers).commands(build)

    def routes(self) -> Sequence[Route]:
        """Return the presses on invitations, and on the questions that lead to a match."""
        questions = self._questions
        return [
            route(Reply, self._answers.reply),
            route(Begin, questions.begin),
            route(ChooseGame, questions.choose_game),
            route(ChooseLevel, questions.choose_level),
            route(ChooseMember, questions.choose_member),
            route(Challenge, questions.challenge),
            route(NewGame, questions.next_game),
            route(OtherLevel, questions.other_level),
            route(TakeOver, questions.take_over),
            route(TakeOverFor, questions.take_over_for),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the closing of invitations, and of the messages that were left."""
        return [
            Loop(
                "closing invitations",
                _LAPSE_SECONDS,
                self.lapse,
                first_after=_LAPSE_SECONDS,
                early=True,
            ),
            Loop("changing closed invitations", EVERY_SECONDS, self._messages.catch_up, early=True),
        ]

    async def invited(
        self, place: Place, member_id: MemberId, texts: OwnTexts
    ) -> tuple[list[str], list[str]]:
        """Return a line for each open invitation with a seat for a member, as seen from a place.

        The first lines are of those that wait for the member's answer, the others wait for others.
        """
        asking, others = list[str](), list[str]()
        for one in await self._invitations.with_seat(member_id, place.server_id):
            if member_id in {person.id for person in one.asked}:
                asking.append(asked_line(one, texts))
            else:
                others.append(offered_line(one, texts))
        return asking, others

    async def lapse(self) -> None:
        """Close the invitations whose time has run out, and show that in their messages."""
        for changed in await self._invitations.lapse(self._hears):
            self._messages.refresh_later(changed)
