"""Playthroughs, one per game and variant: ``python -m tests.core.playthroughs`` writes them.

Each move is listed with the position after it, and how many legal moves that has. A change of the
rules shows up as a difference in these files; if it is intended, write them again and review it.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from core.game import Game
from core.games import GAMES
from core.match import Match
from core.options import ON, Choice, Flag, Options

FOLDER = Path(__file__).parents[1] / "golden" / "playthroughs"
SEED = 2
# Non-default boards, so that the variants differ in more than their names.
BOARDS: dict[str, Options] = {
    "tictactoe-misere": {"rows": 4, "columns": 4, "line": 3},
    "tictactoe-corners": {"rows": 4, "columns": 4, "line": 4},
    "tictactoe-torus": {"rows": 4, "columns": 6, "line": 4},
    "tictactoe-swap": {"rows": 3, "columns": 4},
}
# With the default seed nobody swaps.
SEEDS = {"tictactoe-swap": 85}


def settings() -> Iterator[tuple[str, Game, Options]]:
    """Yield the file name, game and options of every variant.

    Each choice and each flag counts as a variant.
    """
    for game in GAMES.values():
        choices = [(o.name, c) for o in game.declared if isinstance(o, Choice) for c in o.choices]
        flags = [(o.name, ON) for o in game.declared if isinstance(o, Flag)]
        if not choices:
            yield game.key, game, {}
        for option, value in (*choices, *flags):
            name = f"{game.key}-{option if value == ON else value}"
            yield name, game, {**BOARDS.get(name, {}), option: value}


def begin(game: Game, options: Options) -> Match:
    """Return a match before its first move."""
    return Match.start(game, options, rng=Random(SEED))


def play_at_random(match: Match, rng: Random) -> Match:
    """Return `match` after random play to the end."""
    while match.next_player is not None:
        match = match.play(rng.choice(match.position.legal_moves()))
    return match


def record(match: Match) -> str:
    """Return a playthrough as text: the options, a line per ply, and the outcome."""
    options = " ".join(f"{name}={value}" for name, value in match.options.items())
    steps = [
        f"{ply:>3} {move!s:<5} | {position.notation} | {len(position.legal_moves())}"
        for ply, (move, position) in enumerate(
            zip(["start", *match.moves], match.positions, strict=True)
        )
    ]
    lines = [f"game: {match.game.key}", f"options: {options}", *steps]
    if (end := match.outcome) is not None:
        ranks = " ".join(map(str, end.ranks))
        squares = " ".join(map(str, sorted(end.squares)))
        lines.append(f"end: {end.termination} | ranks {ranks} | squares {squares or '-'}")
    return "\n".join(lines) + "\n"


def recorded_moves(text: str) -> str:
    """Return the moves of a playthrough, separated by blanks."""
    steps = (line.split() for line in text.splitlines() if " | " in line)
    return " ".join(step[1] for step in steps if step[0].isdecimal() and step[0] != "0")


def main() -> None:
    """Write all playthroughs."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, game, options in settings():
        match = play_at_random(begin(game, options), Random(SEEDS.get(name, SEED)))
        (FOLDER / f"{name}.txt").write_text(record(match), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
