"""Tournaments as messages: the one that everybody sees, private pages, calls to games, the end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from bot.identity import Escaped, MemberId, Person, escape, is_former, plain
from bot.render import words
from bot.render.emoji import ZERO_WIDTH
from bot.tournaments.model import Format, Pairing, Stage, Tournament, TournamentGame
from bot.tournaments.pairings import without_opponent
from bot.tournaments.presses import Ask, ReallyDrop, ShowPage, Verb
from bot.tournaments.standings import PODIUM, Score, standings
from bot.tournaments.stored import Note, NoteKind, StoredTournament

# The most lines of the message and of a page, and the most names in one of them: these fit even if
# all names are long and have to be escaped.
_MOST_LINES = 13
_MOST_GAMES = 13
_PAGE = 13
_MOST_UNPLACED = 3
_MOST_CHANNELS = 3
_MOST_JOINED = 16  # as many as a tournament usually has places
# https://discord.com/developers/docs/resources/channel: characters of a thread's name
_THREAD_NAME = 100
# Between a name and points, which stay on one line.
_DOT = f"{words.NO_BREAK_SPACE}·{words.NO_BREAK_SPACE}"
_MEDALS = ("🥇", "🥈", "🥉")

T = TypeVar("T")

_Entry: TypeAlias = str | Callable[[], str]
"""A line of a page, or a function that writes it if its page is shown: there may be thousands."""


def tournament_view(
    stored: StoredTournament, missing: Iterable[str] = (), picture: Upload | None = None
) -> Layout:
    """Return the message that shows a tournament to its channel.

    `missing` are the lacking permissions without which it can't go on, `picture` is its bracket or
    table.
    """
    texts = channel_texts(stored.language)
    parts: list[Part] = [f"### {texts('tournament.title', title=_title(stored, texts))}"]
    parts.append(_terms(stored, texts))
    if stored.value.stage is Stage.OPEN:
        parts += _opening(stored, texts)
        parts += _cut(_joined(stored, texts), str, texts, _MOST_JOINED)
        parts += _waiting(stored.waiting, texts)
    elif stored.value.entrants:
        parts += _progress(stored, texts)
        parts += _picture(stored, picture, texts)
    if stored.value.stage is Stage.CANCELLED:
        parts.append(_cancelled(stored, texts))
    elif lacking := list(missing):
        permissions = words.permissions_words(lacking, texts)
        parts.append(texts("tournament.missing", permissions=permissions))
    return card([*parts, button_row(*_buttons(stored, texts))])


def _title(stored: StoredTournament, texts: Texts) -> str:
    """Return what is played, and the number by which menus name the tournament."""
    played = words.title(stored.settings.game, stored.settings.options, texts)
    return texts.row(" · ", (played, f"#{stored.id}"))


def _cancelled(stored: StoredTournament, texts: Texts) -> str:
    few = any(note.kind is NoteKind.FEW for note in stored.notes)
    return texts("tournament.too_few" if few else "tournament.cancelled")


def _terms(stored: StoredTournament, texts: Texts) -> str:
    settings = stored.settings
    kind = f"**{texts(f'tournament.format.{settings.format}')}**"
    clock = words.clock_words(settings.clock, texts)
    lines = [texts("tournament.terms", format=kind, clock=clock)]
    if not settings.rated:
        lines.append(texts("tournament.unrated"))
    return "\n".join(lines)


def _opening(stored: StoredTournament, texts: Texts) -> Iterator[str]:
    """Yield the organiser of a tournament that hasn't begun, and its terms if it is open."""
    settings = stored.settings
    yield texts("tournament.organiser", organiser=named(stored.organiser, texts))
    if stored.value.stage is not Stage.OPEN:
        return
    yield texts("tournament.places", joined=len(stored.taking_part), places=settings.places)
    yield texts("tournament.rounds", rounds=stored.value.rounds_of(settings.places))
    if settings.role_id is not None:
        yield texts("tournament.role", role=settings.role_id)
    if settings.starts_at is not None:
        yield texts("tournament.starts.at", moment=settings.starts_at)
    else:
        how = "full" if settings.when_full else "button"
        yield texts(f"tournament.starts.{how}", organiser=named(stored.organiser, texts))
    if settings.channels:
        channels = words.channels_words(settings.channels, texts)
        yield texts("tournament.in_channels", channels=channels)
    else:
        yield texts("tournament.in_threads")


def _joined(stored: StoredTournament, texts: Texts) -> list[str]:
    """Return a line for each member who has a place."""
    return [
        f"{place}. {named(person, texts)}" for place, person in enumerate(stored.taking_part, 1)
    ]


def _waiting(members: Sequence[Person], texts: Texts) -> list[str]:
    """Return the line of those who wait for a place, if there are any."""
    waiting = [named(person, texts) for person in members]
    return [texts("tournament.waiting", members=_listed(waiting, texts))] if waiting else []


def _progress(stored: StoredTournament, texts: Texts) -> Iterator[str]:
    """Yield the state of a tournament that has begun: its standings, and the games going on."""
    value = stored.value
    scores = standings(value)
    if value.stage is Stage.ENDED:
        yield _winners(stored, scores, texts)
        yield from _early(stored, texts)
    elif value.stage is Stage.RUNNING:
        yield from _games_on(stored, texts)
    elif value.round:
        yield _round(stored, value.round, texts)
    unplaced = [named(person, texts) for person in stored.waiting] if value.round == 1 else []
    if _undecided(stored):
        yield from _still_in(stored, scores, texts)
    else:
        yield texts("tournament.standings")
        most = _MOST_LINES - len(unplaced[:_MOST_UNPLACED])
        yield from _cut(scores, lambda score: _line(stored, score, texts), texts, most)
        yield from _tie_break(stored, scores, texts)
    if unplaced:
        yield texts("tournament.unplaced", members=_listed(unplaced, texts, _MOST_UNPLACED))


def _games_on(stored: StoredTournament, texts: Texts) -> Iterator[str]:
    """Yield the games going on, by rounds: several can be played at the same time."""
    left = _MOST_GAMES
    for number in _on(stored.value):
        games = _games_of(stored, number, texts, over=False)
        if left > 0:
            yield _round(stored, number, texts)
            yield from map(_written, games[:left])
        left -= len(games)
    yield from _more(-left, texts)
    yield from _no_channel(stored, texts)


def _no_channel(stored: StoredTournament, texts: Texts) -> list[str]:
    """Return what games without a channel wait for, if the organiser has named channels."""
    channels = [f"<#{one}>" for one in stored.settings.channels]
    if not channels or all(one.channel_id for one in stored.value.being_played):
        return []
    return [texts("tournament.no_channel", channels=_listed(channels, texts, _MOST_CHANNELS))]


def _on(value: Tournament) -> list[int]:
    """Return the rounds of which games are being played, or else the latest one, if any.

    A later round may have begun with nothing but forfeited games.
    """
    return sorted({one.pairing.round for one in value.being_played} or {value.round} - {0})


def _games_of(
    stored: StoredTournament, number: int, texts: Texts, *, over: bool = True
) -> list[_Entry]:
    """Return the games of a round, also those that have ended if `over`, and its byes."""
    games = (one for one in stored.value.by_round.get(number, ()) if not one.pairing.is_bye)
    return [
        *(partial(_game, stored, one, texts) for one in games if over or not one.over),
        *(partial(_bye, stored, one, texts) for one in without_opponent(stored.value, number)),
    ]


def _written(entry: _Entry) -> str:
    return entry if isinstance(entry, str) else entry()


def _round(stored: StoredTournament, number: int, texts: Texts) -> str:
    return texts("tournament.round", round=number, rounds=stored.value.rounds)


def _undecided(stored: StoredTournament) -> bool:
    """Return whether it is a knockout that goes on, so that those still in it have no rank yet."""
    return stored.settings.format is Format.KNOCKOUT and stored.value.stage is not Stage.ENDED


def _still_in(stored: StoredTournament, scores: Sequence[Score], texts: Texts) -> Iterator[str]:
    """Yield who is still in a knockout, once somebody is out."""
    remaining = [_player(stored, score, texts) for score in scores if score.out_in is None]
    if len(remaining) < len(scores):
        yield texts("tournament.still_in", players=_listed(remaining, texts))


def _tie_break(stored: StoredTournament, scores: Sequence[Score], texts: Texts) -> list[str]:
    """Return the line that explains the second number of the standings, if they have one."""
    if not any(score.tie_break for score in scores):
        return []
    swiss = stored.settings.format is Format.SWISS
    name = texts(f"tournament.tie_break.{'buchholz' if swiss else 'sonneborn'}")
    return [texts("tournament.tie_break", name=name)]


def _winners(stored: StoredTournament, scores: Sequence[Score], texts: Texts) -> str:
    first = [_entrant(stored, score.entrant, texts) for score in scores if score.rank == 1]
    if len(first) == 1:
        return texts("tournament.won", winner=first[0])
    return texts("tournament.shared", winners=_listed(first, texts))


def _early(stored: StoredTournament, texts: Texts) -> list[str]:
    """Return the last round of a Swiss tournament that ended early, and the reason, if it did."""
    value = stored.value
    if value.format is not Format.SWISS or value.round == value.rounds:
        return []
    last = [_round(stored, value.round, texts)] if value.round else []
    return [*last, texts("tournament.early")]


def _player(stored: StoredTournament, score: Score, texts: Texts) -> str:
    name = _entrant(stored, score.entrant, texts)
    if stored.value.entrants[score.entrant].here:
        return name
    return texts("tournament.withdrawn", player=name)


def _line(stored: StoredTournament, score: Score, texts: Texts) -> str:
    player = _player(stored, score, texts)
    if _undecided(stored) and score.out_in is None:
        return texts("tournament.line.in", player=player)
    # Discord takes lines such as "2. Bob" for a list and numbers them itself, equal ranks too.
    rank = f"{ZERO_WIDTH}{score.rank}"
    line = texts("tournament.line.place", rank=rank, player=player)
    return _scored(stored, line, score, texts)


def _scored(stored: StoredTournament, line: str, score: Score, texts: Texts) -> str:
    """Return a line with an entrant's points and tie-break added; unchanged in a knockout."""
    if stored.settings.format is Format.KNOCKOUT:
        return line
    line = words.scored(line, words.points_words(score.points), texts, _DOT)
    if not score.tie_break:
        return line
    return words.scored(line, words.points_words(score.tie_break), texts, _DOT)


def _entrant(stored: StoredTournament, number: int, texts: Texts) -> Escaped:
    return named(stored.value.entrants[number].person, texts)


def _game(stored: StoredTournament, played: TournamentGame, texts: Texts) -> str:
    """Return the line of a pairing, with its result or the channel where it is played."""
    names = [_entrant(stored, number, texts) for number in played.pairing.entrants]
    values: dict[str, object] = {"first": names[0], "second": names[1]}
    favoured = _favoured(stored, played.pairing, texts)
    if played.points is not None:
        values["points"] = _points(played.points, texts)
        if favoured is not None and played.points == (0.5, 0.5):
            return texts("tournament.game.over.draw_odds", favoured=favoured, **values)
        return texts("tournament.game.over", **values)
    if played.channel_id is None:
        return texts("tournament.game", **values)
    values["channel"] = played.channel_id
    if favoured is not None:
        return texts("tournament.game.draw_odds", favoured=favoured, **values)
    return texts("tournament.game.on", **values)


def _bye(stored: StoredTournament, entrant: int, texts: Texts) -> str:
    return texts("tournament.game.bye", player=_entrant(stored, entrant, texts))


def _points(points: Sequence[float] | None, texts: Texts) -> str:
    """Return the points of a pairing, such as ½–½; a question mark if there are none yet."""
    return texts.row("–", ["?"] if points is None else map(words.points_words, points))


def _favoured(stored: StoredTournament, pairing: Pairing, texts: Texts) -> str | None:
    """Return the entrant for whom a draw counts as a win, None except in an armageddon."""
    if pairing.draw_wins is None:
        return None
    return _entrant(stored, pairing.draw_wins, texts)


def _picture(stored: StoredTournament, picture: Upload | None, texts: Texts) -> list[Part]:
    if picture is None:
        return []
    kind = "bracket" if stored.settings.format is Format.KNOCKOUT else "table"
    # A picture's description shows backticks as they are.
    command = f"/{texts.name('tournament')} {texts.name('show')}"
    return [gallery(picture, texts(f"tournament.picture.{kind}", command=command))]


def _buttons(stored: StoredTournament, texts: Texts) -> list[Component]:
    def ask(verb: Verb, style: ButtonStyle = ButtonStyle.secondary) -> Component:
        return button(texts(f"button.{verb}"), Ask(stored.id, verb), style)

    show = button(texts("button.tournament.show"), ShowPage(stored.id, 0))
    if stored.value.stage is Stage.OPEN:
        return [ask(Verb.JOIN, ButtonStyle.success), ask(Verb.LEAVE), ask(Verb.START), show]
    return [ask(Verb.LEAVE), show] if stored.value.stage is Stage.RUNNING else [show]


def sure_view(question: str, press: Ask | ReallyDrop, command: str, texts: Texts) -> Layout:
    """Return the `question` whether a member is sure, with the `press` and the command for yes."""
    label = press.verb if isinstance(press, Ask) else "drop"
    yes = button(texts(f"button.tournament.{label}"), press, ButtonStyle.danger)
    return question_view(question, yes, f"tournament {command}", texts)


def page_view(stored: StoredTournament, number: int, texts: Texts, asker_id: MemberId) -> Layout:
    """Return a page of a tournament for one member; the last page if `number` is too great.

    The pages have the standings, or the members who have joined and those who wait, then the games
    of the current rounds, the interventions, and finally the games of earlier rounds, the latest
    first. Above the standings is the asker's own line, unless the first page has it.
    """
    pages = [*_pages(stored, texts, asker_id)]
    shown = min(number, len(pages) - 1)
    parts: list[Part] = [f"### {texts('tournament.title', title=_title(stored, texts))}"]
    if stored.value.stage is Stage.CANCELLED:
        parts.append(_cancelled(stored, texts))
    parts += filter(None, map(_written, pages[shown]))
    end = page_end(shown, len(pages), lambda page: ShowPage(stored.id, page), texts)
    return card([*parts, *end])


def _pages(stored: StoredTournament, texts: Texts, asker_id: MemberId) -> Iterator[list[_Entry]]:
    """Yield the lines of each page; rounds that are over share pages, the other parts don't."""
    for head, entries in _sections(stored, texts, asker_id):
        for some in as_chunks(entries, _PAGE):
            yield [head, *some]
    page: list[_Entry] = []
    over = {*range(1, stored.value.round + 1)} - {*_on(stored.value)}
    for number in sorted(over, reverse=True):
        head = _round(stored, number, texts)
        for game in _games_of(stored, number, texts):
            if len(page) + 2 > _PAGE:
                yield page
                page = []
            page += [game] if head in page else [head, game]
    if page:
        yield page


def _sections(
    stored: StoredTournament, texts: Texts, asker_id: MemberId
) -> Iterator[tuple[str, Sequence[_Entry]]]:
    """Yield the head and the lines of each part of the pages, up to the interventions."""
    value = stored.value
    if value.entrants:
        scores = standings(value)
        heading = [
            texts("tournament.standings"),
            *_tie_break(stored, scores, texts),
            *_own_line(stored, scores, texts, asker_id),
        ]
        yield "\n".join(heading), [partial(_line, stored, one, texts) for one in scores]
        for number in _on(value):
            yield _round(stored, number, texts), _games_of(stored, number, texts)
    else:
        yield _terms(stored, texts), [*_opening(stored, texts), *_joined(stored, texts)]
        waiting = as_chunks(stored.waiting, _PAGE)
        yield "", [line for some in waiting for line in _waiting(some, texts)]
    yield "", [partial(_note, stored, one, texts) for one in reversed(stored.notes)]


def _own_line(
    stored: StoredTournament, scores: Sequence[Score], texts: Texts, asker_id: MemberId
) -> list[str]:
    """Return the asker's line of the standings, if the first page doesn't have it."""
    me = stored.entrant_of(asker_id)
    own = [score for score in scores[_PAGE:] if me and score.entrant == me.number]
    return [texts("leaderboard.own", line=_line(stored, score, texts)) for score in own]


def _note(stored: StoredTournament, note: Note, texts: Texts) -> str:
    """Return a line of the trace."""
    who = named(note.who, texts) if note.who else texts("player.unknown")
    if note.game is None:
        return texts(f"tournament.note.{note.kind}", at=note.at, who=who)
    pairing = stored.value.by_key[note.game].pairing
    first, second = (named(person, texts) for person in stored.value.people(pairing))
    return texts(
        "tournament.note.corrected",
        at=note.at,
        who=who,
        round=pairing.round,
        game=texts("tournament.game", first=first, second=second),
        before=_points(note.before, texts),
        after=_points(note.after, texts),
    )


def corrected_text(stored: StoredTournament, played: TournamentGame, texts: Texts) -> str:
    """Return the result that was entered by hand, for the member who entered it."""
    return texts("tournament.corrected", game=_game(stored, played, texts))


def game_choice(stored: StoredTournament, pairing: Pairing, texts: Texts) -> str:
    """Return a pairing as a choice of a menu, which takes plain text."""
    first, second = _plain_names(stored, pairing, texts)
    return texts("tournament.choice.game", round=pairing.round, first=first, second=second)


def opened_view(stored: StoredTournament, game: TournamentGame, texts: ChannelTexts) -> Layout:
    """Return the message that calls both players to their game; it mentions them.

    A game that has begun before was moved here, because its channel is gone.
    """
    pairing = game.pairing
    first, second = (f"<@{person.id}>" for person in stored.value.people(pairing))
    clock = words.clock_words(stored.settings.clock, texts)
    values = {"first": first, "second": second, "clock": clock, "round": pairing.round}
    if game.match_id is not None:
        return view_of(texts("tournament.opened.moved", **values))
    if (favoured := _favoured(stored, pairing, texts)) is not None:
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
    people = stored.value.people(pairing)
    return [plain(person.name) or texts("player.former") for person in people]


def thread_mark(stored: StoredTournament, pairing: Pairing) -> str:
    """Return the end of the name of a pairing's thread, by which it is found again."""
    return f" · #{stored.id}.{pairing.key}"


def end_view(stored: StoredTournament) -> Layout:
    """Return the message that announces the end of a tournament, with the first three."""
    texts = channel_texts(stored.language)
    key = "tournament.end.corrected" if stored.corrected else "tournament.end"
    title = texts(key, title=_title(stored, texts))
    first = [score for score in standings(stored.value) if score.rank <= PODIUM]
    ranks = {score.points: score.rank for score in first}
    if all(score.rank == ranks[score.points] for score in first):
        first = [replace(score, tie_break=0.0) for score in first]  # the tie-break decided nothing
    places = _cut(first, lambda score: _place(stored, score, texts), texts)
    return view_of("\n".join([title, *places, *_tie_break(stored, first, texts)]))


def _place(stored: StoredTournament, score: Score, texts: Texts) -> str:
    """Return the line of one of the first three, and of those who share their ranks."""
    medal = _MEDALS[score.rank - 1]
    player = _player(stored, score, texts)
    place = texts("tournament.end.place", medal=medal, player=player)
    return _scored(stored, place, score, texts)


def named(person: Person, texts: Texts) -> Escaped:
    """Return a member's name, escaped and in bold; a former member has none."""
    if is_former(person.id):
        return words.bold(Escaped(texts("player.former")), texts)
    return words.bold(escape(person.name), texts)


def _cut(
    all_: Sequence[T], line: Callable[[T], str], texts: Texts, most: int = _MOST_LINES
) -> list[str]:
    """Return a line for each of the first `most`, and one that counts the others, if any."""
    return [*map(line, all_[:most]), *_more(len(all_) - most, texts)]


def _listed(names: Sequence[str], texts: Texts, most: int = _MOST_LINES) -> str:
    more = _more(len(names) - most, texts)
    return texts.listed([*names[:most], *more]) if more else texts.joined(names)


def _more(count: int, texts: Texts) -> list[str]:
    return [texts("tournament.more", count=count)] if count > 0 else []
