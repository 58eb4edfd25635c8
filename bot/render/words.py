"""Matches in words: options, players, turns, results, points and ratings."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from bot.i18n import Texts
from bot.identity import Escaped, Person, Place, escape, is_former, plain
from bot.render import emoji
from bot.render.emoji import MARKS
from bot.times import DAY, HOUR, MINUTE
from core.game import Game
from core.grid import SWAP, Move
from core.match import Match
from core.match.diagram import news
from core.options import Choice, Flag, Options
from core.outcome import Outcome, Result, Termination
from core.players import Computer, Member, Player
from core.position import mover_of

Names = Sequence[Escaped]

# Tie-breaks have quarters too. Half of the languages write 0.5, and half 0,5.
_QUARTERS = {0.0: "", 0.25: "¼", 0.5: "½", 0.75: "¾"}

NO_BREAK_SPACE = "\u00a0"

# The terminations of a match, or of a seat in it, by which somebody had left the server.
_LEFT_SERVER = {Termination.DEPARTURE, Termination.ABANDONED}

# Units of time, largest first: the key, the seconds, and the least number given in this unit.
_UNITS = (("days", DAY, 2), ("hours", HOUR, 1), ("minutes", MINUTE, 1))


def title(game: Game, options: Options, texts: Texts) -> str:
    """Return the title of a game, with its variant unless it is the usual one, and its flags."""
    unusual = [
        texts(f"game.{game.key}.variant.{options[option.name]}")
        for option in game.declared
        if isinstance(option, Choice) and options[option.name] != option.choices[0]
    ]
    flags = [texts(f"game.{game.key}.flag.{name}") for name in _on(game, options)]
    return texts.row(" · ", [texts(f"game.{game.key}.title", **options), *unusual, *flags])


def without_flags(game: Game, options: Options) -> Options:
    """Return `options` with all flags off."""
    on = _on(game, options)
    return {name: value for name, value in options.items() if name not in on}


def flag_rules(game: Game, options: Options, texts: Texts) -> list[str]:
    """Return the rules of the flags that are on."""
    return [texts(f"game.{game.key}.flag.{name}.rule") for name in _on(game, options)]


def _on(game: Game, options: Options) -> list[str]:
    return [o.name for o in game.declared if isinstance(o, Flag) and o.name in options]


def clock_words(clock: int | None, texts: Texts) -> str:
    """Return the time that a player has for a move."""
    return texts("clock.none") if clock is None else duration(clock, texts)


def duration(seconds: int, texts: Texts) -> str:
    """Return a time in the largest unit in which it is a whole number; one day is 24 hours."""
    for unit, size, least in _UNITS:
        if seconds % size == 0 and seconds >= least * size:
            count = seconds // size
            return texts(f"duration.{unit}", count=count)
    return texts("duration.seconds", count=seconds)


def permissions_words(permissions: Iterable[str], texts: Texts) -> str:
    """Return permissions under the names that Discord shows, in italics."""
    return texts.joined(f"*{texts(f'permission.{name}')}*" for name in permissions)


def back_words(place: Place, texts: Texts) -> str:
    """Return how a player brings an archived match back: on a server, into any channel."""
    return texts("board.back.here" if place.server_id is None else "board.back.anywhere")


def without_buttons(command: str, option: str, texts: Texts) -> str:
    """Return the line that names the command and option that do the same as a button."""
    named = " ".join(map(texts.name, command.split(" ")))
    return texts("without_buttons", command=f"`/{named} {texts.name(option)}: True`")


def channels_words(channel_ids: Iterable[int], texts: Texts) -> str:
    """Return mentions of channels; Discord shows each by its name, to those who can see it."""
    return texts.joined(f"<#{channel_id}>" for channel_id in channel_ids)


def bold_names(match: Match, names: Sequence[str | None], texts: Texts) -> list[Escaped]:
    """Return the players' names by seat, escaped and in bold; the computer's is its level."""
    return [
        bold(Escaped(player_name(player, name and escape(name), texts)), texts)
        for player, name in zip(match.players, names, strict=True)
    ]


def bold(name: Escaped, texts: Texts) -> Escaped:
    """Return a name in bold, which keeps its direction in a text of another one."""
    return Escaped(f"**{texts.isolated(name)}**")


def named(person: Person, texts: Texts) -> Escaped:
    """Return a member's name, escaped and in bold; a former member has none."""
    name = Escaped(texts("player.former")) if is_former(person.id) else escape(person.name)
    return bold(name, texts)


def plain_names(match: Match, names: Sequence[str | None], texts: Texts) -> list[str]:
    """Return the players' names by seat, unescaped, for text that Discord doesn't format."""
    return [
        plain(player_name(player, name, texts))
        for player, name in zip(match.players, names, strict=True)
    ]


def player_name(player: Player, name: str | None, texts: Texts) -> str:
    """Return a player's name; the computer's is its level."""
    if isinstance(player, Computer):
        return texts("player.computer", level=texts(f"level.{player.level}"))
    if is_former(player.id):
        return texts("player.former")
    return name or texts("player.unknown")


def are_there(match: Match, seats: Collection[int]) -> bool:
    """Return whether none of these seats had left the server by the end, and none was erased."""
    ends = {one.termination for one in match.withdrawals if one.seat in seats}
    if match.outcome is not None:
        ends.add(match.outcome.termination)
    players = (match.players[seat] for seat in seats)
    former = any(isinstance(player, Member) and is_former(player.id) for player in players)
    return ends.isdisjoint(_LEFT_SERVER) and not former


def on_squares(moves: Iterable[Move]) -> list[Move]:
    """Return the `moves` that go to a square or a column: all but the swap, which has a button."""
    return [move for move in moves if move != SWAP]


def mark(match: Match, seat: int, ply: int = -1) -> str:
    """Return a seat's mark after `ply` plies, by default now: the swap rule changes marks."""
    return MARKS[match.positions[ply].marks[seat].shape].plain


def with_mark(match: Match, seat: int, name: str, texts: Texts) -> str:
    """Return the name of a player after their mark."""
    return texts.row(NO_BREAK_SPACE, (mark(match, seat), name))


def players_line(match: Match, names: Names, texts: Texts) -> str:
    """Return the players with their marks, their points if the game has them, and who has left."""
    return versus((_scored(match, seat, names, texts) for seat in range(match.game.seats)), texts)


def scored(player: str, score: object, texts: Texts, between: str = NO_BREAK_SPACE) -> str:
    """Return a player with their score; clients keep the two on one line."""
    return texts.row(between, map(texts.isolated, (player, str(score))))


def versus(players: Iterable[str], texts: Texts) -> str:
    """Return the players of a match by seat, as opponents."""
    return texts.row(texts("board.versus"), players)


def _scored(match: Match, seat: int, names: Names, texts: Texts) -> str:
    player = with_mark(match, seat, names[seat], texts)
    if seat not in match.staying:
        player = texts("board.left", player=player, sign=_left_by(match, seat))
    scores = match.position.scores()
    if scores is None:
        return player
    return scored(player, scores[seat], texts)


def _left_by(match: Match, seat: int) -> str:
    """Return the sign of a seat that has left, by running out of time or otherwise."""
    (gone,) = (one for one in match.withdrawals if one.seat == seat)
    return emoji.TIMED_OUT if gone.termination is Termination.TIMEOUT else emoji.RESIGN


def player_lines(match: Match, names: Names, texts: Texts) -> list[str]:
    """Return two players in one line, and more in a line each: by rank at the end, else by seat."""
    told = [_scored(match, seat, names, texts) for seat in range(match.game.seats)]
    return [versus(told, texts)] if len(told) == 2 else ranked(match, told, texts) or told


def ranked(match: Match, players: Sequence[str], texts: Texts) -> list[str]:
    """Return `players`, given by seat, in the order of their ranks and with these: "#1 bob".

    Returns none for two seats, before the end, and without a result; also for a match that was left
    to computers, which isn't ranked by squares.
    """
    outcome = match.outcome
    if outcome is None or not outcome.has_result or match.game.seats == 2 or match.deserted:
        return []
    ranks = outcome.ranks
    return [
        texts("outcome.rank", rank=ranks[seat], player=players[seat])
        for seat in sorted(range(match.game.seats), key=ranks.__getitem__)
    ]


def passed_over(
    match: Match,
    names: Names,
    texts: Texts,
    named: Callable[[Match, int, str, Texts], str] = with_mark,
) -> str | None:
    """Return who was passed over since the last turn of the player to move; None if nobody was.

    It may be that player, who hasn't seen the boards on which only the computer moved. `named`
    returns a name with the mark of its seat.
    """
    if not match.moves or match.to_move is None or not match.game.skips:
        return None
    movers = [mover_of(position) for position in match.positions]
    own = (ply for ply in reversed(range(match.ply)) if movers[ply] == match.to_move)
    skipped = {
        seat % match.game.seats
        for last, mover in pairwise(movers[next(own, 0) :])
        for seat in range(last + 1, last + 1 + (mover - last - 1) % match.game.seats)
    }
    without = [seat for seat in sorted(skipped) if seat in match.staying]
    players = texts.listed(named(match, seat, names[seat], texts) for seat in without)
    return texts("board.passed", players=players) if without else None


def _made(match: Match, ply: int, texts: Texts) -> str:
    """Return the move made at `ply`, with the points that it brought if the game has them."""
    marked = mark(match, mover_of(match.positions[ply]), ply + 1)
    made = texts.row(NO_BREAK_SPACE, (marked, str(match.moves[ply])))
    return with_gain(made, match, ply, texts)


def with_gain(made: str, match: Match, ply: int, texts: Texts) -> str:
    """Return the words `made` for the move at `ply`, with its points if the game has them."""
    before, after = match.positions[ply : ply + 2]
    seat = mover_of(before)
    had, has = before.scores(), after.scores()
    if had is None or has is None:
        return made
    return texts("board.last.gain", move=made, points=has[seat] - had[seat])


def last_moves(
    match: Match, texts: Texts, made: Callable[[Match, int, Texts], str] = _made
) -> str | None:
    """Return the moves that are news to the player to move; None before the first move.

    `made` says which move was made at a ply.
    """
    if not match.moves:
        return None
    if match.moves[-1] == SWAP:
        return texts("board.last.swap")
    told = [made(match, ply, texts) for ply in range(news(match), match.ply)]
    return texts("board.last" if len(told) == 1 else "board.lasts", moves=texts.listed(told))


def line(
    match: Match,
    moves: Sequence[Move],
    texts: Texts,
    at: int = 0,
    marking: Callable[[Match, int], str] = mark,
) -> str:
    """Return moves that could follow in a match, with their marks; move number `at` is in bold."""
    said = []
    for number, move in enumerate(moves, start=1):
        told = f"**{move}**" if number == at else str(move)
        # Clients break long lines at ordinary blanks: a mark could be parted from its move.
        said.append(texts.row(NO_BREAK_SPACE, (marking(match, mover_of(match.position)), told)))
        match = match.play(move)
    return texts.listed(said)


def turn(match: Match, names: Names, texts: Texts, mention: str | None) -> str:
    """Return whose turn it is; `mention` stands for the name of a player to be notified."""
    seat = mover_of(match.position)
    key = "board.thinking" if isinstance(match.next_player, Computer) else "board.turn"
    return texts(key, mark=mark(match, seat), player=mention or names[seat])


def deadline(moment: int | None, texts: Texts) -> str | None:
    """Return the line with the deadline of the player to move, None if there is none.

    `moment` is in Unix seconds.
    """
    return None if moment is None else texts("board.deadline", moment=moment)


def result(match: Match, names: Sequence[str], texts: Texts) -> str:
    """Return how a finished match ended; with plain `names` it is plain text."""
    players = [with_mark(match, seat, name, texts) for seat, name in enumerate(names)]
    return result_of(match, players, texts)


def result_of(match: Match, marked: Sequence[str], texts: Texts) -> str:
    """Return how a finished match ended; `marked` are the players by seat, with their marks."""
    outcome = match.outcome
    assert outcome is not None, "only finished matches have a result"
    if not outcome.has_result:
        return texts(f"outcome.{outcome.termination}")
    by_result: Mapping[Result, list[str]] = {
        kind: [one for seat, one in enumerate(marked) if outcome.result(seat) is kind]
        for kind in Result
    }
    # Those who left earlier have lost too, but the last to leave has ended the match.
    losers = [marked[gone.seat] for gone in match.withdrawals[-1:]] or by_result[Result.LOSS]
    return texts(
        f"outcome.{_kind(match, outcome)}.{outcome.termination}",
        winner=texts.listed(by_result[Result.WIN]),
        loser=texts.listed(losers),
        squares=" ".join(map(str, sorted(outcome.squares))),
        count=match.ply,
    )


def _kind(match: Match, outcome: Outcome) -> str:
    """Return "draw", "won", or "lost" if the deciding squares are a loser's."""
    if outcome.winner is None:
        return "draw"
    owners = (match.position.content(square) for square in outcome.squares)
    lost = any(isinstance(owner, int) and owner != outcome.winner for owner in owners)
    return "lost" if lost else "won"


def score(match: Match, names: Names, brought: Mapping[Player, float], texts: Texts) -> str | None:
    """Return the score of a series, by the points that each player has `brought`.

    None if no match of the series has had a result.
    """
    if not any(brought.values()):
        return None
    named = dict(zip(match.players, names, strict=True))
    parts = [
        scored(name, points_words(brought.get(player, 0)), texts) for player, name in named.items()
    ]
    return texts("board.score", score=texts.row(" – ", parts))


def points_words(count: float) -> str:
    """Return points, which are in quarters, as all languages write them: 0, ½, 1, 1½."""
    whole, rest = divmod(count, 1)
    number = f"{whole:.0f}" if whole or not rest else ""
    return f"{number}{_QUARTERS[rest]}"


def ratings(names: Names, changes: Sequence[tuple[int, int, bool]], texts: Texts) -> str | None:
    """Return each player's new rating and its change; None for an unrated match.

    `changes` are, by seat, the ratings before and after the match, and whether the latter is
    provisional; empty if the match isn't rated.
    """
    if not changes:
        return None
    parts = []
    for name, (before, after, provisional) in zip(names, changes, strict=True):
        rated = rating(after, texts, provisional=provisional)
        told = texts("board.rating.one", rating=rated, change=change_words(before, after))
        parts.append(scored(name, told.replace(" ", NO_BREAK_SPACE), texts))
    return texts("board.rating", ratings=texts.row(" · ", parts))


def rating(value: int, texts: Texts, *, provisional: bool) -> str:
    """Return a rating, with a question mark if it is provisional."""
    return texts(
        "board.rating.provisional" if provisional else "board.rating.settled", rating=value
    )


def change_words(before: int, after: int) -> str:
    """Return the change of a rating, with its sign."""
    change = after - before
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "±0"
