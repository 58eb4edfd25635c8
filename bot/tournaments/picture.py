"""The picture of a tournament: a cross-table, or a knockout's bracket, cut to fit a phone.

Both are values of `bot.pictures.model`.
"""

from collections.abc import Iterator

from bot.pictures.model import Bracket, Cell, Crosstable, Row, Side
from bot.render.words import points_words
from bot.tournaments.knockout import Slot, Tie, bracket
from bot.tournaments.model import Format, Tournament, TournamentGame
from bot.tournaments.standings import standings

_MOST_ROWS = 32
_MOST_ROUNDS = 5  # of a bracket, with 16 ties in the first of them
_PLAYING, _NOBODY = "•", "–"
_RESULTS = {1.0: "1", 0.5: "½", 0.0: "0"}
_UNPLAYED = {1.0: "+", 0.0: "-"}


def crosstable(tournament: Tournament) -> Crosstable:
    """Return the cross-table of a round robin or a Swiss tournament, by rank.

    A round robin has a column for each opponent, a Swiss tournament one for each round. With more
    than 32 entrants it has the first 32. Rows are numbered, since entrants may share a rank.
    """
    scores = standings(tournament)
    rows_of = {score.entrant: number for number, score in enumerate(scores, 1)}
    shown = scores[:_MOST_ROWS]
    swiss = tournament.format is Format.SWISS
    heads = range(1, (tournament.rounds if swiss else len(shown)) + 1)
    cells = _by_round if swiss else _by_opponent
    rows = (
        Row(
            number=str(rows_of[score.entrant]),
            name=tournament.entrants[score.entrant].person.name or _NOBODY,
            cells=tuple(cells(tournament, score.entrant, rows_of)),
            points=points_words(score.points),
            gone=not tournament.entrants[score.entrant].here,
            leads=score.rank == 1 and score.points > 0,
        )
        for score in shown
    )
    return Crosstable(tuple(map(str, heads)), tuple(rows), cut=len(shown) < len(scores))


def _by_round(tournament: Tournament, entrant: int, rows_of: dict[int, int]) -> Iterator[Cell]:
    """Yield the results of a Swiss tournament, each with the number of the opponent's row."""
    rounds = {one.pairing.round: one for one in tournament.games_of(entrant)}
    for number in range(1, tournament.rounds + 1):
        played = rounds.get(number)
        opponent = played.opponent(entrant) if played else None
        against = "" if opponent is None else str(rows_of[opponent])
        yield Cell(_result(played, entrant), against) if played else Cell()


def _by_opponent(
    tournament: Tournament, entrant: int, rows_of: dict[int, int]
) -> Iterator[Cell | None]:
    """Yield the results of a round robin against each opponent, in the order of the rows."""
    results = dict.fromkeys(rows_of, "")
    for played in tournament.games_of(entrant):
        opponent = played.opponent(entrant)
        if opponent is not None:
            results[opponent] += _result(played, entrant)
    for opponent in list(rows_of)[:_MOST_ROWS]:
        yield None if opponent == entrant else Cell(results[opponent])


def _result(played: TournamentGame, entrant: int) -> str:
    if not played.over:
        return _PLAYING
    signs = _RESULTS if played.how.on_board else _UNPLAYED
    return signs[played.points_of(entrant)]


def bracket_shown(tournament: Tournament) -> Bracket:
    """Return the bracket of a knockout; if it is large, the part that is in play.

    A part has at most five rounds, from the first that isn't over, with the ties that lead to a
    single tie of its last round. Of several such parts, this is the one with the most ties to play.
    """
    rounds = bracket(tournament)
    open_rounds = (at for at, ties in enumerate(rounds) if any(tie.winner is None for tie in ties))
    start = min(next(open_rounds, len(rounds)), max(len(rounds) - _MOST_ROUNDS, 0))
    shown = rounds[start : start + _MOST_ROUNDS]
    size = 1 << (len(shown) - 1)
    blocks = len(shown[0]) // size
    parts = [shown[0][block * size : (block + 1) * size] for block in range(blocks)]
    block = max(range(blocks), key=lambda at: sum(tie.winner is None for tie in parts[at]))
    # A round has half as many ties as the one before it.
    of_part = (
        ties[block * size >> column : (block + 1) * size >> column]
        for column, ties in enumerate(shown)
    )
    return Bracket(
        tuple(
            tuple((_side(tournament, t, t.first), _side(tournament, t, t.second)) for t in ties)
            for ties in of_part
        ),
        before=start > 0,
        after=start + len(shown) < len(rounds),
        above=block > 0,
        below=block < blocks - 1,
    )


def _side(tournament: Tournament, tie: Tie, slot: Slot) -> Side:
    if slot is None:
        return Side()
    if not slot:
        return Side(name=_NOBODY)
    (number,) = slot
    entrant = tournament.entrants[number]
    over = [one for one in tie.games if one.over and not one.pairing.is_bye]
    points = points_words(sum(one.points_of(number) for one in over)) if over else ""
    return Side(
        seed=str(number + 1),
        name=entrant.person.name or _NOBODY,
        points=points or (_PLAYING if tie.games and not tie.games[-1].over else ""),
        won=tie.decider.winner == number if tie.decider else None,
        gone=not entrant.here,
    )
