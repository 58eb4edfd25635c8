"""The pages of a tournament, which a member sees alone."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from discord.utils import as_chunks

from bot.gateway.components import Layout, Part, card, page_end
from bot.i18n import Texts
from bot.identity import MemberId
from bot.tournaments.lines import Lines
from bot.tournaments.model import Stage
from bot.tournaments.own import own_lines
from bot.tournaments.pairings import may_correct
from bot.tournaments.presses import ShowPage
from bot.tournaments.standings import Score, shown_standings
from bot.tournaments.stored import StoredTournament

# The most lines of a page: they fit even if all names are long and have to be escaped.
_PAGE = 13

_Entry: TypeAlias = str | Callable[[], str]
"""A line of a page, or a function that writes it if its page is shown."""
_Section: TypeAlias = tuple[str, Sequence[_Entry], Sequence[str]]
"""The head, the lines and the notes of a part of the pages."""


def page_view(
    stored: StoredTournament,
    number: int,
    texts: Texts,
    asker_id: MemberId,
    *,
    intervenes: bool = False,
) -> Layout:
    """Return a page of a tournament for one member; the last page if `number` is too great.

    The pages have the standings, or the members who have joined and those who wait, then the games
    of the current rounds, the interventions, and finally the games of earlier rounds, the latest
    first. In a knockout the games come before the standings until somebody is out. Above the
    standings is the asker's own line, unless their first page has it, and above all is how the
    asker stands. The interventions tell an asker who `intervenes` how to bring back a player who
    didn't show up.
    """
    told = Lines(stored, texts)
    pages = [*_Pages(told, stored, texts, asker_id, intervenes=intervenes).all()]
    shown = min(number, len(pages) - 1)
    parts: list[Part] = [told.heading()]
    if shown == 0:
        parts += (
            texts("leaderboard.own", line=line) for line in own_lines(stored, asker_id, texts)
        )
    if stored.tournament.stage is Stage.CANCELLED:
        parts.append(told.cancelled())
    parts += (line if isinstance(line, str) else line() for line in pages[shown])
    end = page_end(shown, len(pages), lambda page: ShowPage(stored.id, page), texts)
    return card([*parts, *end])


class _Pages:
    """The lines of all pages of a tournament, for one member."""

    def __init__(
        self,
        told: Lines,
        stored: StoredTournament,
        texts: Texts,
        asker_id: MemberId,
        *,
        intervenes: bool,
    ):
        self._told = told
        self._stored = stored
        self._tournament = stored.tournament
        self._texts = texts
        self._asker_id = asker_id
        self._intervenes = intervenes

    def all(self) -> Iterator[list[_Entry]]:
        """Yield the lines of each page; rounds that are over share pages, other parts don't."""
        for head, entries, notes in self._sections():
            for some in as_chunks(entries, _PAGE):
                yield [head, *some, *notes]
        page: list[_Entry] = []
        over = {*range(1, self._tournament.round + 1)} - {*self._tournament.rounds_on}
        for number in sorted(over, reverse=True):
            head = self._told.round(number)
            for game in self._told.all_of(number):
                if len(page) + 2 > _PAGE:
                    yield page
                    page = []
                page += [game] if head in page else [head, game]
        if page:
            yield page

    def _sections(self) -> Iterator[_Section]:
        """Yield the head, the lines and the notes of each part, up to the interventions.

        Each page of a part has its head and its notes.
        """
        if self._tournament.entrants:
            scores = shown_standings(self._tournament)
            ranked, games = self._ranked(scores), [*self._current_rounds()]
            # At first the standings of a knockout say nothing: nobody is out yet.
            said = not self._told.is_undecided() or any(
                score.out_in is not None for score in scores
            )
            yield from [ranked, *games] if said else [*games, ranked]
        else:
            yield self._told.terms(), [*self._told.opening(), *self._told.joined()], ()
            waiting = as_chunks(self._stored.waiting, _PAGE)
            yield "", [line for some in waiting for line in self._told.waiting(some)], ()
        back = self._back() if self._intervenes else ()
        yield "", [partial(self._told.note, one) for one in reversed(self._stored.notes)], back

    def _ranked(self, scores: Sequence[Score]) -> _Section:
        """Return the standings, with the asker's own line in their head."""
        heading = [self._told.standings_heading(), *self._own_line(scores)]
        notes = [*self._told.tie_break(scores), *self._told.uncounted()]
        return "\n".join(heading), [partial(self._told.line, one) for one in scores], notes

    def _current_rounds(self) -> Iterator[_Section]:
        """Yield the rounds of which games are being played, each with all its games."""
        on = self._tournament.rounds_on
        for number in on:
            note = self._told.no_channel() if number == on[-1] else []
            yield self._told.round(number), [*self._told.all_of(number), *note], ()

    def _own_line(self, scores: Sequence[Score]) -> list[str]:
        """Return the asker's line of the standings, if their first page doesn't have it."""
        me = self._stored.entrant_of(self._asker_id)
        own = [score for score in scores[_PAGE:] if me and score.entrant == me.number]
        return [self._texts("leaderboard.own", line=self._told.line(score)) for score in own]

    def _back(self) -> list[str]:
        """Return the line on how to bring back a withdrawn player, if that can be done."""
        tournament = self._tournament
        can = tournament.stage is Stage.RUNNING and any(
            self._stored.brings_back(game, one.number) and may_correct(tournament, game)
            for one in tournament.entrants
            for game in tournament.games_of(one.number)
            if not one.here and game.over
        )
        return [self._texts("tournament.back")] if can else []
