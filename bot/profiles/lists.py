"""A member's matches as lists: the finished ones, and those that are being played."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from bot.forms import Form
from bot.gateway.components import Component, Layout, button_row, menu, option, page_end, view_of
from bot.i18n import OwnTexts, Texts
from bot.identity import MemberId
from bot.matches.model import StoredMatch
from bot.matches.presses import BringBack, Replay, Step, Way
from bot.matches.view import names_of
from bot.matches.ways import begin_buttons
from bot.pages import page_of
from bot.profiles.model import Current, HistoryPage, ShowCurrent, ShowHistory
from bot.render import words
from bot.render.links import where_words
from bot.render.telling import Telling, telling_in
from core.match import Match
from core.players import Member

# The most lines on a page. Even with the longest names they fit into a message's 4,000 characters.
_CURRENT_PAGE = 8


def history_view(
    page: HistoryPage,
    member_id: MemberId,
    asker_id: MemberId,
    why_no_match: Sequence[str],
    texts: OwnTexts,
) -> Layout:
    """Return a page of a member's finished matches, with a select that opens one of them.

    An empty one has the lines `why_no_match`, which say why no match can begin here.
    """
    if not page.matches:
        return view_of(_no_history(page, member_id, asker_id, texts), *why_no_match)
    title = texts("history.title")
    # The lines don't name the member: they say "Beat bob", as one's own history does.
    lines = [title if member_id == asker_id else texts.row(words.DOT, [title, f"<@{member_id}>"])]
    lines += [
        texts(
            "history.numbered",
            id=stored.id,
            line=_history_line(stored, member_id, texts),
        )
        for stored in page.matches
    ]
    # The chosen value completes the custom id to that of a Replay.
    options = [
        option(_history_option(stored, texts), f"{stored.id}:0:{Step.OPEN}")
        for stored in page.matches
    ]
    select = menu(Replay.tag, texts("history.open"), options)
    end = page_end(page.number, page.pages, partial(ShowHistory, member_id), texts)
    return view_of(*lines, select, *end)


def _no_history(page: HistoryPage, member_id: MemberId, asker_id: MemberId, texts: OwnTexts) -> str:
    mention = f"<@{member_id}>"
    if member_id == asker_id:
        return texts("history.empty" if page.on_server else "history.empty.elsewhere")
    if page.on_server:
        return texts("history.empty.other", member=mention)
    return texts("profile.empty.elsewhere", name=mention)


def _history_line(stored: StoredMatch, member_id: MemberId, texts: Texts) -> str:
    """Return one line of a member's history: date, game, opponents and result."""
    match = stored.match
    seat = match.seat_of(Member(member_id))
    title = words.title(match.game, match.options, texts)
    told = {
        "when": stored.ended_at,
        "title": title,
        "result": _result_words(match, seat, names_of(stored, texts), texts),
    }
    if not stored.entry.changes:
        return texts("history.line", **told)
    change = stored.entry.changes[seat]
    return texts(
        "history.line.rated", **told, change=words.change_words(change.before, change.after)
    )


def _result_words(match: Match, seat: int, names: words.Names, texts: Texts) -> str:
    """Return how a match ended for a seat, naming the others: "Lost to bob"."""
    outcome = match.outcome
    assert outcome is not None, "histories hold finished matches"
    others = texts.joined(name for other, name in enumerate(names) if other != seat)
    if not outcome.has_result:
        return texts("history.none", others=others)
    if len(names) > 2:
        place, seats = outcome.ranks[seat], len(names)
        return texts("history.place", place=place, seats=seats, others=others)
    return texts(f"history.{outcome.result(seat)}", others=others)


def _history_option(stored: StoredMatch, texts: Texts) -> str:
    """Return the name of a match in a select, which shows plain text."""
    title = words.title(stored.match.game, stored.match.options, texts)
    names = words.plain_names(stored.match, stored.names, texts)
    return texts("history.option", id=stored.id, title=title, names=texts.listed(names))


def current_view(
    current: Current,
    number: int,
    why_no_match: Sequence[str],
    ways: Sequence[Way],
    form: Form,
    texts: OwnTexts,
) -> Layout:
    """Return a page, from 0, of a member's matches and invitations; at most the last one.

    Marks are told to a reader of boards in this `form`. An empty list has the `ways` to a match, or
    the lines `why_no_match`, which say why no match can begin here.
    """
    sections = _sections(current, telling_in(form, texts))
    entries = [(key, line) for key, found in sections.items() for line in found]
    if not entries:
        begin = [button_row(*begin_buttons(ways, texts))] if ways else []
        return view_of(texts("mine.none"), *why_no_match, *begin)
    shown, pages = page_of(number, len(entries), _CURRENT_PAGE)
    told = [texts("mine.title")]
    some = entries[shown * _CURRENT_PAGE : (shown + 1) * _CURRENT_PAGE]
    for key, listed in groupby(some, key=itemgetter(0)):
        told += [texts(key), *(line for _, line in listed)]
    shows_any = any(key in ("mine.unseen", "mine.put_away") for key, _ in some)
    back = [*current.unreachable, *current.archived]
    menus = [_bringing_back(back, texts)] if shows_any else []
    return view_of(*told, *menus, *page_end(shown, pages, ShowCurrent, texts))


def _sections(current: Current, telling: Telling) -> dict[str, Sequence[str]]:
    """Return the lines of each section by the key of its title."""

    def lines(matches: Iterable[StoredMatch]) -> list[str]:
        return [_current_line(stored, telling) for stored in matches]

    def numbered(matches: Iterable[StoredMatch]) -> list[str]:
        return [_numbered_line(stored, telling) for stored in matches]

    return {
        "mine.to_move": lines(current.to_move),
        "mine.asked": current.asked,
        "mine.waiting": lines(current.waiting),
        "mine.offered": current.offered,
        "mine.tournaments": current.tournaments,
        "mine.unseen": numbered(current.unreachable),
        "mine.put_away": numbered(current.archived),
    }


def _bringing_back(matches: Sequence[StoredMatch], texts: OwnTexts) -> Component:
    """Return the menu that brings one of these matches back."""
    options = [option(_history_option(stored, texts), str(stored.id)) for stored in matches]
    return menu(BringBack.tag, texts("mine.bring_back"), options)


def _numbered_line(stored: StoredMatch, telling: Telling) -> str:
    """Return the line of a match that can be brought back: its number, game and players."""
    texts = telling.texts
    title = words.title(stored.match.game, stored.match.options, texts)
    numbered = texts("history.numbered", id=stored.id, line=title)
    players = telling.players(stored.match, names_of(stored, texts))
    return texts("mine.line", title=numbered, players=players)


def _current_line(stored: StoredMatch, telling: Telling) -> str:
    """Return the line of a match that is being played: game, players, end of the time, board."""
    match, texts = stored.match, telling.texts
    title = words.title(match.game, match.options, texts)
    players = telling.players(match, names_of(stored, texts))
    parts = [
        texts("mine.line", title=title, players=players),
        words.deadline(stored.timing.runs_out_at, texts),
        where_words(stored.place, stored.board_id, texts),
    ]
    return texts.sentences(part for part in parts if part)
