"""Matches in words: who plays, whose turn it is, how it ended. Names come in escaped."""

from collections.abc import Iterable, Mapping, Sequence

from bot.i18n import Texts
from bot.render.emoji import MARKS
from core.grid import SWAP, Square
from core.match import Match
from core.outcome import Outcome, Result
from core.players import Computer, Player
from core.position import Blank, Scored

Names = Sequence[str]


def player_names(match: Match, names: Sequence[str | None], texts: Texts) -> list[str]:
    """Return what each seat's player is called, in bold; the computer by its level."""
    return [f"**{name}**" for name in plain_names(match, names, texts)]


def plain_names(match: Match, names: Sequence[str | None], texts: Texts) -> list[str]:
    """Return what each seat's player is called, without any formatting."""
    return [
        player_name(player, name, texts) for player, name in zip(match.players, names, strict=True)
    ]


def player_name(player: Player, name: str | None, texts: Texts) -> str:
    """Return what a player is called; the computer by its level."""
    if isinstance(player, Computer):
        return texts("player.computer", level=texts(f"level.{player.level}"))
    if player.id < 0:
        return texts("player.former")
    return name or texts("player.unknown")


def mark(match: Match, seat: int, ply: int = -1) -> str:
    """Return a seat's mark, as it is now or was after so many plies."""
    return MARKS[match.positions[ply].marks[seat].shape].plain


def players_line(match: Match, names: Names, texts: Texts) -> str:
    """Return who plays with which mark, with the points that seats have, and who has left."""
    return texts("board.versus").join(_scored(match, seat, names, texts) for seat in _seats(match))


def _seats(match: Match) -> range:
    return range(match.game.seats)


def _scored(match: Match, seat: int, names: Names, texts: Texts) -> str:
    player = f"{mark(match, seat)} {names[seat]}"
    if seat not in match.staying:
        player = texts("board.left", player=player)
    if not isinstance(match.position, Scored):
        return player
    return texts("board.score.one", player=player, points=match.position.scores()[seat])


def ranking(match: Match, names: Names, texts: Texts) -> str | None:
    """Return the seats of a finished match by rank; None for two, where there is but one loser."""
    if match.outcome is None or match.game.seats == 2:
        return None
    ranks = match.outcome.ranks
    parts = [
        texts("outcome.rank", rank=ranks[seat], player=_scored(match, seat, names, texts))
        for seat in sorted(_seats(match), key=lambda seat: ranks[seat])
    ]
    return " · ".join(parts)


def passed_over(match: Match, names: Names, texts: Texts) -> str | None:
    """Return who had no move after the last one, and was passed over; None for nobody."""
    if not match.moves or match.to_move is None or match.game.seats == 2:
        return None
    last = match.positions[-2].to_move
    assert last is not None, "somebody made the last move"
    seats = match.game.seats
    skipped = range(last + 1, last + 1 + (match.to_move - last - 1) % seats)
    without = [seat % seats for seat in skipped if seat % seats in match.staying]
    players = ", ".join(f"{mark(match, seat)} {names[seat]}" for seat in without)
    return texts("board.passed", players=players) if without else None


def squares_words(squares: Iterable[Square]) -> str:
    """Return squares by name, in reading order of the notation."""
    return " ".join(str(square) for square in sorted(squares))


def last_move(match: Match, texts: Texts) -> str | None:
    """Return the last move in words, None before the first."""
    if not match.moves:
        return None
    if match.moves[-1] == SWAP:
        return texts("board.last.swap")
    seat = match.positions[-2].to_move or 0
    return texts("board.last", mark=mark(match, seat), move=match.moves[-1])


def turn(match: Match, names: Names, texts: Texts, mention: str | None = None) -> str:
    """Return whose turn it is, by `mention` where they are to be notified."""
    seat = match.to_move or 0
    key = "board.thinking" if isinstance(match.next_player, Computer) else "board.turn"
    return texts(key, mark=mark(match, seat), player=mention or names[seat])


def deadline(moment: int | None, texts: Texts) -> str | None:
    """Return when the time of the player to move runs out, None where no clock runs."""
    return None if moment is None else texts("board.deadline", moment=moment)


def result(match: Match, names: Names, texts: Texts) -> str:
    """Return how a finished match ended."""
    outcome = match.outcome
    assert outcome is not None, "only finished matches have a result"
    if not outcome.counts:
        return texts("outcome.called_off")
    marked = [f"{mark(match, seat)} {name}" for seat, name in enumerate(names)]
    by_result: Mapping[Result, list[str]] = {
        kind: [marked[s] for s in range(len(names)) if outcome.result(s) is kind] for kind in Result
    }
    # Where the others play on, not everybody who lost has brought about the end.
    left = [w.seat for w in match.withdrawals if w.termination is outcome.termination]
    losers = [marked[seat] for seat in left] or by_result[Result.LOSS]
    return texts(
        f"outcome.{_kind(match, outcome)}.{outcome.termination}",
        winner=", ".join(by_result[Result.WIN]),
        loser=", ".join(losers),
        squares=squares_words(outcome.squares),
        ply=match.ply,
    )


def _kind(match: Match, outcome: Outcome) -> str:
    """Return "draw", "won", or "lost" where the deciding squares are a loser's."""
    results = [outcome.result(seat) for seat in range(match.game.seats)]
    if Result.WIN not in results:
        return "draw"
    owners = (match.position.content(square) for square in outcome.squares)
    lost = any(not isinstance(o, Blank) and results[o] is Result.LOSS for o in owners)
    return "lost" if lost else "won"
