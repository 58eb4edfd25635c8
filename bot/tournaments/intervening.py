"""What the organiser and moderators may do in a tournament, and what its stage lets anybody do."""

from dataclasses import dataclass

from bot.identity import MemberId, Person, is_former
from bot.refusals import Refusal
from bot.tournaments.model import Entrant, Stage, TournamentGame
from bot.tournaments.standings import standings
from bot.tournaments.stored import StoredTournament


@dataclass(frozen=True)
class Intervener:
    """A member who wants to do what organisers do.

    `organises` says whether they may still run tournaments of their own in its channel, `moderates`
    whether they run all tournaments of the server.
    """

    person: Person
    organises: bool = True
    moderates: bool = False


def may_intervene(stored: StoredTournament, by: Intervener) -> bool:
    """Return whether this member may do what organisers do."""
    return by.moderates or (by.organises and by.person.id == stored.organiser.id)


def check_may(stored: StoredTournament, by: Intervener) -> None:
    """Raise Refusal unless this member may do what organisers do."""
    if may_intervene(stored, by):
        return
    if by.person.id == stored.organiser.id or is_former(stored.organiser.id):
        raise Refusal("refusal.tournament.not_organiser.now")
    raise Refusal("refusal.tournament.not_organiser", organiser=stored.organiser)


def check_disinterested(
    stored: StoredTournament, by: Intervener, before: TournamentGame, after: TournamentGame
) -> None:
    """Raise Refusal if this member plays in the game whose result they want to change.

    Once it is over they may give it to their opponent. Before that they resign: an entered result
    would save their rating.
    """
    own = stored.entrant_of(by.person.id)
    if own is None or own.number not in before.pairing.entrants:
        return
    playable = not before.over and not before.undecided
    if playable or after.winner != after.opponent(own.number):
        raise Refusal("refusal.tournament.own_game")


def to_drop(stored: StoredTournament, player: Person, by: Intervener) -> Entrant | None:
    """Return the entrant whom the organiser or a moderator may take out; raise Refusal.

    Returns None before the start, if the player has joined.
    """
    check_may(stored, by)
    check_on(stored)
    entrant = stored.entrant_of(player.id)
    if entrant is not None and entrant.here:
        if _may_still_win(stored, by.person):
            raise Refusal("refusal.tournament.rival")
        return entrant
    if stored.tournament.stage is Stage.OPEN and player.id in {one.id for one in stored.joined}:
        return None
    raise Refusal("refusal.tournament.not_in.other", player=player)


def _may_still_win(stored: StoredTournament, person: Person) -> bool:
    """Return whether a member is an entrant who has neither withdrawn nor lost in a knockout."""
    own = stored.entrant_of(person.id)
    if own is None or not own.here:
        return False
    return all(
        score.out_in is None
        for score in standings(stored.tournament)
        if score.entrant == own.number
    )


def check_on(stored: StoredTournament) -> None:
    """Raise Refusal if the tournament is over."""
    if stored.over:
        raise Refusal("refusal.tournament.over")


def check_open(stored: StoredTournament) -> None:
    """Raise Refusal unless the tournament is open to join."""
    check_on(stored)
    if stored.tournament.stage is not Stage.OPEN:
        raise Refusal("refusal.tournament.started")


def entrant_here(stored: StoredTournament, member_id: MemberId) -> Entrant:
    """Return a member as an entrant who may withdraw from a running tournament; raise Refusal."""
    check_on(stored)
    entrant = stored.entrant_of(member_id)
    if entrant is None:
        raise Refusal("refusal.tournament.not_in")
    if not entrant.here:
        raise Refusal("refusal.tournament.left_already")
    return entrant
