"""The bot's public messages: the moves that it acknowledged, and the members that it mentioned."""

import time
from collections import defaultdict
from dataclasses import dataclass, field

from .payloads import Json
from .reading import Reading, read


@dataclass(frozen=True)
class Board:
    """A board as a message once showed it; `by` is the member whose interaction it answered."""

    message: int
    channel: int
    match: int
    ply: int
    mentions: frozenset[int]
    by: int | None
    at: float


@dataclass
class Ledger:
    """Notes all public messages. Everything that they show must be true, then and later.

    `moves` are the acknowledged moves of each match by ply. A board at a lower ply takes back those
    above it, as after an undo; so does another move at the same ply. `taken_back` are those moves.
    """

    boards: list[Board] = field(default_factory=list)
    moves: dict[int, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    taken_back: dict[int, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    ended: set[int] = field(default_factory=set)
    players: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

    def note(self, message: Json) -> None:
        """Note a message as it is now."""
        shown = read(message)
        if shown.match is None:
            return
        if shown.over:
            self.ended.add(shown.match)
        if shown.ply is not None and shown.running:
            self._note_board(shown, shown.match, shown.ply)

    def _note_board(self, shown: Reading, match: int, ply: int) -> None:
        message = shown.message
        asked = message.get("interaction_metadata")
        board = Board(
            shown.id,
            int(message["channel_id"]),
            match,
            ply,
            frozenset(int(user["id"]) for user in message["mentions"]),
            int(asked["user"]["id"]) if asked else None,
            time.monotonic(),
        )
        self.boards.append(board)
        moves = self.moves[match]
        now = {} if shown.last is None else {ply - 1: shown.last}
        for number, move in list(moves.items()):
            if number >= ply or now.get(number, move) != move:
                self.taken_back[match].append((number, moves.pop(number)))
        moves |= now

    def told(self, match: int, ply: int, member: int) -> bool:
        """Return whether the match at this ply was shown to a member, by mention or by answer."""
        return any(
            member in board.mentions or board.by == member
            for board in self.boards
            if (board.match, board.ply) == (match, ply)
        )
