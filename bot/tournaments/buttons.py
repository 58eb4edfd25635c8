"""What members do to a tournament, by the buttons of its message and by commands alike."""

from functools import partial

import discord

from bot.gateway.components import text_view
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    own_texts_of,
    person_of,
    server_of,
)
from bot.gateway.limits import Kind, Limits
from bot.gateway.permissions import may_organise, may_see, server_permissions
from bot.gateway.responses import response_of
from bot.gateway.threads import Threads
from bot.identity import Person, Place, RoleId, TournamentId
from bot.matches.boards import Boards
from bot.refusals import Refusal
from bot.tournaments.director import Director
from bot.tournaments.model import PairingKey, Stage
from bot.tournaments.presses import Ask, ReallyDrop, ShowPage, Verb
from bot.tournaments.service import Asker, TournamentService, check_may_intervene, entrant_here
from bot.tournaments.stored import StoredTournament
from bot.tournaments.view import corrected_text, drop_view, named, page_view, sure_view


class TournamentButtons:
    """Joins, leaves, starts, cancels, corrects and shows tournaments for members."""

    def __init__(
        self,
        service: TournamentService,
        director: Director,
        boards: Boards,
        threads: Threads,
        limits: Limits,
    ):
        self._service = service
        self._director = director
        self._boards = boards
        self._threads = threads
        self._limits = limits

    async def ask(self, interaction: Interaction, press: Ask) -> None:
        """Carry out the press of a button of a tournament's message."""
        acts = {
            Verb.JOIN: self.join,
            Verb.LEAVE: self.leave,
            Verb.START: self.start,
            Verb.WITHDRAW: self._withdraw,
            Verb.CANCEL: self._cancel,
        }
        await acts[press.verb](interaction, press.tournament)

    async def turn(self, interaction: Interaction, press: ShowPage) -> None:
        """Show a page to the asker alone, in place of the page whose button was pressed, if any."""
        self._limits.count(Kind.PAGE, asker_of(interaction))
        stored = await self.stored(interaction, press.tournament)
        view = page_view(stored, press.number, own_texts_of(interaction), asker_of(interaction))
        await response_of(interaction).show_own(view)

    async def join(self, interaction: Interaction, tournament_id: TournamentId) -> None:
        """Let the asker join."""
        await self.stored(interaction, tournament_id)
        user = interaction.user
        held = user.roles if isinstance(user, discord.Member) else []
        roles = [RoleId(role.id) for role in held]
        stored = await self._service.join(
            tournament_id, person_of(user), roles, partial(_role_name, interaction)
        )
        texts, waiting = own_texts_of(interaction), [person.id for person in stored.waiting]
        if asker_of(interaction) in waiting:
            place = waiting.index(asker_of(interaction)) + 1
            told = texts("tournament.joined.waiting", count=place)
        else:
            told = texts("tournament.joined")
        await self._tell(interaction, stored, told)

    async def leave(
        self, interaction: Interaction, tournament_id: TournamentId, *, confirm: bool = False
    ) -> None:
        """Let the asker leave; once it has started, ask whether they really want to withdraw.

        They aren't asked if they `confirm` it beforehand.
        """
        stored = await self.stored(interaction, tournament_id)
        if stored.value.stage is not Stage.OPEN:
            if confirm:
                await self._withdraw(interaction, tournament_id)
                return
            playing = stored.value.plays(entrant_here(stored, asker_of(interaction)))
            question = "tournament.withdraw.really" if playing else "tournament.withdraw.idle"
            await self._make_sure(interaction, stored, Verb.WITHDRAW, question)
            return
        left = await self._service.leave(tournament_id, asker_of(interaction))
        await self._tell(interaction, left, own_texts_of(interaction)("tournament.left"))

    async def _withdraw(self, interaction: Interaction, tournament_id: TournamentId) -> None:
        """Let the asker withdraw, after they have confirmed it."""
        me, before = asker_of(interaction), await self.stored(interaction, tournament_id)
        playing = before.value.plays(entrant_here(before, me))
        stored = await self._service.withdraw(tournament_id, me)
        told = "tournament.left.playing" if playing else "tournament.left.idle"
        await self._tell(interaction, stored, own_texts_of(interaction)(told))

    async def drop(
        self,
        interaction: Interaction,
        tournament_id: TournamentId,
        player: Person,
        *,
        confirm: bool,
    ) -> None:
        """Take a player out for the organiser or a moderator; once it has started, ask them first.

        They aren't asked if they `confirm` it beforehand.
        """
        stored = await self.stored(interaction, tournament_id)
        by, texts = _asker(interaction), own_texts_of(interaction)
        entrant = await self._service.to_drop(stored, player, by)
        if entrant is not None and not confirm:
            await response_of(interaction).whisper(drop_view(stored, player, texts))
            return
        dropped = await self._service.drop(tournament_id, player, by)
        await self._tell(
            interaction, dropped, texts("tournament.dropped", player=named(player, texts))
        )

    async def press_drop(self, interaction: Interaction, press: ReallyDrop) -> None:
        """Take a player out for the organiser or a moderator, who have confirmed it."""
        stored = await self.stored(interaction, press.tournament)
        entrant = stored.entrant_of(press.member)
        if entrant is None:  # their data was erased meanwhile
            former = Person(press.member, own_texts_of(interaction)("player.former"))
            raise Refusal("refusal.tournament.not_in.other", player=former)
        await self.drop(interaction, press.tournament, entrant.person, confirm=True)

    async def start(self, interaction: Interaction, tournament_id: TournamentId) -> None:
        """Start a tournament for its organiser or a moderator."""
        stored = await self.stored(interaction, tournament_id)
        self.check_permissions(stored.place, threads=not stored.settings.channels)
        started = await self._service.start(tournament_id, _asker(interaction))
        await self._tell(interaction, started, own_texts_of(interaction)("tournament.started"))

    async def cancel(
        self, interaction: Interaction, tournament_id: TournamentId, *, confirm: bool
    ) -> None:
        """Ask the organiser or a moderator whether they really want to cancel a tournament.

        They aren't asked if they `confirm` it beforehand.
        """
        if confirm:
            await self._cancel(interaction, tournament_id)
            return
        stored = await self.stored(interaction, tournament_id)
        check_may_intervene(stored, _asker(interaction))
        await self._make_sure(interaction, stored, Verb.CANCEL, "tournament.cancel.really")

    async def _cancel(self, interaction: Interaction, tournament_id: TournamentId) -> None:
        """Cancel a tournament, after its organiser or a moderator has confirmed it."""
        await self.stored(interaction, tournament_id)
        stored = await self._service.cancel(tournament_id, _asker(interaction))
        await self._director.show_released(stored)
        await self._tell(interaction, stored, own_texts_of(interaction)("tournament.cancelled"))

    async def correct(
        self,
        interaction: Interaction,
        tournament_id: TournamentId,
        key: PairingKey,
        points: tuple[float, float],
    ) -> None:
        """Enter the result of a game for the organiser or a moderator."""
        await self.stored(interaction, tournament_id)
        by = _asker(interaction)
        stored, ended = await self._service.correct(tournament_id, by, key, points)
        if ended is not None:
            self._boards.post_later(ended)
        told = corrected_text(stored, stored.value.by_key[key], own_texts_of(interaction))
        await self._tell(interaction, stored, told)

    def check_permissions(self, place: Place, *, threads: bool) -> None:
        """Raise Refusal if a channel can't have `threads`, or the bot lacks a permission there."""
        if threads and not self._threads.possible_in(place):
            raise Refusal("refusal.tournament.place")
        missing = self._threads.missing(place, threads=threads)
        if missing:
            only_threads = threads and not self._threads.missing(place, threads=False)
            raise Refusal(
                "refusal.tournament.missing.threads"
                if only_threads
                else "refusal.tournament.missing",
                permissions=missing,
                channels=(place.channel_id,),
            )

    async def stored(
        self, interaction: Interaction, tournament_id: TournamentId
    ) -> StoredTournament:
        """Return a tournament of the server; raise Refusal.

        A tournament in a channel that the asker doesn't see exists only for its organiser and those
        who have joined.
        """
        stored = await self._service.get(tournament_id, server_of(interaction))
        own = asker_of(interaction) in {stored.organiser.id, *(one.id for one in stored.joined)}
        if not (own or may_see(interaction, stored.place.channel_id)):
            raise Refusal("refusal.tournament.none")
        return stored

    async def _make_sure(
        self, interaction: Interaction, stored: StoredTournament, verb: Verb, question: str
    ) -> None:
        view = sure_view(stored, verb, question, own_texts_of(interaction))
        await response_of(interaction).whisper(view)

    async def _tell(self, interaction: Interaction, stored: StoredTournament, told: str) -> None:
        """Tell the asker what was done, in place of the question whether they were sure, if any.

        The tournament goes on in the background.
        """
        self._director.go_on_later(stored.id)
        await response_of(interaction).show_own(text_view(told))


def _role_name(interaction: Interaction, role_id: RoleId) -> str:
    """Return the name of a role, its id if it is gone."""
    role = interaction.guild.get_role(role_id) if interaction.guild else None
    return role.name if role else str(role_id)


def _asker(interaction: Interaction) -> Asker:
    return Asker(person_of(interaction.user), may_organise(server_permissions(interaction)))
