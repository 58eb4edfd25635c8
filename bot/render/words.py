"""Words for games and their options, times, places, names, points and ratings."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from bot.i18n import Texts
from bot.identity import Escaped, Person, Place, escape, is_former, plain
from bot.times import DAY, HOUR, MINUTE
from core.game import Game
from core.grid import SWAP, Move
from core.match import Match
from core.options import Choice, Flag, Options
from core.outcome import Termination
from core.players import Computer, Member, Player

Names = Sequence[Escaped]

# Tie-breaks have quarters too. Half of the languages write 0.5, and half 0,5.
_QUARTERS = {0.0: "", 0.25: "¼", 0.5: "½", 0.75: "¾"}

NO_BREAK_SPACE = "\u00a0"

# It has no width; clients break no line at it.
WORD_JOINER = "\u2060"

DOT = f"{NO_BREAK_SPACE}· "
"""The dot between parts of a line; no line begins with it."""

_DASH = f"{NO_BREAK_SPACE}– "

# The terminations of a match, or of a seat in it, by which somebody had left the server.
_LEFT_SERVER = {Termination.DEPARTURE, Termination.ABANDONED}

# Units of time, largest first: the key, the seconds, and the least number given in this unit.
_UNITS = (("days", DAY, 2), ("hours", HOUR, 1), ("minutes", MINUTE, 1), ("seconds", 1, 1))


def title(game: Game, options: Options, texts: Texts) -> str:
    """Return the title of a game, with its variant unless it is the usual one, and its flags."""
    unusual = [
        texts(f"game.{game.key}.variant.{options[option.name]}")
        for option in game.declared
        if isinstance(option, Choice) and options[option.name] != option.choices[0]
    ]
    flags = [texts(f"game.{game.key}.flag.{name}") for name in _on(game, options)]
    return texts.row(DOT, [texts(f"game.{game.key}.title", **options), *unusual, *flags])


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
    """Return a time, such as 2 days 5 hours; up to two days, in hours without days."""
    parts = list[str]()
    for unit, size, least in _UNITS:
        if seconds >= least * size:
            count, seconds = divmod(seconds, size)
            parts.append(texts(f"duration.{unit}", count=count))
    return parts[0] if len(parts) == 1 else texts.row(" ", parts)


def permissions_words(permissions: Iterable[str], texts: Texts) -> str:
    """Return permissions under the names that Discord shows, in italics."""
    return texts.joined(f"*{texts(f'permission.{name}')}*" for name in permissions)


def back_words(place: Place, texts: Texts) -> str:
    """Return how a player brings an archived match back: on a server, into any channel."""
    return texts("board.back.here" if place.server_id is None else "board.back.anywhere")


def without_buttons(command: str, option: str | None, texts: Texts) -> str:
    """Return the line that names the command, and its option, that do the same as a button."""
    named = " ".join(map(texts.name, command.split(" ")))
    chosen = "" if option is None else f" {texts.name(option)}: True"
    return texts("without_buttons", command=f"`/{named}{chosen}`")


def saved(shown: str, texts: Texts) -> str:
    """Return the settings that are `shown` after a change, below a line that it has been saved."""
    return f"{texts('settings.saved')}\n{shown}"


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


def notation(move: Move) -> str:
    """Return a move in notation as messages show it: no line breaks after its hyphen.

    `typed_move` reads it, too, so that members can copy it.
    """
    return str(move).replace("-", f"-{WORD_JOINER}")


def on_squares(moves: Iterable[Move]) -> list[Move]:
    """Return the `moves` that go to a square or a column: all but the swap, which has a button."""
    return [move for move in moves if move != SWAP]


def scored(player: str, score: object, texts: Texts, between: str = NO_BREAK_SPACE) -> str:
    """Return a player with their score; clients keep the two on one line."""
    return texts.row(between, map(texts.isolated, (player, str(score))))


def versus(players: Iterable[str], texts: Texts) -> str:
    """Return the players of a match by seat, as opponents."""
    return texts.row(texts("board.versus"), players)


def deadline(moment: int | None, texts: Texts) -> str | None:
    """Return the line with the deadline of the player to move, None if there is none.

    `moment` is in Unix seconds.
    """
    return None if moment is None else texts("board.deadline", moment=moment)


def score(
    match: Match, names: Iterable[str], brought: Mapping[Player, float], texts: Texts
) -> str | None:
    """Return the score of a series, by the points that each player has `brought`.

    None if no match of the series has had a result.
    """
    if not any(brought.values()):
        return None
    named = dict(zip(match.players, names, strict=True))
    parts = [
        scored(name, points_words(brought.get(player, 0)), texts) for player, name in named.items()
    ]
    return texts("board.score", score=texts.row(_DASH, parts))


def points_words(count: float) -> str:
    """Return points, which are in quarters, as all languages write them: 0, ½, 1, 1½."""
    whole, rest = divmod(count, 1)
    number = f"{whole:.0f}" if whole or not rest else ""
    return f"{number}{_QUARTERS[rest]}"


def ratings(
    names: Iterable[str], changes: Sequence[tuple[int, int, bool]], texts: Texts
) -> str | None:
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
    return texts("board.rating", ratings=texts.row(DOT, parts))


def rating(value: int, texts: Texts, *, provisional: bool) -> str:
    """Return a rating, with a question mark if it is provisional."""
    return texts(
        "board.rating.provisional" if provisional else "board.rating.settled", rating=value
    )


def change_words(before: int, after: int) -> str:
    """Return the change of a rating, with its sign."""
    change = after - before
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "±0"
