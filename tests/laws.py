"""The laws of boards: what may be shown of the matches that the database has.

A live match has one board, which shows it as it stands; a match that is over or archived has none.
The end of a match is shown at most once. A bot can't know all messages, and each oracle excuses
what its bot doesn't know.

In the lines, `told` tells where the messages are.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.matches.model import StoredMatch
from tests.load.reading import Reading

# The bot notes every five seconds which message shows a match.
NOTED_WITHIN = timedelta(seconds=8)


@dataclass(frozen=True)
class Known:
    """A match as the database has it."""

    match: int
    ply: int
    over: bool
    archived: bool

    @classmethod
    def of(cls, stored: StoredMatch) -> "Known":
        """Return a match as it is stored."""
        return cls(stored.id, stored.match.ply, bool(stored.match.outcome), stored.archived)

    @property
    def live(self) -> bool:
        """Whether it is played, and so holds its channel."""
        return not (self.over or self.archived)


def broken(
    told: str, shown: Sequence[Reading], known: Known, *, may_be_dark: bool = False
) -> Iterator[str]:
    """Yield how the messages about a match break the laws.

    If it `may_be_dark`, it needn't be shown.
    """
    for one in shown:
        yield from stale(told, one, known)
    yield from doubled(told, shown)
    if not may_be_dark:
        yield from in_the_dark(told, shown, known)


def is_current(shown: Reading, known: Known) -> bool:
    """Return whether a message is a board that shows a match as it stands."""
    return shown.running and (shown.match, shown.ply) == (known.match, known.ply)


def stale(told: str, shown: Reading, known: Known | None) -> Iterator[str]:
    """Yield why a message has to go, if it is a board of a match that isn't played so any more."""
    if not shown.running:
        return
    board = f"stale: {told}: message {shown.id} is a board of match {shown.match}"
    if known is None:
        yield f"{board}, which isn't stored"
    elif known.over:
        yield f"{board}, which is over"
    elif known.archived:
        yield f"{board}, which is archived"
    elif not is_current(shown, known):
        yield f"{board} at ply {shown.ply}, which is at ply {known.ply}"


def in_the_dark(told: str, shown: Iterable[Reading], known: Known) -> Iterator[str]:
    """Yield that no message shows a live match as it stands."""
    boards = [one for one in shown if one.running and one.match == known.match]
    if known.live and not any(is_current(one, known) for one in boards):
        plies = [one.ply for one in boards]
        yield (
            f"in the dark: {told}: match {known.match} at ply {known.ply} isn't shown;"
            f" its boards are at {plies}"
        )


def doubled(told: str, shown: Iterable[Reading]) -> Iterator[str]:
    """Yield the matches that have several boards, and those whose ends are shown several times."""
    found = defaultdict[tuple[int | None, str], list[int]](list)
    for one in shown:
        if one.running or one.over:
            found[one.match, "end" if one.over else "board"].append(one.id)
    for (match, what), messages in found.items():
        if len(messages) > 1:
            yield f"doubled: {told}: messages {messages} show the {what} of match {match}"


def may_be_unnoted(moment: datetime, kills: Iterable[datetime]) -> bool:
    """Return whether the bot may have died before it noted what it did at a moment."""
    return any(timedelta(0) <= kill - moment < NOTED_WITHIN for kill in kills)
