"""The words of refusals, with what the asker can do instead."""

from collections.abc import Sequence

from bot.forms import Form
from bot.i18n import OwnTexts, Texts
from bot.identity import ChannelId, MemberId, Person, escape, is_former
from bot.refusals import NO_ALTERNATIVES, Alternatives, Board, Refusal, Value, reason_of
from bot.render.errors import error_text
from bot.render.links import board_line, message_link, where_words
from bot.render.spoken import row_lines
from bot.render.telling import telling_in
from bot.render.words import (
    are_there,
    back_words,
    bold_names,
    channels_words,
    permissions_words,
    title,
    versus,
)
from core.errors import GameError, HasLeft, MatchOver, NotAPlayer
from core.players import Member
from core.position import mover_of

# Lines of matches in a refusal. With the longest names they fit into its 2,000 characters.
_MOST_PLAYING = 4
# After these the asker may play somewhere else, or here later.
_BUSY = ("refusal.channel_busy", "refusal.not_idle", NotAPlayer.__name__, HasLeft.__name__)
# After these, a player may bring the match on the board back.
_ARCHIVED = ("refusal.put_away", "refusal.put_away_busy", "refusal.rematched.put_away")
# These refuse a match that follows another. While the other one goes on, no match can begin there.
_NOT_AGAIN = ("refusal.former_player", "refusal.player_gone", "refusal.tournament.match.again")
# After these, the players of the match may play it again.
_REMATCHED = (MatchOver.__name__, "refusal.result_stands")
# Instead of words, the answer has buttons that begin a match.
_BY_BUTTON = "by button"
# The commands that begin a match, for those who were refused something else.
_NEXT = {
    MatchOver.__name__: "refusal.next.again",
    "refusal.no_match": _BY_BUTTON,
    "refusal.no_such_match": _BY_BUTTON,
    "refusal.nothing_to_rematch": _BY_BUTTON,
    "refusal.result_stands": "refusal.next.rematch",
    "refusal.called_off": _BY_BUTTON,
    "refusal.stranded": _BY_BUTTON,
    "refusal.abandoned": _BY_BUTTON,
    "refusal.former_player": _BY_BUTTON,
    "refusal.player_gone": _BY_BUTTON,
    "refusal.tournament.match.again": _BY_BUTTON,
    "refusal.channel_free": _BY_BUTTON,
    "refusal.against_self": "refusal.next.computer",
    "refusal.against_bot": "refusal.next.computer",
    "refusal.challenge_gone": "refusal.next.challenge",
    "refusal.challenge_lapsed": "refusal.next.challenge",
    "refusal.not_challenged": "refusal.next.own",
    "refusal.answer.none": "refusal.next.own",
    "refusal.table_full": "refusal.next.table",
    "refusal.table.withdrawn": "refusal.next.table",
    "refusal.table.lapsed": "refusal.next.table",
    "refusal.table.called_off": "refusal.next.table",
}
# After these, `/history` helps to find the match that was meant, also one of another channel.
_FINISHED = ("refusal.nothing_to_analyse", "refusal.no_such_number")


def sends_to_play(refusal: Refusal) -> bool:
    """Return whether the answer names a command that begins a match, or has buttons for that."""
    return _next(refusal, NO_ALTERNATIVES) is not None


def has_buttons(refusal: Refusal, alternatives: Alternatives, asker_id: MemberId) -> bool:
    """Return whether the answer has buttons that begin a match here."""
    begin = _next(refusal, alternatives, asker_id)
    return begin == _BY_BUTTON and alternatives.play_refused is None


def refusal_text(
    refusal: Refusal,
    texts: OwnTexts,
    asker_id: MemberId | None = None,
    alternatives: Alternatives = NO_ALTERNATIVES,
) -> str:
    """Return the answer to a request that was refused, with a link to its board if there is one.

    If the asker plays on that board and wants words, the answer also tells the board.
    """
    told = _told(refusal, alternatives, texts, asker_id)
    board = refusal.board
    if board is None or asker_id is None or board.forms.get(asker_id) is not Form.WORDS:
        return told
    return "\n".join([told, *row_lines(board.match, texts)])


def _told(
    refusal: Refusal, alternatives: Alternatives, texts: Texts, asker_id: MemberId | None
) -> str:
    board = refusal.board
    lines = [_fact(refusal, texts), *ways_out(refusal, texts, asker_id, alternatives)]
    if board is not None and (line := board_line(board, texts)) is not None:
        lines.append(line)
    elif refusal.see is not None:
        lines.append(texts("refusal.see", link=message_link(refusal.see)))
    if refusal.playing:
        lines.append(texts("refusal.playing"))
        lines += [
            _playing_line(board, texts, asker_id) for board in refusal.playing[:_MOST_PLAYING]
        ]
        if (more := len(refusal.playing) - _MOST_PLAYING) > 0:
            lines.append(texts("list.more", count=more))
    return "\n".join(lines)


def _fact(refusal: Refusal, texts: Texts) -> str:
    """Return why something was refused."""
    board = refusal.board
    names = bold_names(board.match, board.names, texts) if board else ()
    if isinstance(refusal.reason, GameError):
        return error_text(refusal.reason, refusal, texts, names)
    values = {name: _said(value, texts) for name, value in refusal.values.items()}
    players = versus(names, texts)
    permissions = permissions_words(refusal.permissions, texts)
    return texts(refusal.reason, players=players, permissions=permissions, **values)


def _playing_line(board: Board, texts: Texts, asker_id: MemberId | None) -> str:
    """Return the line of a match that the asker plays elsewhere."""
    form = Form.EMOJI if asker_id is None else board.forms.get(asker_id, Form.EMOJI)
    match, names = board.match, bold_names(board.match, board.names, texts)
    return texts(
        "refusal.playing.line",
        title=title(match.game, match.options, texts),
        players=telling_in(form, texts).players(match, names),
        player=names[mover_of(match.position)],
        where=where_words(board.place, board.board_id, texts),
    )


def ways_out(
    refusal: Refusal,
    texts: Texts,
    asker_id: MemberId | None = None,
    alternatives: Alternatives = NO_ALTERNATIVES,
) -> list[str]:
    """Return lines that tell the asker what to do instead."""
    reason, board = reason_of(refusal), refusal.board
    if (begin := _next(refusal, alternatives, asker_id)) is not None:
        if alternatives.play_refused is not None:
            return instead_of_play(alternatives.play_refused, texts)
        if begin == _BY_BUTTON:
            return []
        return [_begin_words(begin, board, alternatives.game_channels, texts)]
    if reason == "refusal.elsewhere":
        if not (channels := refusal.values["channels"]):
            return [texts("refusal.next.nowhere")]
        return [texts("refusal.next.elsewhere", channels=_said(channels, texts))]
    if reason == "refusal.against_unseen":
        playing = board is not None and not board.match.outcome
        return [texts("refusal.next.let_in" if playing else "refusal.next.unseen")]
    if board is None:
        return [texts("refusal.next.history")] if reason in _FINISHED else []
    if reason == "refusal.put_away_busy" and board.place.server_id is not None:
        return [texts("refusal.put_away_busy.anywhere")]
    if reason in _ARCHIVED:
        return [back_words(board.place, texts)]
    return []


def instead_of_play(refused: Refusal, texts: Texts) -> list[str]:
    """Return the lines for an asker whom `refused` keeps from `/play`: the way out, or the fact."""
    return ways_out(refused, texts) or [_fact(refused, texts)]


def _next(
    refusal: Refusal, alternatives: Alternatives, asker_id: MemberId | None = None
) -> str | None:
    """Return the text that names the commands for a new match; None if the answer names none."""
    reason, board = reason_of(refusal), refusal.board
    if board is None:
        return _NEXT.get(reason)
    if reason in _BUSY:
        if board.match.outcome or board.archived:
            return _BY_BUTTON
        if alternatives.may_archive:
            return "busy.put_away"
        return "refusal.next.anywhere" if board.place.has_channels else "refusal.next.here"
    if reason in _REMATCHED and not _has_rematch(board, asker_id):
        return _BY_BUTTON
    if reason in _NOT_AGAIN and not board.match.outcome:
        return None
    return _NEXT.get(reason)


def _has_rematch(board: Board, asker_id: MemberId | None) -> bool:
    """Return whether a finished match may have a rematch, and the asker ask for it."""
    stranger = asker_id is not None and Member(asker_id) not in board.match.players
    if stranger or board.tournament_id is not None:
        return False
    return are_there(board.match, range(board.match.game.seats))


def _begin_words(
    begin: str, board: Board | None, game_channels: Sequence[ChannelId], texts: Texts
) -> str:
    """Return how a new match begins, by the key `begin`; it names only channels for games."""
    if begin != "refusal.next.anywhere" or board is None or not game_channels:
        return texts(begin)
    others = [channel for channel in game_channels if channel != board.place.channel_id]
    if not others:
        return texts("refusal.next.here")
    return texts("refusal.next.channels", channels=channels_words(others, texts))


def _said(value: Value, texts: Texts) -> str | int:
    if isinstance(value, tuple):
        return texts.joined(escape(one) if isinstance(one, str) else f"<#{one}>" for one in value)
    if isinstance(value, Person):
        return texts("player.former") if is_former(value.id) else escape(value.name)
    return escape(value) if isinstance(value, str) else value
