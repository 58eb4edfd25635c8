"""The feature: tournaments of a server, from the first member to the last game.

The buttons of a tournament's message act like the commands, with that tournament named.
"""

import logging
import re
from collections.abc import Sequence
from functools import partial

import discord
from discord import app_commands

from bot.db.errors import CorruptRowError
from bot.gateway.commands import CommandBuilder, Handler, Page, choices_of, read_choice
from bot.gateway.components import view_of
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    own_texts_of,
    person_of,
    place_of,
    server_of,
)
from bot.gateway.known_channels import KnownChannels
from bot.gateway.limits import Kind, Limits
from bot.gateway.loops import Loop
from bot.gateway.permissions import check_role, may_organise, permissions_in, server_permissions
from bot.gateway.responses import response_of
from bot.gateway.sight import Sight
from bot.i18n import ChannelTexts, OwnTexts
from bot.identity import MemberId, Person, Place, ServerId, TournamentId
from bot.refusals import Refusal
from bot.render import words
from bot.tournaments.corrections import Corrections
from bot.tournaments.creation import TournamentCreation, check_permissions, matching
from bot.tournaments.director import Director
from bot.tournaments.finished_threads import FinishedThreads
from bot.tournaments.intervening import (
    Intervener,
    check_may,
    check_on,
    check_open,
    entrant_here,
    may_intervene,
    to_drop,
)
from bot.tournaments.meant import Meant
from bot.tournaments.model import PairingKey, Stage
from bot.tournaments.own import waiting_line
from bot.tournaments.pages import page_view
from bot.tournaments.presses import Action, Ask, ReallyDrop, ShowPage
from bot.tournaments.service import TournamentService
from bot.tournaments.store import TournamentLists
from bot.tournaments.stored import StoredTournament
from bot.tournaments.view import corrected_text, game_choice, sure_view, tournament_choice

log = logging.getLogger(__name__)

_RESULTS = {"first": (1.0, 0.0), "second": (0.0, 1.0), "draw": (0.5, 0.5), "nobody": (0.0, 0.0)}
# The most tournaments of a member to look at: nobody plays in more at a time.
_MOST_ENTERED = 8
_ID = re.compile(r"[0-9]{1,18}", re.ASCII)


class Tournaments(Feature):
    """/tournament, and the buttons of its messages.

    If a command names no `tournament`, `Meant` finds the one that is meant.
    """

    def __init__(
        self,
        service: TournamentService,
        lists: TournamentLists,
        corrections: Corrections,
        director: Director,
        finished_threads: FinishedThreads,
        creation: TournamentCreation,
        known: KnownChannels,
        sight: Sight,
        limits: Limits,
    ):
        self._service = service
        self._lists = lists
        self._meant = Meant(lists)
        self._corrections = corrections
        self.director = director
        self._loops = *director.loops, finished_threads.loop
        self._creation = creation
        self._known = known
        self._sight = sight
        self._limits = limits

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /tournament."""
        options, confirm = {"tournament": "option.tournament"}, {"confirm": "option.confirm"}
        handlers: dict[str, tuple[Handler, dict[str, str]]] = {
            "join": (self.join, options),
            "leave": (self.leave, options | confirm),
            "show": (self.show, options | {"page": "option.page"}),
            "start": (self.start, options),
            "cancel": (self.cancel, options | confirm),
            "drop": (self.drop, options | confirm | {"member": "option.tournament.member"}),
        }
        complete = {"tournament": self.complete_tournament}
        others = [
            build.command(f"tournament {name}", handler, taken, private=True, complete=complete)
            for name, (handler, taken) in handlers.items()
        ]
        result = build.command(
            "tournament result",
            self.correct,
            options | {"game": "option.tournament.game", "result": "option.tournament.result"},
            private=True,
            choices={"result": choices_of("tournament.result.{}", _RESULTS)},
            complete=complete | {"game": self.complete_game},
        )
        create = self._creation.command(build)
        return [build.group("tournament", (create, *others, result), on_servers=True)]

    def routes(self) -> Sequence[Route]:
        """Return the buttons of a tournament's message and of its pages."""
        return [
            route(Ask, self.ask),
            route(ReallyDrop, self.press_drop),
            route(ShowPage, self.turn),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loops that take tournaments on and look after their channels and threads."""
        return self._loops

    async def profile_line(
        self, server_id: ServerId, member_id: MemberId, texts: ChannelTexts
    ) -> str | None:
        """Return the line of a profile with the tournaments that a member has won, if any."""
        count = await self._lists.won(server_id, member_id)
        return texts("profile.tournaments", count=count) if count else None

    async def waiting_lines(self, place: Place, member_id: MemberId, texts: OwnTexts) -> list[str]:
        """Return a line for each tournament of a server in which a member waits for a game."""
        if place.server_id is None:
            return []
        entered = await self._lists.entered_by(place.server_id, member_id, _MOST_ENTERED)
        lines = list[str]()
        for tournament_id in entered:
            try:
                stored = await self._service.get(tournament_id)
            except (Refusal, CorruptRowError) as error:  # it was erased, or can't be read
                log.warning("tournament %s is missing in a list: %s", tournament_id, error)
                continue
            if line := waiting_line(stored, member_id, texts):
                lines.append(line)
        return lines

    # --- handlers

    async def ask(self, interaction: Interaction, press: Ask) -> None:
        """Carry out the press of a button of a tournament's message, or of a question about it."""
        acts: dict[Action, Handler] = {
            Action.JOIN: self.join,
            Action.LEAVE: self.leave,
            Action.START: self.start,
            Action.WITHDRAW: partial(self.leave, confirm=True),
            Action.CANCEL: partial(self.cancel, confirm=True),
        }
        await acts[press.action](interaction, str(press.tournament))

    async def show(
        self, interaction: Interaction, tournament: str | None = None, page: Page = 1
    ) -> None:
        """Show a page to the asker alone, in place of the page whose button was pressed, if any."""
        me = asker_of(interaction)
        self._limits.count(Kind.PAGE, me)
        stored = await self._chosen(interaction, tournament)
        intervenes = may_intervene(stored, _intervener(interaction, stored))
        view = page_view(stored, page - 1, own_texts_of(interaction), me, intervenes=intervenes)
        await response_of(interaction).show_own(view)

    async def turn(self, interaction: Interaction, press: ShowPage) -> None:
        """Show another page."""
        await self.show(interaction, str(press.tournament), press.number + 1)

    async def join(self, interaction: Interaction, tournament: str | None = None) -> None:
        """Let the asker join."""
        meant = await self._chosen(interaction, tournament, Stage.OPEN)
        lacks, deleted = "refusal.tournament.role", "refusal.tournament.role.deleted"
        check_role(interaction, meant.settings.role_id, lacks, deleted)
        stored = await self._service.join(meant.id, person_of(interaction.user))
        texts = own_texts_of(interaction)
        waiting = [person.id for person in stored.waiting]
        told = texts("tournament.joined")
        if (me := asker_of(interaction)) in waiting:
            told = texts("tournament.joined.waiting", count=waiting.index(me) + 1)
        elif not stored.filled:  # the last place starts the tournament
            told = f"{told}\n{texts('tournament.joined.open')}"
        await self._tell(interaction, stored, told)

    async def leave(
        self, interaction: Interaction, tournament: str | None = None, *, confirm: bool = False
    ) -> None:
        """Let the asker leave; after the start, ask whether they really want to withdraw.

        With `confirm`, this doesn't ask.
        """
        me, texts = asker_of(interaction), own_texts_of(interaction)
        stored = await self._chosen(interaction, tournament)
        if stored.tournament.stage is Stage.OPEN:
            await self._service.leave(stored.id, me)
            await self._tell(interaction, stored, texts("tournament.left"))
            return
        playing = bool(stored.tournament.played_now(entrant_here(stored, me).number))
        if not confirm:
            question = "tournament.withdraw.really" if playing else "tournament.withdraw.idle"
            press = Ask(stored.id, Action.WITHDRAW)
            view = sure_view(texts(question), press, "leave", texts)
            await response_of(interaction).whisper(view)
            return
        await self._service.withdraw(stored.id, me)
        told = texts("tournament.left.playing" if playing else "tournament.left.idle")
        await self._tell(interaction, stored, told)

    async def drop(
        self,
        interaction: Interaction,
        member: discord.User | discord.Member,
        tournament: str | None = None,
        *,
        confirm: bool = False,
    ) -> None:
        """Take a player out for the organiser or a moderator; after the start, ask them first.

        With `confirm`, this doesn't ask. A member who takes themselves out leaves as by `leave`.
        """
        stored = await self._chosen(interaction, tournament)
        player = person_of(member)
        if player.id == asker_of(interaction):
            await self.leave(interaction, str(stored.id), confirm=confirm)
            return
        by, texts = _intervener(interaction, stored), own_texts_of(interaction)
        if to_drop(stored, player, by) is not None and not confirm:
            question = texts("tournament.drop.really", player=words.named(player, texts))
            view = sure_view(question, ReallyDrop(stored.id, player.id), "drop", texts)
            await response_of(interaction).whisper(view)
        else:
            await self._drop(interaction, stored, player)

    async def press_drop(self, interaction: Interaction, press: ReallyDrop) -> None:
        """Take a player out for the organiser or a moderator, who have confirmed it."""
        stored = await self._seen(interaction, press.tournament)
        entrant = stored.entrant_of(press.member)
        # None if their data was erased meanwhile.
        former = Person(press.member, own_texts_of(interaction)("player.former"))
        await self._drop(interaction, stored, entrant.person if entrant else former)

    async def _drop(
        self, interaction: Interaction, stored: StoredTournament, player: Person
    ) -> None:
        by = _intervener(interaction, stored)
        note, ended = await self._service.drop(stored.id, player, by)
        self.director.show_note(stored, ended, note)
        texts = own_texts_of(interaction)
        told = texts("tournament.dropped", player=words.named(player, texts))
        await self._tell(interaction, stored, told)

    async def start(self, interaction: Interaction, tournament: str | None = None) -> None:
        """Start a tournament for its organiser or a moderator."""
        stored = await self._chosen(interaction, tournament, Stage.OPEN)
        by = _intervener(interaction, stored)
        check_may(stored, by)
        check_open(stored)
        # Discord doesn't tell of a thread that it has archived; a message brings that back.
        if self._known.missing(stored.place) is not None:
            check_permissions(self._known, stored.place, opens=stored.settings.in_threads)
        await self._service.start(stored.id, by)
        await self._tell(interaction, stored, own_texts_of(interaction)("tournament.started"))

    async def cancel(
        self, interaction: Interaction, tournament: str | None = None, *, confirm: bool = False
    ) -> None:
        """Ask the organiser or a moderator whether they really want to cancel a tournament.

        With `confirm`, cancel it.
        """
        stored = await self._chosen(interaction, tournament)
        by = _intervener(interaction, stored)
        texts = own_texts_of(interaction)
        if not confirm:
            check_may(stored, by)
            check_on(stored)
            question = texts("tournament.cancel.really")
            press = Ask(stored.id, Action.CANCEL)
            view = sure_view(question, press, "cancel", texts)
            await response_of(interaction).whisper(view)
            return
        cancelled = await self._service.cancel(stored.id, by)
        await self.director.show_released(cancelled)
        await self._tell(interaction, cancelled, texts("tournament.cancelled"))

    async def correct(
        self, interaction: Interaction, game: str, result: str, tournament: str | None = None
    ) -> None:
        """Enter the result of a game for the organiser or a moderator."""
        meant = await self._chosen(interaction, tournament, Stage.RUNNING)
        points = _RESULTS[read_choice("result", result, _RESULTS)]
        key = _read_key(game)
        by = _intervener(interaction, meant)
        corrected = await self._corrections.correct(meant.id, by, key, points)
        self.director.show_corrected(corrected)
        told = corrected_text(corrected.stored, corrected.game, own_texts_of(interaction))
        await self._tell(interaction, corrected.stored, told)

    async def _chosen(
        self, interaction: Interaction, typed: str | None, stage: Stage | None = None
    ) -> StoredTournament:
        """Return the tournament that was chosen, or that is meant here; raise Refusal.

        If the channel has several, the one at this `stage` is meant.
        """
        if typed is None:
            seen = partial(self._sight.seen, interaction)
            meant = await self._meant.by_command(place_of(interaction), seen, stage)
        elif _ID.fullmatch(typed):
            meant = TournamentId(int(typed))
        else:
            raise Refusal("refusal.tournament.none")
        return await self._seen(interaction, meant)

    async def _seen(
        self, interaction: Interaction, tournament_id: TournamentId
    ) -> StoredTournament:
        """Return a tournament of the server; raise Refusal.

        A tournament in a channel that the asker doesn't see exists only for its organiser and those
        who have joined.
        """
        stored = await self._service.get(tournament_id, server_of(interaction))
        own = asker_of(interaction) in {stored.organiser.id, *(one.id for one in stored.joined)}
        if not (own or await self._sight.sees(interaction, stored.place.channel_id)):
            raise Refusal("refusal.tournament.none")
        return stored

    async def _tell(self, interaction: Interaction, stored: StoredTournament, told: str) -> None:
        """Tell the asker the result, in place of the question whether they were sure, if any.

        Also take the tournament on, in the background.
        """
        self.director.go_on_later(stored.id)
        await response_of(interaction).show_own(view_of(told))

    async def complete_tournament(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the tournaments of this server, those that aren't over first."""
        server_id = place_of(interaction).server_id
        if server_id is None:  # a server may have the commands without the bot
            return []
        texts = own_texts_of(interaction)
        listed = await self._meant.listed(server_id, partial(self._sight.seen, interaction))
        found = ((tournament_choice(one, texts), str(one.id)) for one in listed)
        return matching(found, current)

    async def complete_game(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the games of the meant tournament: running ones first, then by newest rounds."""
        try:
            typed = getattr(interaction.namespace, "tournament", None)
            stored = await self._chosen(interaction, typed, Stage.RUNNING)
        except Refusal:
            return []
        texts = own_texts_of(interaction)
        played = [one for one in stored.tournament.games if not one.pairing.is_bye]
        played.sort(key=lambda one: (one.over, -one.pairing.round, one.pairing.key))
        keys = ((game_choice(stored, one.pairing, texts), str(one.pairing.key)) for one in played)
        return matching(keys, current)


def _intervener(interaction: Interaction, stored: StoredTournament) -> Intervener:
    there = permissions_in(interaction, stored.place.channel_id)
    return Intervener(
        person_of(interaction.user),
        organises=may_organise(there),
        moderates=may_organise(server_permissions(interaction)),
    )


def _read_key(typed: str) -> PairingKey:
    """Return the key that is written as `typed`; raise Refusal."""
    try:
        return PairingKey.parse(typed)
    except ValueError as error:
        raise Refusal("refusal.tournament.no_game") from error
