"""The feature: inviting members to matches, by /play, /answer and private questions."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.gateway.budget import Urgency
from bot.gateway.commands import CommandBuilder, Handler, localized, localized_by, read_choice
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, place_of
from bot.gateway.loops import Loop
from bot.gateway.requests import Requests
from bot.gateway.responses import response_of
from bot.i18n import OwnTexts, Texts
from bot.identity import MemberId, Person, Place
from bot.invitations.answers import Answers
from bot.invitations.asking import level_view, next_view, way_view
from bot.invitations.matchmaker import Matchmaker, check_company
from bot.invitations.messages import InvitationMessages
from bot.invitations.model import (
    Challenge,
    ChooseLevel,
    ChooseMember,
    First,
    OtherLevel,
    PlayInThread,
    Reply,
    ReplyInThread,
    TakeOverFor,
    Verb,
)
from bot.invitations.options import annotations, choices, complete_level, descriptions, others_of
from bot.invitations.seating import answered
from bot.invitations.service import InvitationService
from bot.invitations.view import button_keys, seat_lines
from bot.invitations.wishes import Named, Wish
from bot.matches.in_threads import MatchThreads
from bot.matches.model import StoredMatch
from bot.matches.options import given_options
from bot.matches.presses import Begin, ChooseGame, NewGame, TakeOver, Way
from bot.matches.service import MatchService, seat_or_refuse
from bot.matches.ways import Ways
from bot.refusals import Refusal
from bot.shards import Hears
from core.game import Game
from core.games import GAMES
from core.players import Computer, Member

_LAPSE_SECONDS = 5.0


class Invitations(Feature):
    """Challenges and open tables; those whose time has run out are closed."""

    def __init__(
        self,
        invitations: InvitationService,
        messages: InvitationMessages,
        matchmaker: Matchmaker,
        answers: Answers,
        threads: MatchThreads,
        matches: MatchService,
        ways: Ways,
        requests: Requests,
        hears: Hears,
    ):
        self.service = invitations
        self.messages = messages
        self._matchmaker = matchmaker
        self._answers = answers
        self._threads = threads
        self._matches = matches
        self._ways = ways
        self._requests = requests
        self._hears = hears

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /play, /answer and the entry of members' menus."""
        games = [self._play(game, build) for game in GAMES.values()]
        return [
            build.group("play", games),
            build.command(
                "answer",
                self.answer,
                {"answer": "option.answer", "member": "option.answer.member"},
                choices={"answer": [_choice(verb) for verb in Verb]},
            ),
            build.member_menu("menu.challenge", self._matchmaker.ask_against, private=True),
        ]

    def routes(self) -> Sequence[Route]:
        """Return the presses on invitations, and on the questions that lead to a match."""
        return [
            route(Reply, self._answers.reply),
            route(Begin, self.begin),
            route(ChooseGame, self.choose_game),
            route(ChooseLevel, self.choose_level),
            route(ChooseMember, self.choose_member),
            route(Challenge, self.challenge),
            route(NewGame, self.next_game),
            route(OtherLevel, self.other_level),
            route(TakeOver, self.take_over),
            route(TakeOverFor, self.take_over_for),
            route(PlayInThread, self.play_in_thread),
            route(ReplyInThread, self._answers.reply_in_thread),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loop that closes invitations."""
        return [
            Loop(
                "closing invitations",
                _LAPSE_SECONDS,
                partial(self.service.lapse, self._hears),
                first_after=_LAPSE_SECONDS,
                early=True,
            ),
        ]

    def _play(self, game: Game, build: CommandBuilder) -> app_commands.Command[Any, ..., None]:
        """Return the subcommand of a game."""
        return build.with_options(
            game.key,
            self._beginning(game),
            localized(f"game.{game.key}.command"),
            annotations(game),
            descriptions(game),
            choices(game),
            {"level": complete_level(game)},
        )

    async def answer(
        self,
        interaction: Interaction,
        answer: str,
        member: discord.User | discord.Member | None = None,
    ) -> None:
        """Answer the invitation in this channel that is meant, as its button does."""
        named = None if member is None else MemberId(member.id)
        await self._answers.answer(interaction, read_choice("answer", answer, Verb), named)

    def _beginning(self, game: Game) -> Handler:
        """Return the handler of a game's subcommand; it takes the options of the game."""

        async def begin(interaction: Interaction, **given: Any) -> None:
            first = given.get("first")
            wish = Wish(
                game,
                given_options(game, given.items()),
                [somebody for name in others_of(game) if (somebody := given.get(name))],
                given.get("level"),
                is_open=bool(given.get("open")),
                first=read_choice("first", first, First) if first else First.ME,
                clock=given.get("clock"),
            )
            await self._matchmaker.begin(interaction, wish)

        return begin

    async def begin(self, interaction: Interaction, press: Begin) -> None:
        """Ask for the game, or for the member to challenge."""
        if press.way is not Way.COMPUTER:
            check_company(interaction)
        await self._matchmaker.ask(interaction, way_view(press.way, own_texts_of(interaction)))

    async def choose_game(self, interaction: Interaction, press: ChooseGame) -> None:
        """Open a table for a game, or ask for the computer's level."""
        game = _game(press.game)
        if press.way is Way.TABLE:
            await self._matchmaker.begin(interaction, Wish(game, is_open=True))
        else:
            await self._matchmaker.ask(interaction, level_view(game, own_texts_of(interaction)))

    async def choose_level(self, interaction: Interaction, press: ChooseLevel) -> None:
        """Start a game against the computer."""
        await self._matchmaker.begin(interaction, Wish(_game(press.game), level=press.level))

    async def choose_member(self, interaction: Interaction, press: ChooseMember) -> None:
        """Ask for the game of a challenge."""
        opponent = await self._member(interaction, press.opponent)
        await self._matchmaker.ask_against(interaction, opponent)

    async def challenge(self, interaction: Interaction, press: Challenge) -> None:
        """Challenge a member to the usual board of a game."""
        game = _game(press.game)
        opponent = await self._member(interaction, press.opponent)
        await self._matchmaker.begin(interaction, Wish(game, named=[opponent]))

    async def next_game(self, interaction: Interaction, press: NewGame) -> None:
        """Ask what to play after a finished match."""
        stored = await self._matches.get(press.match, place_of(interaction).channel_id)
        view = next_view(stored, asker_of(interaction), own_texts_of(interaction))
        await self._matchmaker.ask(interaction, view)

    async def other_level(self, interaction: Interaction, press: OtherLevel) -> None:
        """Play the board of a match against the computer at another level, from the same seat."""
        stored = await self._matches.get(press.match, place_of(interaction).channel_id)
        first = First.OPPONENT if seat_or_refuse(stored, asker_of(interaction)) else First.ME
        match = stored.match
        wish = Wish(match.game, match.options, level=press.level, first=first)
        await self._matchmaker.begin(interaction, wish)

    async def take_over(self, interaction: Interaction, press: TakeOver) -> None:
        """Archive an idle match, and show the presser the ways to a match in its channel."""
        if not await self._ways.take_over(interaction, press.match):
            raise Refusal("refusal.channel_free")
        await response_of(interaction).edit(await self._ways.taken_over_view(interaction))

    async def take_over_for(self, interaction: Interaction, press: TakeOverFor) -> None:
        """Archive an idle match, and begin the one that was refused because of it."""
        named = [await self._member(interaction, one) for one in press.members]
        wish = Wish.from_press(press, _game(press.game), named)
        await self._matchmaker.take_over(interaction, wish, press.match)

    async def play_in_thread(self, interaction: Interaction, press: PlayInThread) -> None:
        """Begin the match that was refused in a busy channel, in a new thread."""
        async with self._threads.one_by_one(interaction) as may:
            if may:
                named = [await self._member(interaction, one) for one in press.members]
                wish = Wish.from_press(press, _game(press.game), named)
                await self._matchmaker.begin_in_thread(interaction, wish)

    async def challenge_again(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Challenge the other players of a match to the same one, in a new thread; raise Refusal.

        The match begins a series of its own.
        """
        seat, match = seat_or_refuse(stored, asker_of(interaction)), stored.match
        others = [one.id for one in match.players if isinstance(one, Member)]
        others.remove(asker_of(interaction))
        levels = [one.level for one in match.players if isinstance(one, Computer)]
        change_seats = match.rematch_players != match.players
        wish = Wish(
            match.game,
            match.options,
            [await self._member(interaction, MemberId(one)) for one in others],
            levels[0] if levels else None,
            first=First.ME if bool(seat) is change_seats else First.OPPONENT,
            clock=stored.clock or 0,
        )
        await self._matchmaker.begin_in_thread(interaction, wish)

    async def _member(self, interaction: Interaction, member_id: MemberId) -> Named:
        """Return a member of this server, elsewhere any user; raise Refusal if there is none.

        It takes one request, as no members are cached. Raises one of CALL_FAILED.
        """
        on_server = place_of(interaction).server_id is not None
        source = interaction.guild if on_server else None
        fetch = interaction.client.fetch_user if source is None else source.fetch_member
        try:
            return await self._requests.make(Urgency.POST, lambda: fetch(member_id))
        except discord.NotFound:
            raise Refusal("refusal.against_gone") from None

    @asynccontextmanager
    async def left_by(self, person: Person) -> AsyncIterator[None]:
        """Let a member who is erased in this context leave the open invitations of others.

        That includes a table of their own which a guest then owns. The invitations are shown
        afterwards, when they don't name the member any more.
        """
        found = await self.service.with_seat(person.id, None)
        left = [one for one in found if answered(one, Verb.LEAVE, person).owner.id != person.id]
        for one in left:
            with suppress(Refusal):  # it has closed in this moment
                await self._answers.leave(one, person)
        try:
            yield
        finally:
            for one in left:
                self.messages.refresh_later(one)

    async def invited(
        self, place: Place, member_id: MemberId, texts: OwnTexts
    ) -> tuple[list[str], list[str]]:
        """Return the `seat_lines` of the open invitations for a member, as seen from a place."""
        found = await self.service.with_seat(member_id, place.server_id)
        return seat_lines(found, member_id, texts)


def _choice(verb: Verb) -> app_commands.Choice[str]:
    """Return an answer under the names of its buttons, on challenges and on tables."""

    def named(texts: Texts) -> str:
        return " / ".join(texts(key) for key in button_keys(verb))

    return app_commands.Choice(name=localized_by(named), value=verb.value)


def _game(key: str) -> Game:
    """Return a game; raise Refusal if there is none with this key."""
    if key not in GAMES:
        raise Refusal("refusal.unknown_button")
    return GAMES[key]
