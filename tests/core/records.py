"""Golden records of finished matches: ``python -m tests.core.records`` writes missing ones.

Every later version must read them, so existing records are never changed.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from core.engine.levels import Level
from core.game import Game
from core.match import Match
from core.match.record import Names, write
from core.options import ON, Options
from core.outcome import Ending, Outcome, Result, Termination
from core.players import Computer, Member, Player
from tests.core.boards import ALICE, BOB, NINE_HOLES, TICTACTOE, after
from tests.core.playthroughs import play_at_random, settings

FOLDER = Path(__file__).parents[1] / "golden" / "records"
_PLAYINGS = 60
_NAMES = ("Alice", "Bob", "Carol", "Dave")
ODD_NAMES = ('"\n: result: line\u202e\x00', "Zoë 🎲 العربية")
CIRCLES = "a1-a2 a5-a4" + " a2-b2 a4-b4 b2-a2 b4-a4" * 2


def _wanted(outcome: Outcome, result: Result) -> bool:
    drawn = all(rank == 1 for rank in outcome.ranks)
    return drawn if result is Result.DRAW else outcome.result(0) is result


def at_random(game: Game, options: Options, result: Result) -> Match | None:
    """Return a random playout with this result for the first seat, or None if it is too rare."""
    players = [Member(seat) for seat in range(game.seats)]
    for seed in range(_PLAYINGS):
        rng = Random(seed)
        match = play_at_random(Match.start(game, options, players=players, rng=rng), rng)
        assert match.outcome is not None
        if _wanted(match.outcome, result):
            return match
    return None


def ending_by(game: Game, options: Options, termination: Termination) -> Match:
    """Return a random playout with this termination."""
    for seed in range(50_000):
        match = Match.start(game, options, players=(ALICE, BOB))
        match = play_at_random(match, Random(seed))
        if match.outcome and match.outcome.termination is termination:
            return match
    raise LookupError(termination)


def put_off(match: Match, rng: Random) -> Match:
    """Return a random playout that avoids every end visible one ply ahead."""
    while match.next_player is not None:
        after_each = [match.play(move) for move in match.position.legal_moves()]
        match = rng.choice([m for m in after_each if m.outcome is None] or after_each)
    return match


def deserted(game: Game, options: Options) -> Match:
    """Return an unfinished match that one seat has left."""
    rng = Random(1)
    match = Match.start(game, options, rng=rng)
    for _ in range(4):
        assert match.next_player is not None
        match = match.play(rng.choice(match.position.legal_moves()))
    return match.resign(Member(1))


def begin(game: Game, options: Options, *players: Player) -> Match:
    """Return a match before its first move."""
    return Match.start(game, options, players=players or (ALICE, BOB))


def on_the_board() -> Iterator[tuple[str, Match, Names | None]]:
    """Yield a win, a draw and a loss of each game and variant, if random play finds them."""
    for name, game, options in settings():
        for result in Result:
            if match := at_random(game, options, result):
                yield f"{name}-{result}", match, _NAMES[: game.seats]
        if game.seats > 2:
            left = deserted(game, options)
            yield f"{name}-left", play_at_random(left, Random(2)), None
            if left.outcome is None:
                yield f"{name}-left-twice", left.time_out(), None


def special() -> Iterator[tuple[str, Match, Names | None]]:
    """Yield the endings that random play doesn't reach, and each kind of player."""
    computer = Computer(Level.PERFECT)
    opening = after(begin(TICTACTOE, {"rows": 5}), "c3 b2 d4")
    yield "resignation-first", opening.resign(ALICE), ("Alice", "Bob")
    yield "resignation-second", opening.resign(BOB), ODD_NAMES
    yield "resignation-at-once", begin(NINE_HOLES, {}).resign(BOB), None
    yield "timeout", opening.time_out(), ("Alice", "Bob")
    yield "departure", opening.depart(BOB), ("Alice", "Bob")
    called_off = replace(opening, ending=Ending(Termination.CALLED_OFF))
    yield "called-off-without-ranks", called_off, ("Alice", "Bob")
    won, drawn = Ending(Termination.ADJUDICATION, 1), Ending(Termination.ADJUDICATION)
    yield "adjudication", replace(opening, ending=won), ("Alice", "Bob")
    yield "adjudication-drawn", replace(opening, ending=drawn), ("Alice", "Bob")
    yield "voided", replace(opening, ending=Ending(Termination.VOIDED)), ("Alice", "Bob")
    yield "stranded", opening.strand(), ("Alice", "Bob")
    yield "dropped", opening.drop(ALICE), ("Alice", "Bob")
    yield "restarted", opening.abort(), ("Alice", "Bob")
    yield "abandoned", opening.depart(ALICE, BOB), ("Alice", "Bob")
    yield "agreement", opening.agree_draw(), ("Alice", None)
    yield "unfinished", opening, ("Alice", "Bob")
    swapping: Options = {"rows": 3, "columns": 4, "swap": ON}
    swapped = after(begin(TICTACTOE, swapping), "b1 swap a3 b2 b3 d3 c1")
    yield "swapped", swapped, ("Alice", "Bob")
    yield "swapped-resignation", after(begin(TICTACTOE, swapping), "b1 swap").resign(ALICE), None
    yield "repetition", after(begin(NINE_HOLES, {}), CIRCLES), ("Alice", "Bob")
    yield "blocked", ending_by(NINE_HOLES, {"variant": "step"}, Termination.BLOCKED), None
    yield "ply-limit", put_off(begin(NINE_HOLES, {}), Random(0)), ("Alice", "Bob")
    against = begin(TICTACTOE, {}, computer, ALICE)
    yield "computer", after(against, "a1 b1 a2 b2 a3"), (None, "Alice")
    large: Options = {"rows": 10, "columns": 10, "line": 9}
    yield "hundred-squares", ending_by(TICTACTOE, large, Termination.FULL), ("Alice", "Bob")


def main() -> None:
    """Write the records that are missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, match, names in (*on_the_board(), *special()):
        path = FOLDER / f"{name}.rowbot"
        if not path.exists():
            path.write_text(write(match, names), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
