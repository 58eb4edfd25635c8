"""Matches that somebody left can be looked at: reviewed, replayed, exported and drawn."""

from random import Random

import pytest
from discord.ui import LayoutView
from hypothesis import given, settings
from hypothesis import strategies as st
from simcord.components import walk_components

from bot.analysis.model import BestLine, positions_to_analyse, review
from bot.analysis.replays import along, line_view, replay_view
from bot.analysis.reviews import ReviewPage, review_view
from bot.forms import Form
from bot.i18n import own_texts
from bot.identity import MatchId
from bot.matches.board_pictures import Seen
from bot.matches.model import StoredMatch
from bot.pictures.frames import animate
from core.engine.analysis import Analysis, Value
from core.game import Game
from core.games import GAMES
from core.grid import Move
from core.match import Match
from core.match.record import read, write
from core.players import Player
from core.position import Position
from tests.bot.playing import HERE
from tests.bot.playing import names_of as some_names

TEXTS = own_texts("en")
BOARD = Seen(("⬛" * 300,), Form.EMOJI)


@st.composite
def left(draw: st.DrawFn, game: Game) -> Match:
    """Return a finished match with leavings of all kinds between random moves."""
    rng = Random(draw(st.integers(0, 2**32)))
    match = Match.start(game, {"size": "small"} if game.seats > 2 else {}, rng=rng)
    leaving = draw(st.lists(st.integers(0, 40), max_size=game.seats, unique=True))
    while (player := match.next_player) is not None:
        if match.ply in leaving:
            leaving.remove(match.ply)
            match = _left_by(match, match.players[rng.choice(match.staying)], rng)
        else:
            match = match.play(rng.choice(match.position.legal_moves()), by=player)
    return match


def _left_by(match: Match, player: Player, rng: Random) -> Match:
    leaving = rng.choice((Match.resign, Match.depart, None))
    return leaving(match, player) if leaving else match.time_out()


def any_analysis(position: Position, rng: Random) -> Analysis:
    """Return made-up results, so that moves of all kinds are blamed."""
    seats = range(len(position.marks))
    moves: tuple[Move, ...] = tuple(position.legal_moves())
    ranks = (1, *(rng.choice((1, 2)) for _ in seats[1:]))
    value = Value(ranks, 3 if ranks.count(1) == 1 else None)
    chances = tuple(rng.random() for _ in seats)
    return Analysis((rng.choice(moves),), rng.choice((value, None)), chances)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
@settings(max_examples=8)
@given(data=st.data())
def test_a_match_that_somebody_left_can_be_looked_at(game: Game, data: st.DataObject) -> None:
    """It has a review, and at any ply a replay and a record."""
    match = data.draw(left(game))
    rng = Random(match.ply)
    names = some_names(match)
    stored = StoredMatch(MatchId(1), HERE, match, names, MatchId(1), (0.0,) * game.seats)
    analyses = [any_analysis(p, rng) for p in match.positions[: positions_to_analyse(match)]]
    steps = review(match, analyses)
    assert len(steps) == match.ply
    for number in range(1 + match.ply // 25 + sum(step.mistake for step in steps)):
        mistake = ReviewPage(stored, steps, number, 0).mistake
        analysis = analyses[mistake.ply - 1] if mistake else None
        line = BestLine(analysis, analysis.best) if analysis else None
        for side in range(game.seats):
            page = ReviewPage(stored, steps, number, side, line)
            assert length(review_view(page, TEXTS, BOARD)) < 4000
        if mistake and line:
            ply = mistake.ply - 1
            shown = along(stored, ply, line, 1)
            assert length(line_view(stored, ply, line, shown, TEXTS, BOARD)) < 4000
    for ply in rng.sample(range(match.ply + 1), min(8, match.ply + 1)):
        assert length(replay_view(stored, ply, None, TEXTS, BOARD)) < 4000
        at = match.at(ply)
        assert at.positions == match.positions[: ply + 1]
        assert read(write(at, names)).match == at
    assert write(read(write(match, names)).match, names) == write(match, names)


def test_a_resigned_tribolo_is_drawn() -> None:
    """A match that two of three players have left has an animated picture."""
    match = Match.start("tribolo", size="small", rng=Random(1))
    for _ in range(3):
        match = match.play(match.position.legal_moves()[0])
    match = match.resign(match.players[1])
    for _ in range(3):
        match = match.play(match.position.legal_moves()[0])
    match = match.resign(match.players[0])
    assert match.outcome is not None
    assert animate(match, some_names(match))[:4] == b"GIF8"


def test_no_move_is_blamed_for_a_leaving() -> None:
    """A move before somebody left gets no value, since the chances changed by the leaving."""
    match = Match.start("tribolo", size="small", rng=Random(1))
    match = match.play(match.position.legal_moves()[0]).resign(match.players[0])
    match = match.resign(match.players[1])
    best = match.initial.legal_moves()[1:2]
    analyses = [Analysis(tuple(best), None, (0.9, 0.5, 0.5))]
    (step,) = review(match, analyses)
    assert (step.swing, step.turning, step.after.result) == (False, False, None)


@pytest.mark.parametrize(
    ("form", "said"),
    [(Form.EMOJI, "🔺\xa0**Bob** 🏳️"), (Form.WORDS, "triangle: **Bob** (has left)")],
)
def test_a_review_names_who_left_after_a_move(form: Form, said: str) -> None:
    """It does so in the place of the value, which isn't missing for lack of time."""
    match = Match.start("tribolo", size="small", rng=Random(1))
    for _ in range(2):
        match = match.play(match.position.legal_moves()[0])
    match = match.resign(match.players[1]).agree_draw()
    stored = StoredMatch(MatchId(1), HERE, match, some_names(match), MatchId(1), (0.0,) * 3)
    steps = review(match, [any_analysis(p, Random(1)) for p in match.positions])
    told = contents(review_view(ReviewPage(stored, steps, 0, 0), TEXTS, Seen((), form)))
    assert f"– {said}" in told and "not worked out" not in told


def contents(view: LayoutView) -> str:
    """Return the texts of a message."""
    sent = view.to_components()  # type: ignore[no-untyped-call]
    return "\n".join(part.get("content", "") for part in walk_components(sent))


def length(view: LayoutView) -> int:
    """Return the number of characters of a message's texts, with a line break after each."""
    return len(contents(view))
