"""Who plays a match, which moves were made, whose turn it is, and how it ended.

Marks are told as emoji, or as words to those who read boards in words.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise

from bot.forms import Form
from bot.i18n import Texts
from bot.render import emoji
from bot.render.emoji import MARKS
from bot.render.words import NO_BREAK_SPACE, notation, scored, versus
from core.grid import SWAP, Move
from core.marks import Mark
from core.match import Match
from core.match.diagram import news
from core.outcome import Outcome, Result, Termination
from core.players import Computer
from core.position import mover_of

# The end of a sentence, which may be in bold, with the blank after it.
_SENTENCE_END = r"[.!?]\**\s"


class Telling(ABC):
    """Tells of matches in one form, in the language of `texts`; `names` are by seat."""

    _turn: str
    _thinking: str

    def __init__(self, texts: Texts):
        self.texts = texts

    @abstractmethod
    def mark(self, match: Match, seat: int, ply: int = -1) -> str:
        """Return a seat's mark after `ply` plies, by default now: the swap rule changes marks."""

    @abstractmethod
    def named(self, match: Match, seat: int, name: str) -> str:
        """Return the name of the player at a seat, with their mark."""

    @abstractmethod
    def seated(self, match: Match, seat: int, name: str) -> str:
        """Return the name of a player in a list of players, with their mark, and if they left."""

    @abstractmethod
    def players(self, match: Match, names: Sequence[str]) -> str:
        """Return the players with their marks, their points if the game has them, and who left."""

    @abstractmethod
    def _made(self, match: Match, ply: int) -> str:
        """Return the move made at `ply`, with the mark of its seat."""

    def sentence(self, match: Match, said: str) -> str:
        """Return sentences; in words, a mark at the beginning of a sentence gets a capital."""
        return said

    def turn(
        self, match: Match, names: Sequence[str], mention: str | None = None, *, thinks: bool = True
    ) -> str:
        """Return who is to move, or how the match ended.

        `mention` stands for the name of a player to be notified. `thinks` says whether the
        computer, if it is to move, is at work on its move.
        """
        if match.outcome:
            return self.result(match, names)
        seat = mover_of(match.position)
        thinking = thinks and isinstance(match.next_player, Computer)
        key = self._thinking if thinking else self._turn
        said = self.texts(key, mark=self.mark(match, seat), player=mention or names[seat])
        return self.sentence(match, said)

    def last_moves(self, match: Match) -> str | None:
        """Return the moves that are news to the player to move; None before the first move."""
        if not match.moves:
            return None
        if match.moves[-1] == SWAP:
            return self.texts("board.last.swap")
        told = [self._with_gain(match, ply) for ply in range(news(match), match.ply)]
        key = "board.last" if len(told) == 1 else "board.lasts"
        return self.texts(key, moves=self.texts.listed(told))

    def _with_gain(self, match: Match, ply: int) -> str:
        """Return the move made at `ply`, with the points that it brought if the game has them."""
        made = self._made(match, ply)
        before, after = match.positions[ply : ply + 2]
        seat = mover_of(before)
        had, has = before.scores(), after.scores()
        if had is None or has is None:
            return made
        return self.texts("board.last.gain", move=made, points=has[seat] - had[seat])

    def line(self, match: Match, moves: Sequence[Move], at: int = 0) -> str:
        """Return moves that could follow in a match, with their marks; move number `at` is bold."""
        said = []
        for number, move in enumerate(moves, start=1):
            told = f"**{notation(move)}**" if number == at else notation(move)
            marked = self.mark(match, mover_of(match.position)), told
            # Clients break long lines at ordinary blanks: a mark could be parted from its move.
            said.append(self.texts.row(NO_BREAK_SPACE, marked))
            match = match.play(move)
        return self.texts.listed(said)

    def passed_over(self, match: Match, names: Sequence[str]) -> str | None:
        """Return who was passed over since the last turn of the player to move, None if nobody was.

        It may be that player, who hasn't seen the boards on which only the computer moved.
        """
        without = [seat for seat in _skipped(match) if seat in match.staying]
        players = self.texts.listed(self.named(match, seat, names[seat]) for seat in without)
        return self.texts("board.passed", players=players) if without else None

    def departed(self, match: Match, names: Sequence[str]) -> list[str]:
        """Return a line for each who has left since the last turn of the player to move.

        There is none at the end of a match, which the result tells.
        """
        withdrawals = () if match.outcome else match.withdrawals
        return [
            self.texts(
                "board.timed_out" if one.termination is Termination.TIMEOUT else "board.departed",
                player=self.named(match, one.seat, names[one.seat]),
            )
            for one in withdrawals
            if one.ply >= news(match)
        ]

    def result(self, match: Match, names: Sequence[str]) -> str:
        """Return how a finished match ended; with plain `names` it is plain text."""
        outcome = match.outcome
        assert outcome is not None, "only finished matches have a result"
        if not outcome.has_result:
            return self.texts(f"outcome.{outcome.termination}")
        named = [self.named(match, seat, name) for seat, name in enumerate(names)]
        by_result: Mapping[Result, list[str]] = {
            kind: [one for seat, one in enumerate(named) if outcome.result(seat) is kind]
            for kind in Result
        }
        # Those who left earlier have lost too, but the last to leave has ended the match.
        losers = [named[gone.seat] for gone in match.withdrawals[-1:]] or by_result[Result.LOSS]
        return self.texts(
            f"outcome.{_kind(match, outcome)}.{outcome.termination}",
            winner=self.texts.listed(by_result[Result.WIN]),
            loser=self.texts.listed(losers),
            squares=" ".join(map(str, sorted(outcome.squares))),
            count=match.ply,
        )

    def _scored(self, match: Match, names: Sequence[str]) -> list[str]:
        """Return the players by seat, with their points if the game has them, and who has left."""
        told = [self.seated(match, seat, name) for seat, name in enumerate(names)]
        scores = match.position.scores()
        if scores is None:
            return told
        return [scored(told[seat], score, self.texts) for seat, score in enumerate(scores)]

    def _ranked(self, match: Match, names: Sequence[str]) -> list[str]:
        """Return the players in the order of their ranks, and with these, else by seat.

        Ranks are told at the end of a match of more than two that has a result; not if it was left
        to computers, since it isn't ranked by squares.
        """
        told = self._scored(match, names)
        outcome = match.outcome
        if outcome is None or not outcome.has_result or len(told) == 2 or match.deserted:
            return told
        ranks = outcome.ranks
        return [
            self.texts("outcome.rank", rank=ranks[seat], player=told[seat])
            for seat in sorted(range(len(told)), key=ranks.__getitem__)
        ]


class InEmoji(Telling):
    """Tells of matches with marks as emoji."""

    _turn = "board.turn"
    _thinking = "board.thinking"

    def mark(self, match: Match, seat: int, ply: int = -1) -> str:
        """Return the emoji of a seat's mark after `ply` plies, by default now."""
        return MARKS[match.positions[ply].marks[seat].shape].plain

    def named(self, match: Match, seat: int, name: str) -> str:
        """Return the name of the player at a seat, after their mark."""
        return self.texts.row(NO_BREAK_SPACE, (self.mark(match, seat), name))

    def seated(self, match: Match, seat: int, name: str) -> str:
        """Return the name of the player at a seat, after their mark, with a sign if they left."""
        player = self.named(match, seat, name)
        if seat in match.staying:
            return player
        sign = emoji.TIMED_OUT if _timed_out(match, seat) else emoji.RESIGN
        return self.texts("board.left", player=player, sign=sign)

    def players(self, match: Match, names: Sequence[str]) -> str:
        """Return the players by seat, as opponents."""
        return versus(self._scored(match, names), self.texts)

    def player_lines(self, match: Match, names: Sequence[str]) -> list[str]:
        """Return two players in one line, and more in a line each: by rank at the end."""
        return [self.players(match, names)] if len(names) == 2 else self._ranked(match, names)

    def _made(self, match: Match, ply: int) -> str:
        mark = self.mark(match, mover_of(match.positions[ply]), ply + 1)
        return self.texts.row(NO_BREAK_SPACE, (mark, notation(match.moves[ply])))


class InWords(Telling):
    """Tells of matches with marks in words."""

    _turn = "spoken.turn"
    _thinking = "spoken.thinking"

    def mark(self, match: Match, seat: int, ply: int = -1) -> str:
        """Return the word for a seat's mark after `ply` plies, by default now."""
        return self.texts(f"spoken.mark.{match.positions[ply].marks[seat].shape}")

    def named(self, match: Match, seat: int, name: str) -> str:
        """Return the name of the player at a seat, before their mark in brackets."""
        return self.texts("spoken.named", mark=self.mark(match, seat), player=name)

    def seated(self, match: Match, seat: int, name: str) -> str:
        """Return the name of the player at a seat, after their mark, and why they are out if so."""
        player = self.texts("spoken.seat", mark=self.mark(match, seat), player=name)
        if seat in match.staying:
            return player
        key = "spoken.timed_out" if _timed_out(match, seat) else "spoken.left"
        return self.texts(key, player=player)

    def players(self, match: Match, names: Sequence[str]) -> str:
        """Return the players in a list, at the end by rank."""
        return self.sentence(match, self.texts.listed(self._ranked(match, names)))

    def sentence(self, match: Match, said: str) -> str:
        """Return sentences with a capital where they begin with a mark, maybe after an emoji.

        Sentences that begin with anything else, such as a member's name, stay as they are. No mark
        begins with the Turkish i or the Dutch ij, which have capitals of their own.
        """
        marks = "|".join(re.escape(self.mark(match, seat)) for seat in range(match.game.seats))
        beginning = re.compile(rf"((?:^|{_SENTENCE_END})\W*)({marks})\b")
        return beginning.sub(lambda found: f"{found[1]}{found[2][0].upper()}{found[2][1:]}", said)

    def _made(self, match: Match, ply: int) -> str:
        before, move = match.positions[ply], match.moves[ply]
        # A column alone doesn't say on which row the piece has landed, which a shown board does.
        where = notation(move) if move.column is None else str(before.landing(move))
        return self.texts.row(" ", (self.mark(match, mover_of(before), ply + 1), where))


def telling_in(form: Form, texts: Texts) -> Telling:
    """Return what tells of matches to a reader of boards in this form."""
    return InWords(texts) if form is Form.WORDS else InEmoji(texts)


def _skipped(match: Match) -> list[int]:
    """Return the seats that were passed over since the last turn of the player to move."""
    if not match.moves or match.to_move is None or not match.game.skips:
        return []
    movers = [mover_of(position) for position in match.positions]
    own = (ply for ply in reversed(range(match.ply)) if movers[ply] == match.to_move)
    skipped = {
        seat % match.game.seats
        for last, mover in pairwise(movers[next(own, 0) :])
        for seat in range(last + 1, last + 1 + (mover - last - 1) % match.game.seats)
    }
    return sorted(skipped)


def _timed_out(match: Match, seat: int) -> bool:
    """Return whether a seat that plays no more ran out of time, rather than leaving the match."""
    (gone,) = (one for one in match.withdrawals if one.seat == seat)
    return gone.termination is Termination.TIMEOUT


def _kind(match: Match, outcome: Outcome) -> str:
    """Return "draw", "won", or "lost" if the deciding squares are a loser's.

    Squares with nobody's marks are those of the seat that moved last.
    """
    if outcome.winner is None:
        return "draw"
    owners: set[object] = {match.position.content(square) for square in outcome.squares}
    if any(isinstance(owner, Mark) for owner in owners):
        owners = {match.positions[-2].to_move}
    lost = any(isinstance(owner, int) and owner != outcome.winner for owner in owners)
    return "lost" if lost else "won"
