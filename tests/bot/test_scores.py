"""What finished matches add up to: leaderboards by server and game, and the score of a series."""

from collections import Counter
from collections.abc import Callable
from itertools import count, permutations
from random import Random

import pytest

from bot.records import Place, Standing, StoredMatch
from bot.storage.matches import MatchStore
from bot.storage.scores import ScoreStore
from core.match import Match, Member, Player
from tests.bot.playing import DRAWN, NAMES, NOW, O_WINS, X_WINS, begin
from tests.core.boards import ALICE, BOB, CAROL, ROBOT, after

SERVER = 10
ENDINGS: dict[str, Callable[[Match], Match]] = {
    "first wins": lambda match: after(match, X_WINS),
    "second wins": lambda match: after(match, O_WINS),
    "full board": lambda match: after(match, DRAWN),
    "agreed": Match.agree_draw,
    "first resigns": lambda match: match.resign(match.players[0]),
    "second resigns": lambda match: match.resign(match.players[1]),
}
_channels = count(100)


async def play(
    store: MatchStore,
    ending: str | None,
    *players: Player,
    server: int = SERVER,
    game: str = "tictactoe",
    names: tuple[str | None, ...] = NAMES,
    series_id: int | None = None,
) -> StoredMatch:
    """Store a match in a channel of its own, live where `ending` is None."""
    match = begin(*players, game=game)
    place = Place(server, next(_channels))
    stored = await store.create(place, match, names, series_id, NOW)
    return await store.save(stored, ENDINGS[ending](match), NOW) if ending else stored


async def board(scores: ScoreStore, game: str | None = None) -> list[Standing]:
    return list(await scores.standings(SERVER, game, 0, 25))


@pytest.mark.parametrize("seed", range(3))
async def test_the_leaderboard_is_the_sum_of_its_matches(
    store: MatchStore, scores: ScoreStore, seed: int
) -> None:
    """Everybody's wins, draws and losses are those of their finished matches, best first.

    Twelve random matches between four members, some of them still being played.
    """
    rng = Random(seed)
    pairs = list(permutations(range(1, 5), 2))
    won, drawn, lost = Counter[int](), Counter[int](), Counter[int]()
    for _ in range(12):
        first, second = rng.choice(pairs)
        ending = rng.choice([*ENDINGS, None])
        await play(store, ending, Member(first), Member(second))
        if ending in {"full board", "agreed"}:
            drawn.update([first, second])
        elif ending is not None:
            first_won = ending in {"first wins", "second resigns"}
            won[first if first_won else second] += 1
            lost[second if first_won else first] += 1
    found = await board(scores)
    assert {s.user_id: (s.wins, s.draws, s.losses) for s in found} == {
        member: (won[member], drawn[member], lost[member]) for member in (won | drawn | lost)
    }
    assert found == sorted(found, key=lambda s: (-s.score, -s.wins, s.user_id))
    assert await scores.count(SERVER, None) == len(found)
    assert sum(s.score for s in found) * 2 == sum(s.wins + s.draws + s.losses for s in found)


async def test_an_empty_server_has_an_empty_leaderboard(scores: ScoreStore) -> None:
    """Nobody stands where nobody has played."""
    assert await board(scores) == []
    assert await scores.count(SERVER, None) == 0
    assert await scores.series(1) == {}


async def test_what_doesnt_count(store: MatchStore, scores: ScoreStore) -> None:
    """Games against the computer or oneself, live matches and other servers' don't count."""
    await play(store, "first wins", ALICE, ROBOT, names=("Alice", None))
    await play(store, "first wins", ROBOT, ALICE, names=(None, "Alice"))
    await play(store, "first wins", ALICE, ALICE)
    await play(store, None, ALICE, BOB)
    await play(store, "first wins", ALICE, BOB, server=SERVER + 1)
    assert await board(scores) == []
    assert await scores.count(SERVER, None) == 0


async def test_a_match_with_a_hint_doesnt_count(store: MatchStore, scores: ScoreStore) -> None:
    """What `StoredMatch.rated` says is what the leaderboard counts; a series counts everything."""
    counted, hinted = await play(store, "first wins"), await play(store, None)
    assert not await store.note_hint(counted.id)  # nobody takes a result away after the end
    assert await store.note_hint(hinted.id)
    await store.save(hinted, ENDINGS["second wins"](hinted.match), NOW)
    for match_id, rated in ((counted.id, True), (hinted.id, False)):
        stored = await store.load(match_id)
        assert stored is not None
        assert stored.rated is rated
    assert [(s.user_id, s.wins, s.losses) for s in await board(scores)] == [(1, 1, 0), (2, 0, 1)]
    assert await scores.series(hinted.id) == {ALICE: 0, BOB: 1}


async def test_a_result_that_is_taken_back_doesnt_count(
    store: MatchStore, scores: ScoreStore
) -> None:
    """A match that was reopened counts again only when it has ended anew."""
    over = await play(store, "first wins", ALICE, BOB)
    again = await store.save(over, over.match.undo(ALICE), NOW)
    assert await board(scores) == []
    await store.save(again, again.match.resign(ALICE), NOW)
    assert await board(scores) == [Standing(2, "Bob", 1, 0, 0), Standing(1, "Alice", 0, 0, 1)]


async def test_one_game_at_a_time(store: MatchStore, scores: ScoreStore) -> None:
    """With a game, only its matches count; without, all do."""
    await play(store, "first wins", ALICE, BOB)
    await play(store, "first resigns", ALICE, BOB, game="nineholes")
    alice, bob = Standing(1, "Alice", 1, 0, 0), Standing(2, "Bob", 0, 0, 1)
    assert await board(scores, "tictactoe") == [alice, bob]
    alice, bob = Standing(1, "Alice", 0, 0, 1), Standing(2, "Bob", 1, 0, 0)
    assert await board(scores, "nineholes") == [bob, alice]
    alice, bob = Standing(1, "Alice", 1, 0, 1), Standing(2, "Bob", 1, 0, 1)
    assert await board(scores) == [alice, bob]
    assert await scores.count(SERVER, "nineholes") == 2
    assert await board(scores, "chess") == []


async def test_pages_are_slices(store: MatchStore, scores: ScoreStore) -> None:
    """Pages cover everybody once, in the order of the whole."""
    for member in range(2, 8):
        await play(store, "first wins", ALICE, Member(member), names=("Alice", f"M{member}"))
    whole = await board(scores)
    pages = [await scores.standings(SERVER, None, offset, 3) for offset in (0, 3, 6, 9)]
    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert [standing for page in pages for standing in page] == whole
    assert await scores.count(SERVER, None) == len(whole) == 7
    assert whole[0] == Standing(1, "Alice", 6, 0, 0)


async def test_names_are_this_servers_newest(store: MatchStore, scores: ScoreStore) -> None:
    """A member is called what they were called last on this server, not on another."""
    await play(store, "first wins", ALICE, BOB, names=("Alice", "Bob"))
    await play(store, "agreed", ALICE, BOB, names=("Alicia", "Bob"))
    await play(store, "agreed", ALICE, CAROL, server=11, names=("Secret", "Carol"))
    assert [s.name for s in await board(scores)] == ["Alicia", "Bob"]


async def test_the_series_is_scored_by_player(store: MatchStore, scores: ScoreStore) -> None:
    """A win is a point and a draw a half, whatever the seat; other matches stay out of it."""
    first = await play(store, "first wins", ALICE, BOB)
    await play(store, "first wins", BOB, ALICE, series_id=first.id)
    await play(store, "agreed", ALICE, BOB, series_id=first.id)
    await play(store, "second resigns", BOB, ALICE, series_id=first.id)
    await play(store, None, ALICE, BOB, series_id=first.id)
    await play(store, "first wins", ALICE, BOB)
    assert await scores.series(first.id) == {ALICE: 1.5, BOB: 2.5}


async def test_a_series_against_the_computer_is_scored(
    store: MatchStore, scores: ScoreStore
) -> None:
    """The computer at its level is a player like any other; a new series stands at nil."""
    first = await play(store, None, ALICE, ROBOT, names=("Alice", None))
    assert await scores.series(first.id) == {ALICE: 0, ROBOT: 0}
    await store.save(first, first.match.resign(ALICE), NOW)
    assert await scores.series(first.id) == {ALICE: 0, ROBOT: 1}
