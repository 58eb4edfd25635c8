"""Tournaments as messages: the one that everybody sees, questions, calls to games, the end."""

from discord import ButtonStyle

from bot.gateway.components import (
    Component,
    Layout,
    Part,
    Upload,
    button,
    button_row,
    card,
    question_view,
    view_of,
)
from bot.i18n import Texts, channel_texts
from bot.identity import MemberId
from bot.matches.ways import rules_button
from bot.render import words
from bot.tournaments.lines import Lines
from bot.tournaments.model import Format, Pairing, Stage, TournamentGame
from bot.tournaments.obstacles import Obstacle
from bot.tournaments.presses import Action, Ask, ReallyDrop, ShowPage
from bot.tournaments.standings import podium
from bot.tournaments.stored import Listed, Note, StoredTournament

# https://discord.com/developers/docs/resources/channel: characters of a thread's name
_THREAD_NAME = 100
_MOST_JOINED = 16  # as many as a tournament usually has places


def tournament_view(
    stored: StoredTournament, obstacle: Obstacle | None = None, picture: Upload | None = None
) -> Layout:
    """Return the message that shows a tournament to its channel.

    The `obstacle` keeps it from going on, `picture` is its bracket or table.
    """
    texts = channel_texts(stored.language)
    told = Lines(stored, texts)
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


def corrected_text(stored: StoredTournament, played: TournamentGame, texts: Texts) -> str:
    """Return the result that was entered by hand, for the member who entered it.

    It names who has withdrawn: not every result brings back a player who never moved.
    """
    told = Lines(stored, texts)
    return texts("tournament.corrected", game=told.game(played, told.player))


def note_view(stored: StoredTournament, note: Note, *mentioned: MemberId) -> Layout:
    """Return the message of a note about a game, which mentions these members."""
    line = Lines(stored, channel_texts(stored.language)).note(note)
    return view_of("\n".join([*(f"<@{member_id}>" for member_id in mentioned), line]))


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
    first, second = Lines(stored, texts).plain_names(pairing)
    return texts("tournament.choice.game", round=pairing.round, first=first, second=second)


def opened_view(stored: StoredTournament, game: TournamentGame) -> Layout:
    """Return the message that calls both players to their game; it mentions them.

    A game that has begun before was moved here, because its channel is gone.
    """
    texts, pairing = channel_texts(stored.language), game.pairing
    first, second = (f"<@{person.id}>" for person in stored.tournament.people(pairing))
    clock = words.clock_words(stored.settings.clock, texts)
    values = {"first": first, "second": second, "clock": clock, "round": pairing.round}
    if game.match_id is not None:
        return view_of(texts("tournament.opened.moved", **values))
    if (favoured := Lines(stored, texts).favoured(pairing)) is not None:
        return view_of(texts("tournament.opened.draw_odds", favoured=favoured, **values))
    key = "tournament.opened.again" if pairing.game > 1 else "tournament.opened"
    return view_of(texts(key, **values))


def thread_name(stored: StoredTournament, pairing: Pairing) -> str:
    """Return the name of a pairing's thread; it ends with a mark that no other thread has."""
    texts = channel_texts(stored.language)
    first, second = Lines(stored, texts).plain_names(pairing)
    key = "tournament.thread.again" if pairing.game > 1 else "tournament.thread"
    said = texts(key, round=pairing.round, game=pairing.game, first=first, second=second)
    mark = thread_mark(stored, pairing)
    return f"{said[: _THREAD_NAME - len(mark)]}{mark}"


def thread_mark(stored: StoredTournament, pairing: Pairing) -> str:
    """Return the end of the name of a pairing's thread, by which it is found again."""
    return f"{threads_mark(stored)}{pairing.key}"


def threads_mark(stored: StoredTournament) -> str:
    """Return what the names of a tournament's threads have in common."""
    return f" · #{stored.id}."


def end_view(stored: StoredTournament) -> Layout:
    """Return the message that announces the end of a tournament, with the first three."""
    texts = channel_texts(stored.language)
    told = Lines(stored, texts)
    key = "tournament.end.corrected" if stored.corrected else "tournament.end"
    first = podium(stored.tournament)
    title = texts(key, title=told.title())
    scored = [] if stored.tournament.format is Format.KNOCKOUT else [told.standings_heading()]
    lines = [title, *scored, *told.cut(first, told.place), *told.tie_break(first)]
    return view_of("\n".join(lines))
