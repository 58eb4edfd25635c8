"""Tournaments as messages: the one that everybody sees, private pages, calls to games, the end."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias, TypeVar

from discord import ButtonStyle
from discord.utils import as_chunks

from bot.gateway.components import (
    Component,
    Layout,
    Part,
    Upload,
    button,
    button_row,
    card,
    gallery,
    page_end,
    question_view,
    view_of,
)
from bot.i18n import ChannelTexts, Texts, channel_texts
from bot.identity import Escaped, MemberId, Person, escape, plain
from bot.matches.ways import rules_button
from bot.render import words
from bot.render.emoji import ZERO_WIDTH
from bot.tournaments.model import Format, Pairing, Stage, Tournament, TournamentGame
from bot.tournaments.obstacles import Obstacle
from bot.tournaments.pairings import without_opponent
from bot.tournaments.presses import Action, Ask, ReallyDrop, ShowPage
from bot.tournaments.standings import Score, podium, standings, uncounted
from bot.tournaments.stored import Listed, Note, NoteKind, StoredTournament

# The most lines of the message and of a page, and the most names in one of them: these fit even if
# all names are long and have to be escaped.
_MOST_LINES = 13
_MOST_GAMES = 13
_PAGE = 13
_MOST_ASIDE = 3  # in a line below the standings
_MOST_JOINED = 16  # as many as a tournament usually has places
# https://discord.com/developers/docs/resources/channel: characters of a thread's name
_THREAD_NAME = 100
# Between a name and points, which stay on one line.
_DOT = f"{words.NO_BREAK_SPACE}·{words.NO_BREAK_SPACE}"
_MEDALS = ("🥇", "🥈", "🥉")

T = TypeVar("T")

_Entry: TypeAlias = str | Callable[[], str]
"""A line of a page, or a function that writes it if its page is shown: there may be thousands."""

_Section: TypeAlias = tuple[str, Sequence[_Entry], Sequence[str]]
"""The head, the lines and the notes of a part of the pages."""


def tournament_view(
    stored: StoredTournament, obstacle: Obstacle | None = None, picture: Upload | None = None
) -> Layout:
    """Return the message that shows a tournament to its channel.

    The `obstacle` keeps it from going on, `picture` is its bracket or table.
    """
    texts = channel_texts(stored.language)
    told = _Telling(stored, texts)
    parts: list[Part] = [told.heading(), told.terms()]
    if stored.tournament.stage is Stage.OPEN:
        parts += told.opening()
        parts += told.cut(told.joined(), str, _MOST_JOINED)
        parts += told.waiting(stored.waiting)
    elif stored.tournament.entrants:
        parts += told.progress()
        parts += told.picture(picture)
    if stored.tournament.stage is Stage.CANCELLED:
        parts.append(told.cancelled())
    elif obstacle is not None:
        parts.append(told.held_up_by(obstacle))
    return card([*parts, button_row(*_buttons(stored, texts))])


def _buttons(stored: StoredTournament, texts: Texts) -> list[Component]:
    def ask(action: Action, style: ButtonStyle = ButtonStyle.secondary) -> Component:
        return button(texts(f"button.{action}"), Ask(stored.id, action), style)

    show = button(texts("button.tournament.show"), ShowPage(stored.id, 0))
    if stored.tournament.stage is Stage.OPEN:
        join = ask(Action.JOIN, ButtonStyle.success)
        rules = rules_button(stored.settings.game, texts)
        return [join, ask(Action.LEAVE), ask(Action.START), show, rules]
    return [ask(Action.LEAVE), show] if stored.tournament.stage is Stage.RUNNING else [show]


def sure_view(question: str, press: Ask | ReallyDrop, command: str, texts: Texts) -> Layout:
    """Return the `question` whether a member is sure, with the `press` and the command for yes."""
    label = press.action if isinstance(press, Ask) else "drop"
    yes = button(texts(f"button.tournament.{label}"), press, ButtonStyle.danger)
    return question_view(question, yes, f"tournament {command}", texts)


def page_view(stored: StoredTournament, number: int, texts: Texts, asker_id: MemberId) -> Layout:
    """Return a page of a tournament for one member; the last page if `number` is too great.

    The pages have the standings, or the members who have joined and those who wait, then the games
    of the current rounds, the interventions, and finally the games of earlier rounds, the latest
    first. In a knockout the games come before the standings until somebody is out. Above the
    standings is the asker's own line, unless their first page has it.
    """
    told = _Telling(stored, texts)
    pages = [*told.pages(asker_id)]
    shown = min(number, len(pages) - 1)
    parts: list[Part] = [told.heading()]
    if stored.tournament.stage is Stage.CANCELLED:
        parts.append(told.cancelled())
    parts += map(_written, pages[shown])
    end = page_end(shown, len(pages), lambda page: ShowPage(stored.id, page), texts)
    return card([*parts, *end])


def corrected_text(stored: StoredTournament, played: TournamentGame, texts: Texts) -> str:
    """Return the result that was entered by hand, for the member who entered it.

    It names who has withdrawn: not every result brings back a player who never moved.
    """
    told = _Telling(stored, texts)
    return texts("tournament.corrected", game=told.game(played, told.player))


def tournament_choice(one: Listed, texts: Texts) -> str:
    """Return a tournament as a choice of a menu, which takes plain text."""
    return texts(
        "tournament.choice",
        id=one.id,
        title=words.title(one.settings.game, one.settings.options, texts),
        format=texts(f"tournament.format.{one.settings.format}"),
        stage=texts(f"tournament.stage.{one.stage}"),
    )


def game_choice(stored: StoredTournament, pairing: Pairing, texts: Texts) -> str:
    """Return a pairing as a choice of a menu, which takes plain text."""
    first, second = _plain_names(stored, pairing, texts)
    return texts("tournament.choice.game", round=pairing.round, first=first, second=second)


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
    if (favoured := _Telling(stored, texts).favoured(pairing)) is not None:
        return view_of(texts("tournament.opened.draw_odds", favoured=favoured, **values))
    key = "tournament.opened.again" if pairing.game > 1 else "tournament.opened"
    return view_of(texts(key, **values))


def thread_name(stored: StoredTournament, pairing: Pairing, texts: ChannelTexts) -> str:
    """Return the name of a pairing's thread; it ends with a mark that no other thread has."""
    first, second = _plain_names(stored, pairing, texts)
    key = "tournament.thread.again" if pairing.game > 1 else "tournament.thread"
    said = texts(key, round=pairing.round, game=pairing.game, first=first, second=second)
    mark = thread_mark(stored, pairing)
    return f"{said[: _THREAD_NAME - len(mark)]}{mark}"


def _plain_names(stored: StoredTournament, pairing: Pairing, texts: Texts) -> list[str]:
    people = stored.tournament.people(pairing)
    return [plain(person.name) or texts("player.former") for person in people]


def thread_mark(stored: StoredTournament, pairing: Pairing) -> str:
    """Return the end of the name of a pairing's thread, by which it is found again."""
    return f" · #{stored.id}.{pairing.key}"


def end_view(stored: StoredTournament) -> Layout:
    """Return the message that announces the end of a tournament, with the first three."""
    texts = channel_texts(stored.language)
    told = _Telling(stored, texts)
    key = "tournament.end.corrected" if stored.corrected else "tournament.end"
    scores = standings(stored.tournament)
    first = _telling_ties(podium(scores), scores)
    title = texts(key, title=told.title())
    scored = [] if stored.settings.format is Format.KNOCKOUT else [told.standings_heading()]
    lines = [title, *scored, *told.cut(first, told.place), *told.tie_break(first)]
    return view_of("\n".join(lines))


class _Telling:
    """The lines of the messages about one tournament, in one language."""

    def __init__(self, stored: StoredTournament, texts: Texts):
        self._stored = stored
        self._settings = stored.settings
        self._tournament = stored.tournament
        self._is_knockout = stored.settings.format is Format.KNOCKOUT
        self._texts = texts

    def heading(self) -> str:
        return f"### {self._texts('tournament.title', title=self.title())}"

    def title(self) -> str:
        """Return what is played, and the number by which menus name the tournament."""
        played = words.title(self._settings.game, self._settings.options, self._texts)
        return self._texts.row(words.DOT, (played, f"#{self._stored.id}"))

    def terms(self) -> str:
        kind = f"**{self._texts(f'tournament.format.{self._settings.format}')}**"
        clock = words.clock_words(self._settings.clock, self._texts)
        terms = self._texts("tournament.terms", format=kind, clock=clock)
        return terms if self._settings.rated else f"{terms}\n{self._texts('tournament.unrated')}"

    def cancelled(self) -> str:
        few = any(note.kind is NoteKind.FEW for note in self._stored.notes)
        return self._texts("tournament.too_few" if few else "tournament.cancelled")

    def held_up_by(self, obstacle: Obstacle) -> str:
        """Return what keeps the tournament from going on, and what helps."""
        lacking = words.permissions_words(obstacle.permissions, self._texts)
        reason = escape(obstacle.reason)
        return self._texts(
            f"tournament.obstacle.{obstacle.kind}", permissions=lacking, reason=reason
        )

    # --- before the start

    def opening(self) -> Iterator[str]:
        """Yield the organiser of a tournament that hasn't begun, and its terms if it is open."""
        settings, texts = self._settings, self._texts
        organiser = self._named(self._stored.organiser)
        yield texts("tournament.organiser", organiser=organiser)
        if self._tournament.stage is not Stage.OPEN:
            return
        joined = len(self._stored.taking_part)
        yield texts("tournament.places", joined=joined, places=settings.places)
        yield texts("tournament.rounds", rounds=self._tournament.rounds_of(settings.places))
        if settings.role_id is not None:
            yield texts("tournament.role", role=settings.role_id)
        if settings.starts_at is not None:
            yield texts("tournament.starts.at", moment=settings.starts_at)
        else:
            how = "full" if settings.when_full else "button"
            yield texts(f"tournament.starts.{how}", organiser=organiser)
        if settings.channels:
            channels = words.channels_words(settings.channels, texts)
            yield texts("tournament.in_channels", channels=channels)
        else:
            yield texts("tournament.in_threads")

    def joined(self) -> list[str]:
        """Return a line for each member who has a place."""
        taking_part = enumerate(self._stored.taking_part, 1)
        return [f"{place}. {self._named(person)}" for place, person in taking_part]

    def waiting(self, members: Sequence[Person]) -> list[str]:
        """Return the line of those who wait for a place, if there are any."""
        waiting = [self._named(person) for person in members]
        return [self._texts("tournament.waiting", members=self._listed(waiting))] if waiting else []

    # --- from the start on

    def progress(self) -> Iterator[str]:
        """Yield the state of a tournament that has begun: its standings, and the games going on."""
        tournament, texts = self._tournament, self._texts
        scores = self._scores()
        if tournament.stage is Stage.ENDED:
            yield from self._winners(scores)
            yield from self._early()
        elif tournament.stage is Stage.RUNNING:
            yield from self._games_on()
        elif tournament.round:
            yield self._round(tournament.round)
        unplaced = list(map(self._named, self._stored.waiting)) if tournament.round == 1 else []
        if self._is_undecided():
            yield from self._still_in(scores)
        elif tournament.stage is Stage.ENDED or any(score.points for score in scores):
            yield self.standings_heading()
            aside = len(unplaced[:_MOST_ASIDE]) + len(uncounted(tournament)[:_MOST_ASIDE])
            yield from self.cut(scores, self._line, _MOST_LINES - aside)
            yield from self.tie_break(scores)
            yield from self._uncounted()
        if unplaced:
            yield texts("tournament.unplaced", members=self._listed(unplaced, _MOST_ASIDE))

    def _games_on(self) -> Iterator[str]:
        """Yield the games going on, by rounds: several can be played at the same time."""
        left = _MOST_GAMES
        for number in _rounds_on(self._tournament):
            games = self._games_of(number, over=False)
            if left > 0:
                yield self._round(number)
                yield from map(_written, games[:left])
            left -= len(games)
        yield from self._more(-left)
        yield from self._no_channel()

    def _no_channel(self) -> list[str]:
        """Return the line on games that wait for one of the named channels, if any do."""
        waits = any(one.channel_id is None for one in self._tournament.being_played)
        if not self._settings.channels or self._stored.over or not waits:
            return []
        return [self._texts("tournament.no_channel")]

    def _games_of(self, number: int, *, over: bool = True) -> list[_Entry]:
        """Return the games of a round, also those that have ended if `over`, and its byes."""
        games = (one for one in self._tournament.by_round.get(number, ()) if not one.pairing.is_bye)
        return [
            *(partial(self.game, one) for one in games if over or not one.over),
            *(partial(self._bye, one) for one in without_opponent(self._tournament, number)),
        ]

    def _round(self, number: int) -> str:
        return self._texts("tournament.round", round=number, rounds=self._tournament.rounds)

    def _is_undecided(self) -> bool:
        """Return whether it is a knockout that goes on, so that those still in have no rank yet."""
        return self._is_knockout and self._tournament.stage is not Stage.ENDED

    def _still_in(self, scores: Sequence[Score]) -> Iterator[str]:
        """Yield who is still in a knockout, once somebody is out."""
        remaining = [self.player(score.entrant) for score in scores if score.out_in is None]
        if len(remaining) < len(scores):
            yield self._texts("tournament.still_in", players=self._listed(remaining))

    def _scores(self) -> Sequence[Score]:
        scores = standings(self._tournament)
        return _telling_ties(scores, scores)

    def standings_heading(self) -> str:
        """Return the heading of the standings; it says what the numbers are, if they have any."""
        key = "tournament.standings" if self._is_knockout else "tournament.standings.points"
        return self._texts(key)

    def tie_break(self, scores: Sequence[Score]) -> list[str]:
        """Return the line that explains the second number of the standings, if they have one."""
        if not any(score.tie_break for score in scores):
            return []
        swiss = self._settings.format is Format.SWISS
        name = self._texts(f"tournament.tie_break.{'buchholz' if swiss else 'sonneborn'}")
        return [self._texts("tournament.tie_break", name=name)]

    def _uncounted(self) -> list[str]:
        """Return the line that says whose results count for nobody, if there are any."""
        early = [self._entrant(number) for number in uncounted(self._tournament)]
        if not early:
            return []
        return [self._texts("tournament.uncounted", players=self._listed(early, _MOST_ASIDE))]

    def _winners(self, scores: Sequence[Score]) -> list[str]:
        """Return the line that names the winners, if there are any."""
        first = [self._entrant(score.entrant) for score in scores if score.rank == 1]
        if len(first) > 1:
            return [self._texts("tournament.shared", winners=self._listed(first))]
        return [self._texts("tournament.won", winner=winner) for winner in first]

    def _early(self) -> list[str]:
        """Return the last round of a Swiss tournament that ended early, and why, if it did."""
        tournament = self._tournament
        if tournament.format is not Format.SWISS or tournament.round == tournament.rounds:
            return []
        last = [self._round(tournament.round)] if tournament.round else []
        return [*last, self._texts("tournament.early")]

    def player(self, number: int) -> str:
        """Return the name of an entrant, with a word for one who has withdrawn."""
        name = self._entrant(number)
        here = self._tournament.entrants[number].here
        return name if here else self._texts("tournament.withdrawn", player=name)

    def _line(self, score: Score) -> str:
        player = self.player(score.entrant)
        if self._is_undecided() and score.out_in is None:
            return self._texts("tournament.line.in", player=player)
        # Discord takes lines such as "2. Bob" for a list and numbers them itself, equal ranks too.
        rank = f"{ZERO_WIDTH}{score.rank}"
        line = self._texts("tournament.line.place", rank=rank, player=player)
        return self._scored(line, score)

    def place(self, score: Score) -> str:
        """Return the line of one of the first three, and of those who share their ranks."""
        medal = _MEDALS[score.rank - 1]
        line = self._texts("tournament.end.place", medal=medal, player=self.player(score.entrant))
        return self._scored(line, score)

    def _scored(self, line: str, score: Score) -> str:
        """Return a line with an entrant's points and tie-break added; unchanged in a knockout."""
        if self._is_knockout:
            return line
        line = words.scored(line, words.points_words(score.points), self._texts, _DOT)
        if not score.tie_break:
            return line
        return words.scored(line, words.points_words(score.tie_break), self._texts, _DOT)

    def _entrant(self, number: int) -> Escaped:
        return self._named(self._tournament.entrants[number].person)

    def game(self, played: TournamentGame, name: Callable[[int], str] | None = None) -> str:
        """Return the line of a pairing, with its result or the channel where it is played."""
        first, second = map(name or self._entrant, played.pairing.entrants)
        values: dict[str, object] = {"first": first, "second": second}
        favoured = self.favoured(played.pairing)
        if played.points is not None:
            values["points"] = self._points(played.points)
            if favoured is not None and played.points == (0.5, 0.5):
                return self._texts("tournament.game.over.draw_odds", favoured=favoured, **values)
            return self._texts("tournament.game.over", **values)
        if played.channel_id is None:
            return self._texts("tournament.game", **values)
        values["channel"] = played.channel_id
        if favoured is not None:
            return self._texts("tournament.game.draw_odds", favoured=favoured, **values)
        return self._texts("tournament.game.on", **values)

    def _bye(self, entrant: int) -> str:
        return self._texts("tournament.game.bye", player=self._entrant(entrant))

    def _points(self, points: Sequence[float] | None) -> str:
        """Return the points of a pairing, such as ½–½; a question mark if there are none yet."""
        return self._texts.row("–", ["?"] if points is None else map(words.points_words, points))

    def favoured(self, pairing: Pairing) -> str | None:
        """Return the entrant for whom a draw counts as a win, None except in an armageddon."""
        return None if pairing.draw_wins is None else self._entrant(pairing.draw_wins)

    def picture(self, picture: Upload | None) -> list[Part]:
        if picture is None:
            return []
        texts = self._texts
        kind = "bracket" if self._is_knockout else "table"
        # A picture's description shows backticks as they are.
        command = f"/{texts.name('tournament')} {texts.name('show')}"
        return [gallery(picture, texts(f"tournament.picture.{kind}", command=command))]

    # --- pages

    def pages(self, asker_id: MemberId) -> Iterator[list[_Entry]]:
        """Yield the lines of each page; rounds that are over share pages, other parts don't."""
        for head, entries, notes in self._sections(asker_id):
            for some in as_chunks(entries, _PAGE):
                yield [head, *some, *notes]
        page: list[_Entry] = []
        over = {*range(1, self._tournament.round + 1)} - {*_rounds_on(self._tournament)}
        for number in sorted(over, reverse=True):
            head = self._round(number)
            for game in self._games_of(number):
                if len(page) + 2 > _PAGE:
                    yield page
                    page = []
                page += [game] if head in page else [head, game]
        if page:
            yield page

    def _sections(self, asker_id: MemberId) -> Iterator[_Section]:
        """Yield the head, the lines and the notes of each part, up to the interventions.

        Each page of a part has its head and its notes.
        """
        if self._tournament.entrants:
            scores = self._scores()
            ranked, games = self._ranked(scores, asker_id), [*self._current_rounds()]
            # At first the standings of a knockout say nothing: nobody is out yet.
            said = not self._is_undecided() or any(score.out_in is not None for score in scores)
            yield from [ranked, *games] if said else [*games, ranked]
        else:
            yield self.terms(), [*self.opening(), *self.joined()], ()
            waiting = as_chunks(self._stored.waiting, _PAGE)
            yield "", [line for some in waiting for line in self.waiting(some)], ()
        yield "", [partial(self._note, one) for one in reversed(self._stored.notes)], ()

    def _ranked(self, scores: Sequence[Score], asker_id: MemberId) -> _Section:
        """Return the standings, with the asker's own line in their head."""
        heading = [self.standings_heading(), *self._own_line(scores, asker_id)]
        notes = [*self.tie_break(scores), *self._uncounted()]
        return "\n".join(heading), [partial(self._line, one) for one in scores], notes

    def _current_rounds(self) -> Iterator[_Section]:
        """Yield the rounds of which games are being played, each with all its games."""
        on = _rounds_on(self._tournament)
        for number in on:
            note = self._no_channel() if number == on[-1] else []
            yield self._round(number), [*self._games_of(number), *note], ()

    def _own_line(self, scores: Sequence[Score], asker_id: MemberId) -> list[str]:
        """Return the asker's line of the standings, if their first page doesn't have it."""
        me = self._stored.entrant_of(asker_id)
        own = [score for score in scores[_PAGE:] if me and score.entrant == me.number]
        return [self._texts("leaderboard.own", line=self._line(score)) for score in own]

    def _note(self, note: Note) -> str:
        """Return a line of the trace."""
        texts = self._texts
        who = self._named(note.who) if note.who else texts("player.unknown")
        if note.game is None:
            return texts(f"tournament.note.{note.kind}", at=note.at, who=who)
        pairing = self._tournament.by_key[note.game].pairing
        first, second = map(self._entrant, pairing.entrants)
        return texts(
            "tournament.note.corrected",
            at=note.at,
            who=who,
            round=pairing.round,
            game=texts("tournament.game", first=first, second=second),
            before=self._points(note.before),
            after=self._points(note.after),
        )

    # --- lists of members and lines

    def _named(self, person: Person) -> Escaped:
        return words.named(person, self._texts)

    def cut(
        self, all_: Sequence[T], line: Callable[[T], str], most: int = _MOST_LINES
    ) -> list[str]:
        """Return a line for each of the first `most`, and one that counts the others, if any."""
        return [*map(line, all_[:most]), *self._more(len(all_) - most)]

    def _listed(self, names: Sequence[str], most: int = _MOST_LINES) -> str:
        more = self._more(len(names) - most)
        return self._texts.listed([*names[:most], *more]) if more else self._texts.joined(names)

    def _more(self, count: int) -> list[str]:
        return [self._texts("list.more", count=count)] if count > 0 else []


def _telling_ties(shown: Sequence[Score], scores: Sequence[Score]) -> Sequence[Score]:
    """Return the lines that are `shown` of all `scores`, without tie-breaks that decide no place.

    They decide one if entrants with the same points have different ranks.
    """
    ranks = {score.points: score.rank for score in shown}
    if any(score.rank != ranks.get(score.points, score.rank) for score in scores):
        return shown
    return [replace(score, tie_break=0.0) for score in shown]


def _rounds_on(tournament: Tournament) -> list[int]:
    """Return the rounds of which games are being played, or else the latest one, if any.

    A later round may have begun with nothing but forfeited games. Once the tournament has ended,
    all its rounds are over.
    """
    if tournament.stage is Stage.ENDED:
        return []
    return sorted(
        {one.pairing.round for one in tournament.being_played} or {tournament.round} - {0}
    )


def _written(entry: _Entry) -> str:
    return entry if isinstance(entry, str) else entry()
