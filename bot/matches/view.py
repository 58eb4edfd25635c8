"""A match as a message: its board as buttons, as text or as a picture; its result.

One message shows a match to everybody, in all the forms that its players want: emoji or a picture
for those who see it, and words if somebody wants them.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress

from discord import ButtonStyle

from bot.forms import Form, fits_in_emoji
from bot.gateway.components import (
    MAX_COMPONENTS,
    MAX_ROW,
    Component,
    Layout,
    Part,
    Upload,
    button,
    button_row,
    card,
    gallery,
    icon_button,
    label_button,
    view_of,
)
from bot.i18n import Texts, channel_texts
from bot.identity import Escaped, MemberId
from bot.matches.board_pictures import Drawn, Undrawn
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.moves import NOTHING, Chosen, move_buttons, says_more
from bot.matches.presses import (
    Analyse,
    AskHint,
    AskOffer,
    AskResign,
    MovePresses,
    NewGame,
    OpenRules,
    Play,
    Rematch,
    Replay,
    Share,
    ShowLegal,
    Step,
    on_board,
)
from bot.matches.service import may_count
from bot.ratings.model import START, Unrated, fewest_plies
from bot.render import emoji, spoken, words
from bot.render.board import text_board
from bot.render.emoji import BLANKS, MARKS
from bot.render.telling import InEmoji, InWords, Telling
from core.errors import NothingToUndo
from core.grid import SWAP, Move, Square
from core.match import Match
from core.match.diagram import Cell, Look, diagram, moves_men
from core.outcome import Termination
from core.players import Member
from core.position import Blank, Position, falls

# Container, text, and a row of controls.
_AROUND_BOARD = 2 + 6

# Green is for empty squares only: on a green button some people can't see a red mark.
_STYLES = {
    Look.PLAIN: ButtonStyle.secondary,
    Look.CHANGED: ButtonStyle.secondary,
    Look.LAST: ButtonStyle.primary,
    Look.TAKEN: ButtonStyle.primary,
    Look.PICKED: ButtonStyle.primary,
    Look.TARGET: ButtonStyle.success,
}


def to_notify(stored: StoredMatch, presser_id: MemberId | None) -> MemberId | None:
    """Return the member to mention: the one to move, unless they have just pressed.

    A match of one member against the computer mentions nobody, even if the computer answers late.
    """
    player = stored.match.next_player
    if _is_against_computer(stored) or not isinstance(player, Member) or player.id == presser_id:
        return None
    return MemberId(player.id)


def _is_against_computer(stored: StoredMatch) -> bool:
    """Return whether a match is of one member against the computer."""
    return sum(isinstance(seated, Member) for seated in stored.match.players) == 1


def names_of(stored: StoredMatch, texts: Texts) -> list[Escaped]:
    """Return the players' names by seat, escaped and in bold."""
    return words.bold_names(stored.match, stored.names, texts)


def board_view(
    stored: StoredMatch,
    notify: MemberId | None = None,
    chosen: Chosen = NOTHING,
    missing: Collection[str] = (),
    *,
    drawn: Drawn = None,
) -> Layout:
    """Return the message that shows a match to its channel.

    `drawn` is its picture, if it needs one. The text mentions the member `notify`. `chosen` is the
    man that is picked up, or the page of groups of moves that a large board shows. `missing` are
    the permissions that the bot lacks to remind anybody. Boards of a match against the computer are
    silent: members who are notified of all messages shouldn't hear of each.
    """
    match = stored.match
    texts = channel_texts(stored.language)
    silent = _is_against_computer(stored)
    names = names_of(stored, texts)
    on_buttons = _played_on_buttons(match, drawn)
    board = _board(stored, texts, chosen.man, drawn, on_buttons=on_buttons)
    accent = accent_of(match)
    undrawn = texts(f"board.undrawn.{drawn}") if isinstance(drawn, Undrawn) else None
    if match.outcome:
        parts, rows = _finished(stored, names, texts, board), _final_controls(stored, texts)
        return card([*parts, undrawn, *rows], accent, silent=silent)
    mention = f"<@{notify}>" if notify else None
    large = not (_is_seen(stored) and on_buttons)
    explained = _is_explained(match) or chosen.man is not None
    picking = pick_hint(match, texts, chosen.man) if explained and not large else None
    told = _running(stored, names, texts, mention)
    more = (_unreminded(stored, missing, texts), picking, undrawn, _unrated(stored, texts))
    choosing = _choosing(stored, chosen.page, texts) if large else []
    controls = _running_controls(stored, texts, large=large)
    return card([*told, *more, *board, *choosing, controls], accent, silent=silent)


def fits_on_buttons(position: Position, drawn: Drawn = None) -> bool:
    """Return whether a board and its controls can be one message of buttons, with its picture.

    Where pieces fall, squares aren't buttons: the columns have buttons below the board.
    """
    grid = position.grid
    count = grid.rows * (grid.columns + 1) + _AROUND_BOARD + isinstance(drawn, Upload)
    return grid.columns <= MAX_ROW and count <= MAX_COMPONENTS and not falls(position)


def _played_on_buttons(match: Match, drawn: Drawn = None) -> bool:
    """Return whether a match goes on, on a board of buttons."""
    return match.outcome is None and fits_on_buttons(match.position, drawn)


def in_words(stored: StoredMatch) -> bool:
    """Return whether a match is shown in words."""
    return Form.WORDS in _wanted(stored)


def _is_seen(stored: StoredMatch) -> bool:
    """Return whether a match is shown to the eye: at least one player doesn't want words."""
    return _wanted(stored) != {Form.WORDS}


def in_picture(stored: StoredMatch) -> bool:
    """Return whether a match is shown as a picture.

    It is if somebody wants a picture, if emoji don't fit, or if somebody wants words, to whom a
    screen reader would read out a text of emoji. It isn't if it ended before the first move.
    """
    wanted = _wanted(stored)
    match = stored.match
    return (
        _is_seen(stored)
        and not _is_unplayed(match)
        and (
            Form.PICTURE in wanted
            or not fits_in_emoji(match.position.grid)
            or (Form.WORDS in wanted and not _played_on_buttons(match))
        )
    )


def _is_unplayed(match: Match) -> bool:
    """Return whether a match ended before anybody had moved."""
    return match.outcome is not None and not match.moves


def _wanted(stored: StoredMatch) -> set[Form]:
    """Return the forms that the players want."""
    if not stored.forms:
        return {Form.EMOJI}
    members = (player for player in stored.match.players if isinstance(player, Member))
    return {stored.forms.get(MemberId(member.id), Form.EMOJI) for member in members}


def _picture(upload: Upload, stored: StoredMatch, texts: Texts) -> Component:
    """Return the component that shows the picture of a board, with the position as its alt text."""
    if in_words(stored):
        described = texts("spoken.picture")
    else:
        names = words.plain_names(stored.match, stored.names, texts)
        described = spoken.alt_text(stored.match, names, texts)
    return gallery(upload, described)


def archived_view(stored: StoredMatch) -> Layout:
    """Return the message that a board becomes when its match is archived."""
    texts = channel_texts(stored.language)
    title = words.title(stored.match.game, stored.match.options, texts)
    players = _telling(stored, texts).players(stored.match, names_of(stored, texts))
    away = texts("board.put_away", title=title, players=players)
    return view_of(f"{away}\n{words.back_words(stored.place, texts)}")


def _board(
    stored: StoredMatch, texts: Texts, pick: Square | None, drawn: Drawn, *, on_buttons: bool
) -> list[Part]:
    """Return the board for the eye, as parts of its message.

    It is a picture if there is one, and buttons if the match goes on and they fit; else emoji. A
    match that ended before the first move has no board to look back at.
    """
    if not _is_seen(stored) or _is_unplayed(stored.match):
        return []
    picture: list[Part] = [_picture(drawn, stored, texts)] if isinstance(drawn, Upload) else []
    if not on_buttons:
        return picture or [text_board(diagram(stored.match, pick), texts)]
    return [*picture, *square_rows(stored.match, on_board(stored.id, stored.match.ply), pick)]


def square_rows(match: Match, presses: MovePresses, pick: Square | None) -> list[Component]:
    """Return the board of a running match as buttons, with the man on `pick` picked up."""
    playing = presses.play("").custom_id
    picking = presses.pick("").custom_id
    men = moves_men(match)
    moves = match.position.legal_moves() if men else ()
    targets = {move.to for move in moves if move.origin == pick}
    movable = {move.origin for move in moves}

    def custom_id(square: Square) -> str:
        if not men:
            return f"{playing}{square}"
        if square == pick:
            return picking  # it puts him back
        own = square in movable or match.position.content(square) == match.to_move
        if pick is None or (own and square not in targets):
            return f"{picking}{square}"
        return f"{playing}{Move(square, pick)}"

    return [
        button_row(*(_square(cell, custom_id(cell.square)) for cell in row))
        for row in diagram(match, pick)
    ]


def _choosing(stored: StoredMatch, page: int, texts: Texts) -> list[Part]:
    """Return how the member to move chooses a move, with buttons if the match is shown to the eye.

    Returns nothing if the computer is to move. `page` is the page of groups of moves.
    """
    if not isinstance(stored.match.next_player, Member):
        return []
    if not _is_seen(stored):
        example = words.notation(stored.match.position.legal_moves()[0])
        return [texts("board.by.command", example=example)]
    presses = on_board(stored.id, stored.match.ply)
    typed = f"/{texts('name.move')} "
    how, *buttons = move_buttons(stored.match.position, presses, page, typed, texts)
    return [how, *buttons] if _is_explained(stored.match) else buttons


def _is_explained(match: Match) -> bool:
    """Return whether a board says how to move: only until everybody has made a move of this kind.

    On a phone, the explanation takes lines away from the board. The kind may change: in some games,
    men enter the board before they move.
    """
    men = moves_men(match)
    alike = sum((move.origin is not None) is men for move in match.moves)
    return alike < match.game.seats


def spoken_text(
    stored: StoredMatch, names: words.Names, texts: Texts, mention: str | None = None
) -> str:
    """Return a match in words, the news first; `mention` stands for the player to notify.

    The rows are in small letters if the message has the board for the eye too.
    """
    match, telling = stored.match, InWords(texts)
    small = "-# " if in_words(stored) and _is_seen(stored) else ""
    lines = [
        telling.last_moves(match),
        *telling.departed(match, names),
        telling.turn(match, names, mention),
        *(f"{small}{row}" for row in spoken.row_lines(match, texts)),
        telling.players(match, names),
        f"**{words.title(match.game, match.options, texts)}**",
    ]
    return "\n".join(line for line in lines if line)


def accent_of(match: Match) -> int | None:
    """Return the colour of the seat to move, at the end that of the winner if there is one."""
    seat = match.outcome.winner if match.outcome else match.to_move
    return None if seat is None else MARKS[match.position.marks[seat].shape].colour


def _running(
    stored: StoredMatch, names: words.Names, texts: Texts, mention: str | None
) -> list[str | None]:
    """Return a running match: who plays, the last moves, whose turn it is, and until when."""
    match = stored.match
    context = [_series(stored, names, texts), *_fairness(stored, texts)]
    if in_words(stored):
        passed = InWords(texts).passed_over(match, names)
        told = [spoken_text(stored, names, texts, mention), *context, passed]
    else:
        telling = InEmoji(texts)
        told = [
            f"### {words.title(match.game, match.options, texts)}",
            *telling.player_lines(match, names),
            *context,
            telling.last_moves(match),
            *telling.departed(match, names),
            telling.passed_over(match, names),
            telling.turn(match, names, mention),
        ]
    return [
        *told,
        words.deadline(stored.timing.runs_out_at, texts),
        texts("board.tournament") if stored.tournament_id and match.ply <= 1 else None,
        _decides(stored, names, texts),
    ]


def _fairness(stored: StoredMatch, texts: Texts) -> list[str]:
    """Return a new match's notes on the result of best play, and on rules that change it.

    The result helps members to choose a fair board, so a match against the computer has only the
    rules. Everybody knows that 3x3 is a draw, so that isn't told. The advice to take turns isn't
    given if the match is rated together with its rematch, where another note says as much, nor in a
    tournament, where nobody can follow it.
    """
    match = stored.match
    game, options = match.game, match.options
    if match.ply > 1:
        return []
    if _is_against_computer(stored):
        return words.flag_rules(game, options, texts)
    if plies := game.forced_win(options):
        if may_count(stored) and game.one_sided(options):
            return [texts("board.forced_win.alone", plies=plies), texts("board.pairs")]
        alone = stored.tournament_id is not None or not match.rated
        key = "board.forced_win.alone" if alone else "board.forced_win"
        return [texts(key, plies=plies)]
    rules = words.flag_rules(game, options, texts)
    if game.drawn(options) and options != game.resolve({}):
        return [*rules, texts("line.value", value=texts("review.draw"))]
    plies = game.forced_win(words.without_flags(game, options)) if rules else None
    return [*rules, texts("board.forced_win.evened", plies=plies)] if plies else rules


def _unrated(stored: StoredMatch, texts: Texts) -> str | None:
    """Return why a match between members doesn't count; None if it does, or still may.

    Where no match is rated, the invitation says so, and then the end of the series' first match.
    """
    reason = stored.entry.unrated
    told_before = reason is Unrated.ELSEWHERE and stored.id != stored.series_id
    if told_before or not stored.match.rated:
        return None
    if not stored.match.outcome:
        if stored.place.server_id is None:
            return None
        marked = Unrated.HINTED if stored.hinted else Unrated.UNDONE if stored.undone else None
        reason = reason or marked
    return texts(f"board.unrated.{reason}", count=fewest_plies(stored.match)) if reason else None


def draw_note(stored: StoredMatch, names: words.Names, texts: Texts) -> str | None:
    """Return the note on the effect of a draw in a running game of a knockout, else None."""
    if stored.knockout and stored.draw_wins is None:
        return texts("board.tournament.replayed")
    return _decides(stored, names, texts)


def _decides(stored: StoredMatch, names: words.Names, texts: Texts) -> str | None:
    """Return the note on a running match of a tournament in which a draw has a winner."""
    if stored.tournament_id is None or stored.draw_wins is None:
        return None
    return texts("board.tournament.decides", favoured=names[stored.draw_wins])


def _counted_there(stored: StoredMatch, names: words.Names, texts: Texts) -> str | None:
    """Return the note on the points of a tournament match that nobody won, else None.

    For a match without a result, the note says where to see how it will count. The result of one
    that the organiser has decided says that itself.
    """
    outcome = stored.match.outcome
    if stored.tournament_id is None or outcome is None or outcome.winner is not None:
        return None
    if outcome.termination is Termination.VOIDED:
        return None
    if not outcome.has_result:
        return texts("board.tournament.counted")
    if stored.draw_wins is not None:
        return texts("board.tournament.draw_odds", favoured=names[stored.draw_wins])
    return texts("board.tournament.replayed" if stored.knockout else "board.tournament.drawn")


def _withdrawn(stored: StoredMatch, names: words.Names, texts: Texts) -> str | None:
    """Return the note that a player is paired no more in the tournament, None if all still are."""
    ending = stored.match.ending
    if stored.tournament_id is None or ending is None:
        return None
    seat = ending.unmoved(stored.match.ply)
    return None if seat is None else texts("board.tournament.withdrawn", player=names[seat])


def _provisional(stored: StoredMatch, texts: Texts) -> str | None:
    """Return the note on provisional ratings, if the match has given somebody their first one."""
    first = any(change.provisional and change.before == START for change in stored.entry.changes)
    return texts("board.rating.note", start=START) if first else None


def _unreminded(stored: StoredMatch, missing: Collection[str], texts: Texts) -> str | None:
    """Return why nobody is reminded of the clock; None if no clock runs, or reminders are possible.

    Where the bot can't post at all, the invitation has said so.
    """
    if stored.timing.deadline is None or not stored.place.posts or not missing:
        return None
    return texts("board.unreminded", permissions=words.permissions_words(missing, texts))


def pick_hint(match: Match, texts: Texts, pick: Square | None) -> str | None:
    """Return how a man is moved by pressing squares, None if the game has no men."""
    if not moves_men(match):
        return None
    return texts("board.picked", square=pick) if pick else texts("board.pick")


def _finished(
    stored: StoredMatch, names: words.Names, texts: Texts, board: list[Part]
) -> list[Part]:
    """Return a finished match: who played, the board, how it ended."""
    match, entry, telling = stored.match, stored.entry, InEmoji(texts)
    # Nobody is told to press *Rematch* where there is no such button.
    again = not stored.played_again and words.are_there(match, range(match.game.seats))
    pairs = entry.unrated is Unrated.UNPAIRED and not again
    told = [
        words.ratings(_told_apart(stored, names, texts), entry.changes, texts),
        _series(stored, names, texts),
        _provisional(stored, texts),
        texts("board.paired", id=entry.paired_with) if entry.paired_with else None,
        texts("board.pairs") if pairs else _unrated(stored, texts),
        _counted_there(stored, names, texts),
        _withdrawn(stored, names, texts),
    ]
    if in_words(stored):
        return [spoken_text(stored, names, texts), *board, *told]
    # The line that decided the match shows its last move, and the result names its squares.
    shown = match.outcome is not None and bool(match.outcome.squares)
    last = None if shown else telling.last_moves(match)
    return [
        f"### {words.title(match.game, match.options, texts)}",
        *telling.player_lines(match, names),
        *board,
        last,
        telling.result(match, names),
        *told,
    ]


def _telling(stored: StoredMatch, texts: Texts) -> Telling:
    """Return the way in which a match is told of."""
    return InWords(texts) if in_words(stored) else InEmoji(texts)


def _told_apart(stored: StoredMatch, names: words.Names, texts: Texts) -> Iterable[str]:
    """Return the names of the players, with their marks if two members have the same."""
    if len({*names}) == len({*stored.match.players}):
        return names
    telling = _telling(stored, texts)
    return [telling.named(stored.match, seat, name) for seat, name in enumerate(names)]


def _series(stored: StoredMatch, names: words.Names, texts: Texts) -> str | None:
    """Return the score of the series; None before it says more than the result of this match.

    In a tournament each match stands alone.
    """
    if stored.tournament_id is not None or not any(stored.brought):
        return None
    return words.score(stored.match, _told_apart(stored, names, texts), stored.series.points, texts)


def _square(cell: Cell, custom_id: str) -> Component:
    """Return the button of a square: its mark, or the name of an empty square."""
    content, style = cell.content, _STYLES[cell.look]
    if content is Blank.OPEN:
        return label_button(str(cell.square), custom_id, style)
    shown = BLANKS[content] if isinstance(content, Blank) else MARKS[content.shape].plain
    return icon_button(shown, custom_id, style)


def _running_controls(stored: StoredMatch, texts: Texts, *, large: bool) -> Component:
    """Return the controls below a running match.

    A `large` board has a control that shows the legal squares, if they aren't simply the empty
    ones. A match against the computer has no draw. Instead of an undo there are the rules as long
    as there is nothing to take back. There are no hints while a match may still be rated. A
    tournament match has only a draw and resignation. Controls for which the row has no room are
    left to their commands.
    """
    at = (stored.id, stored.match.ply)
    if _has_undo(stored.match):
        first = button(texts("button.undo"), AskOffer(*at, OfferKind.UNDO), icon=emoji.UNDO)
    else:
        rules = OpenRules(stored.match.game.key)
        first = button(texts("button.rules"), rules, icon=emoji.RULES)
    resign = button(texts("button.resign"), AskResign(*at), icon=emoji.RESIGN)
    restart = button(texts("button.restart"), AskOffer(*at, OfferKind.RESTART), icon=emoji.RESTART)
    in_tournament = stored.tournament_id is not None
    controls = [resign] if in_tournament else [first, resign]
    last = [] if in_tournament else [restart]
    if stored.match.rated:
        draw = AskOffer(*at, OfferKind.DRAW)
        controls.append(button(texts("button.draw"), draw, icon=emoji.DRAW))
    if not in_tournament and not may_count(stored):
        controls.append(button(texts("button.hint"), AskHint(*at), icon=emoji.HINT))
    if SWAP in stored.match.position.legal_moves():
        swap = Play(*at, str(SWAP))
        controls.insert(0, button(texts("button.swap"), swap, ButtonStyle.primary, emoji.SWAP))
    if large and says_more(stored.match.position):
        controls.append(button(texts("button.legal"), ShowLegal(stored.id), icon=emoji.TARGET))
    return button_row(*[*controls, *last][:MAX_ROW])


def _final_controls(stored: StoredMatch, texts: Texts) -> list[Component]:
    """Return the controls below a finished match; undo is one of them if no result counts.

    A match that was played again, or belongs to a tournament, can only be looked at. If nobody has
    moved, there is nothing to look at. Members who have left the server, or were erased, can't
    agree to anything: a rematch needs all players, and an undo needs those who stayed to the end.
    """
    moved = bool(stored.match.moves)
    opening, analyse = Replay(stored.id, 0, Step.OPEN), Analyse(stored.id)
    looks = (
        button(texts("button.replay"), opening, icon=emoji.REPLAY),
        button(texts("button.analyse"), analyse, icon=emoji.ANALYSE, disabled=not moved),
        button(texts("button.share"), Share(stored.id), icon=emoji.SHARE),
    )
    looking = [button_row(*looks)] if moved else []
    if stored.played_again or stored.tournament_id is not None:
        # A message needs one button at least, to tell which match it shows (`ply_shown`).
        return looking or [button_row(looks[1])]
    new = button(texts("button.new_game"), NewGame(stored.id), icon=emoji.NEW_GAME)
    playing = [new]
    match = stored.match
    if words.are_there(match, range(match.game.seats)):
        again = Rematch(stored.id)
        rematch = button(texts("button.rematch"), again, ButtonStyle.primary, emoji.REMATCH)
        playing.insert(0, rematch)
    if not stored.entry.changes and match.outcome and match.outcome.counts and _has_undo(match):
        undo = AskOffer(stored.id, match.ply, OfferKind.UNDO)
        playing.append(button(texts("button.undo"), undo, icon=emoji.UNDO))
    return [button_row(*playing), *looking]


def _has_undo(match: Match) -> bool:
    """Return whether a member who hasn't left has a move to take back, and all can agree."""
    if not words.are_there(match, match.staying):
        return False
    for player in (match.players[seat] for seat in match.staying):
        with suppress(NothingToUndo):
            if isinstance(player, Member):
                match.undo(player)
                return True
    return False
