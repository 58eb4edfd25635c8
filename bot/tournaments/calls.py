"""The calls to the games of a tournament, and the names of the threads in which they are played."""

from bot.gateway.components import Layout, view_of
from bot.i18n import ChannelTexts
from bot.render import words
from bot.tournaments.lines import Lines
from bot.tournaments.model import Pairing, TournamentGame
from bot.tournaments.stored import StoredTournament

# https://discord.com/developers/docs/resources/channel: characters of a thread's name
_THREAD_NAME = 100


def opened_view(stored: StoredTournament, game: TournamentGame, texts: ChannelTexts) -> Layout:
    """Return the message that calls both players to their game; it mentions them.

    A game that has begun before was moved here, because its channel is gone.
    """
    pairing = game.pairing
    first, second = (f"<@{person.id}>" for person in stored.tournament.people(pairing))
    clock = words.clock_words(stored.settings.clock, texts)
    values = {"first": first, "second": second, "clock": clock, "round": pairing.round}
    if game.match_id is not None:
        return view_of(texts("tournament.opened.moved", **values))
    if (favoured := Lines(stored, texts).favoured(pairing)) is not None:
        return view_of(texts("tournament.opened.draw_odds", favoured=favoured, **values))
    key = "tournament.opened.again" if pairing.game > 1 else "tournament.opened"
    return view_of(texts(key, **values))


def thread_name(stored: StoredTournament, pairing: Pairing, texts: ChannelTexts) -> str:
    """Return the name of a pairing's thread; it ends with a mark that no other thread has."""
    first, second = Lines(stored, texts).plain_names(pairing)
    key = "tournament.thread.again" if pairing.game > 1 else "tournament.thread"
    said = texts(key, round=pairing.round, game=pairing.game, first=first, second=second)
    mark = thread_mark(stored, pairing)
    return f"{said[: _THREAD_NAME - len(mark)]}{mark}"


def thread_mark(stored: StoredTournament, pairing: Pairing) -> str:
    """Return the end of the name of a pairing's thread, by which it is found again."""
    return f" · #{stored.id}.{pairing.key}"
