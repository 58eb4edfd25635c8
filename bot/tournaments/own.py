"""How a member stands in a tournament that isn't over, told to them alone."""

from bot.i18n import OwnTexts, Texts
from bot.identity import MemberId
from bot.render import words
from bot.render.links import where_words
from bot.tournaments.lines import Lines
from bot.tournaments.model import Stage
from bot.tournaments.standings import shown_standings
from bot.tournaments.stored import StoredTournament

_MOST_GAMES = 3  # which are rarely more than one


def own_lines(stored: StoredTournament, member_id: MemberId, texts: Texts) -> list[str]:
    """Return the games that a member has now, or why they have none.

    Returns no lines for members who don't take part, or who have a place before the start.
    """
    if stored.tournament.stage is Stage.OPEN:
        waiting = [person.id for person in stored.waiting]
        if member_id not in waiting:
            return []
        return [texts("tournament.joined.waiting", count=waiting.index(member_id) + 1)]
    entrant = stored.entrant_of(member_id)
    if entrant is None or stored.over:
        return []
    if _is_out(stored, entrant.number):
        return [texts("tournament.own.out")]
    told, games = Lines(stored, texts), stored.tournament.played_now(entrant.number)
    return told.cut(games, told.game, _MOST_GAMES) or [texts("tournament.own.idle")]


def waiting_line(stored: StoredTournament, member_id: MemberId, texts: OwnTexts) -> str | None:
    """Return the line on a tournament for a member who waits for its start or their next game.

    Returns None for all others, such as those who are out, or whose match is listed by itself.
    """
    told, tournament = Lines(stored, texts), stored.tournament
    entrant = stored.entrant_of(member_id)
    own = own_lines(stored, member_id, texts)
    if entrant is not None:
        now = tournament.played_now(entrant.number)
        if _is_out(stored, entrant.number) or any(one.opened and not one.undecided for one in now):
            return None
    elif not own and member_id in {person.id for person in stored.taking_part}:
        own = [told.start()]
    if not own:
        return None
    rounds = [told.round(number) for number in tournament.rounds_on[:1]]
    line = texts.row(words.DOT, [told.title(), *rounds, *own])
    return texts.sentences([f"• {line}", where_words(stored.place, stored.message_id, texts)])


def _is_out(stored: StoredTournament, number: int) -> bool:
    """Return whether an entrant has withdrawn, or is out of a knockout."""
    lost = any(
        score.out_in is not None
        for score in shown_standings(stored.tournament)
        if score.entrant == number
    )
    return lost or not stored.tournament.entrants[number].here
