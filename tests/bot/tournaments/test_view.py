"""The message of a tournament is one that Discord takes, however long the names are."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.gateway.components import Component, Upload
from bot.i18n import own_texts
from bot.i18n.languages import LANGUAGES
from bot.identity import ChannelId, MatchId, MemberId, Person, Place, RoleId, ServerId, escape
from bot.matches.options import MOST_CHANNELS
from bot.tournaments.model import (
    Format,
    How,
    Pairing,
    PairingKey,
    Stage,
    Tournament,
    TournamentGame,
)
from bot.tournaments.obstacles import Obstacle, ObstacleKind
from bot.tournaments.pages import page_view
from bot.tournaments.pairings import next_pairings, without_opponent
from bot.tournaments.round_robin import schedule
from bot.tournaments.service import MOST_ROUND_ROBIN
from bot.tournaments.standings import final_ranks, podium, standings
from bot.tournaments.stored import Note, NoteKind, StoredTournament, TournamentSettings
from bot.tournaments.view import end_view, thread_name, tournament_view
from core.games import GAMES
from tests.bot.tournaments.tournaments import (
    DRAWN,
    WON,
    begun,
    is_over,
    played_out,
    started,
    with_played,
    without,
)

_MOST_CHARACTERS = 4_000
_ID = 1_100_000_000_000_000_000
PERSON = Person(MemberId(_ID), "olga")


def stored(tournament: Tournament, language: str) -> StoredTournament:
    """Return a tournament as it is kept, with names of 32 characters, all escaped, isolated."""
    game = GAMES["tictactoe"]
    named = [
        replace(one, person=Person(MemberId(_ID + one.number), f"{one.number:*>31}\u05d0"))
        for one in tournament.entrants
    ]
    played = tuple(
        replace(game, channel_id=ChannelId(_ID + number), match_id=MatchId(number))
        for number, game in enumerate(tournament.games)
    )
    return StoredTournament(
        tournament.id,
        Place(ServerId(_ID), ChannelId(_ID), language),
        named[0].person,
        TournamentSettings(
            game, game.resolve({"rows": 10, "columns": 10}), tournament.format, 604_800, 64
        ),
        replace(tournament, entrants=tuple(named), games=played),
        tuple(one.person for one in named),
        language=language,
    )


def parts(view: Any) -> list[Component]:
    """Return the components of a message."""
    components: list[Component] = view.to_components()
    return components


def shown(tournament: StoredTournament) -> list[Component]:
    """Return the components of a tournament's message."""
    return parts(tournament_view(tournament))


def characters(components: Iterable[Component]) -> int:
    """Return how many characters all texts of components have, as Discord counts them."""
    return sum(
        len(one.get("content", "")) + characters(one.get("components", ())) for one in components
    )


def contents(components: Iterable[Component]) -> str:
    """Return all text of components, a line each."""
    return "\n".join(
        one.get("content", "") + contents(one.get("components", ())) for one in components
    )


def test_points_stay_beside_their_player() -> None:
    """A client breaks lines at blanks, and there are none between the two."""
    ended = stored(played_out(started(Format.SWISS, 8), Random(1)), "en")
    for components in (shown(ended), parts(end_view(ended))):
        lines = [line for line in contents(components).split("\n") if "·" in line]
        points = [line.rpartition("**")[2] for line in lines if "\u05d0" in line]
        assert len(points) >= 3 and not [one for one in points if " " in one]
        assert "more" not in contents(components), "all are told"


@pytest.mark.parametrize(
    ("kind", "name"),
    [(Format.SWISS, "коэффициент Бухгольца"), (Format.ROUND_ROBIN, "коэффициент Зоннеборна")],
)
def test_the_tie_break_has_the_name_of_the_language(kind: Format, name: str) -> None:
    """It does on the message and on the page of the standings, in the letters of the language."""
    ended = stored(played_out(started(kind, 6), Random(5)), "ru")
    for told in (shown(ended), parts(page_view(ended, 0, own_texts("ru"), PERSON.id))):
        assert name in contents(told)


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("kind", Format)
def test_long_names_fit(kind: Format, odd: bool) -> None:
    """They fit at the start of a round, during it, and at the end, in every language.

    Some members never got a place, a game waits for a channel, another is refused, and many have
    withdrawn. If their number is odd, somebody has no game.
    """
    obstacle = Obstacle(ObstacleKind.REFUSED, reason="*" * 200)
    waiting = [Person(MemberId(_ID - number), "*" * 31 + "\u05d0") for number in range(1, 51)]
    channels = tuple(ChannelId(_ID + number) for number in range(MOST_CHANNELS))

    def crowded(tournament: Tournament, language: str) -> StoredTournament:
        full = stored(tournament, language)
        settings = replace(full.settings, places=len(full.joined), channels=channels)
        *called, last = full.tournament.games
        tournament = replace(full.tournament, games=(*called, replace(last, channel_id=None)))
        return replace(
            full, settings=settings, tournament=tournament, joined=(*full.joined, *waiting)
        )

    opened = started(kind, (MOST_ROUND_ROBIN if "round_robin" in kind else 64) - odd)
    opened = begun(opened, *next_pairings(opened))
    going = with_played(opened, *(replace(one, points=DRAWN) for one in opened.being_played[::2]))
    ended = played_out(opened, Random(1))
    left = opened
    for number in range(20):
        left = without(left, number)
    lengths = {
        (language, stage): characters(
            parts(tournament_view(crowded(tournament, language), obstacle))
        )
        for language in LANGUAGES
        for stage, tournament in (
            ("opened", opened),
            ("going", going),
            ("ended", ended),
            ("left", left),
        )
    }
    assert {key: n for key, n in lengths.items() if n > _MOST_CHARACTERS} == {}


def test_results_that_count_for_nobody_are_told() -> None:
    """Otherwise those who beat a player that withdrew early would miss their point.

    The player is named as long as less than half of their games were played.
    """
    note = "who withdrew before playing half of theirs don't count: **"
    opened = started(Format.ROUND_ROBIN, 4)
    named = []
    for _ in range(2):
        opened = begun(opened, *next_pairings(opened))
        opened = with_played(opened, *(replace(one, points=WON) for one in opened.being_played))
        for kept in (opened, without(opened, 0)):
            told = stored(kept, "en")
            pages = contents(parts(page_view(told, 0, own_texts("en"), PERSON.id)))
            assert (note in pages) == (note in contents(shown(told)))
            named.append(note in pages)
    assert named == [False, True, False, False]


def test_all_are_named_who_fill_the_usual_places() -> None:
    """That fits with long names, a waiting list and channels, in every language."""
    joined = [Person(MemberId(_ID + number), f"{number:*>31}\u05d0") for number in range(80)]
    for language in LANGUAGES:
        tournament = replace(started(Format.SWISS, 16), stage=Stage.OPEN)
        full = stored(tournament, language)
        channels = tuple(ChannelId(_ID + number) for number in range(MOST_CHANNELS))
        settings = replace(full.settings, places=16, channels=channels, role_id=RoleId(_ID))
        told = shown(replace(full, settings=settings, joined=tuple(joined)))
        assert characters(told) <= _MOST_CHARACTERS
        assert "16. " in contents(told) and "17. " not in contents(told)


def test_a_long_name_of_a_thread_keeps_its_mark() -> None:
    """The thread is found by its mark after a kill."""
    named = stored(started(Format.SWISS, 4), "fr")
    name = thread_name(named, Pairing(10, 100, 2, (0, 3)))
    assert len(name) == 100 and name.endswith(" · #1.10.100.2")


def test_an_entrant_who_has_withdrawn_is_not_told_to_sit_out() -> None:
    """With an odd number one entrant sits out each round, and isn't named after withdrawing."""
    opened = started(Format.ROUND_ROBIN, 5)
    opened = begun(opened, *next_pairings(opened))
    (idle,) = without_opponent(opened, 1)
    gone = replace(opened.entrants[idle], withdrawn_after=0)
    entrants = (*opened.entrants[:idle], gone, *opened.entrants[idle + 1 :])
    assert without_opponent(replace(opened, entrants=entrants), 1) == ()


def test_a_draw_that_counts_as_a_win_says_for_whom() -> None:
    """The page of the games says it beside the shared points."""
    opened = started(Format.KNOCKOUT, 4)
    decided = TournamentGame(Pairing(1, 1, 3, (0, 3), draw_wins=3), DRAWN)
    tied = replace(opened, games=(decided,))
    told = str(parts(page_view(stored(tied, "en"), 1, own_texts("en"), PERSON.id)))
    assert "½–½" in told and "the draw counts as a win for" in told


@pytest.mark.parametrize("kind", [Format.SWISS, Format.ROUND_ROBIN])
@pytest.mark.parametrize(
    ("language", "said"), [("en", "No game this round (a bye): "), ("ja", "今回お休み")]
)
def test_a_bye_says_that_its_player_rests(kind: Format, language: str, said: str) -> None:
    """The message and the page of the games say so, and don't call it a win.

    It counts as a win, except in a round robin.
    """
    going = begun(started(kind, 3), *next_pairings(started(kind, 3)))
    page = parts(page_view(stored(going, language), 1, own_texts(language), PERSON.id))
    for told in (shown(stored(going, language)), page):
        assert str(told).count(said) == 1


def test_rounds_at_the_same_time_are_told_apart() -> None:
    """The message and the pages name the round of each game, and byes until their round is over."""
    opened = started(Format.KNOCKOUT, 5)
    opened = begun(opened, *next_pairings(opened))
    going = stored(begun(opened, *next_pairings(opened)), "en")
    pages = [parts(page_view(going, number, own_texts("en"), PERSON.id)) for number in (0, 1)]
    for told in (shown(going), pages):
        first, second = str(told).split("**Round 1 of 3**")[1].split("**Round 2 of 3**")
        assert first.count("(a bye)") == 1 and first.count("<#") == 1
        assert second.count("(a bye)") == 0 and second.count("<#") == 1


def test_byes_share_lines() -> None:
    """The message names the first three and counts the others; the pages name all, each once."""
    opened = started(Format.KNOCKOUT, 129)
    going = stored(begun(opened, *next_pairings(opened)), "en")
    assert contents(shown(going)).count("(a bye)") == 1
    assert "… and 124 more" in contents(shown(going))
    pages = {
        contents(parts(page_view(going, number, own_texts("en"), PERSON.id)))
        for number in range(20)
    }
    lines = [line for page in pages for line in page.split("\n") if "(a bye)" in line]
    assert sum(len(re.findall(r"\*\*", line)) // 2 for line in lines) == 127


def test_a_knockout_begins_with_its_games_until_somebody_is_out() -> None:
    """Until then, its standings say nothing; other formats begin with theirs, which have points."""
    for kind in (Format.KNOCKOUT, Format.SWISS):
        opened = started(kind, 4)
        first, second = next_pairings(opened)
        beaten = with_played(begun(opened, second), TournamentGame(first, WON))
        for tournament, games_first in ((begun(opened, first, second), True), (beaten, False)):
            pages = [
                contents(parts(page_view(stored(tournament, "en"), at, own_texts("en"), PERSON.id)))
                for at in (0, 1)
            ]
            expected = ["Round 1 of", "**Standings"]
            if kind is not Format.KNOCKOUT or not games_first:
                expected.reverse()
            assert all(one in page for one, page in zip(expected, pages, strict=True)), kind


def test_a_round_of_forfeited_games_is_not_going_on() -> None:
    """Who withdraws from a round robin forfeits games of all rounds; the last page has them."""
    opened = started(Format.ROUND_ROBIN, 3)
    (pairing,) = next_pairings(opened)
    forfeited = TournamentGame(Pairing(3, 1, 1, (0, 1)), (1.0, 0.0))
    going = stored(replace(opened, games=(TournamentGame(pairing), forfeited)), "en")
    pages = [parts(page_view(going, number, own_texts("en"), PERSON.id)) for number in (1, 2)]
    for told in map(contents, (shown(going), pages[0])):
        assert "Round 1 of 3" in told and "Round 3 of 3" not in told
    assert "Round 3 of 3" in contents(pages[1]) and "1–0" in contents(pages[1])


@pytest.mark.parametrize("kind", Format)
def test_the_pages_have_every_game(kind: Format) -> None:
    """Each has its round above it, as the picture's alt text promises, and each page fits."""
    size = 14 if kind is Format.DOUBLE_ROUND_ROBIN else 24
    ended = stored(played_out(started(kind, size), Random(1)), "en")
    told, found = dict[str, str](), list[str]()
    for number in range(500):
        components = parts(page_view(ended, number, own_texts("en"), PERSON.id))
        page = contents(components)
        assert characters(components) <= _MOST_CHARACTERS
        if page == told.get("last"):
            break
        told["last"] = page
        lines = page.split("\n")
        at = [n for n, line in enumerate(lines) if line.startswith("**Round ")]
        games = [n for n, line in enumerate(lines) if re.search(r" \*\*[01½]–[01½]\*\* ", line)]
        assert all(at and at[0] < game for game in games)
        found += [lines[game] for game in games]
    assert len(found) == sum(not one.pairing.is_bye for one in ended.tournament.games)


def test_the_last_round_shares_a_page_with_earlier_ones_in_the_end() -> None:
    """No round is going on then, so a small tournament takes two pages: ranks and games."""
    played = played_out(started(Format.KNOCKOUT, 4), Random(1))
    ended = stored(replace(played, stage=Stage.ENDED), "en")
    pages = [contents(parts(page_view(ended, at, own_texts("en"), PERSON.id))) for at in (0, 1)]
    assert "Standings" in pages[0] and "Round" not in pages[0]
    assert pages[1].index("**Round 2 of 2**") < pages[1].index("**Round 1 of 2**")


def test_the_pages_have_everybody_who_has_joined() -> None:
    """They also have all who wait, and each page fits.

    As many wait as may; with the last who have joined, their names wouldn't fit on one page.
    """
    joined = [Person(MemberId(_ID + number), f"{number:*>31}\u05d0") for number in range(68)]
    full = stored(replace(started(Format.SWISS, 16), stage=Stage.OPEN), "en")
    settings = replace(full.settings, places=18)
    tournament = replace(full.tournament, entrants=())
    opened = replace(full, tournament=tournament, settings=settings, joined=tuple(joined))
    pages = [parts(page_view(opened, at, own_texts("en"), PERSON.id)) for at in range(5)]
    assert all(characters(page) <= _MOST_CHARACTERS for page in pages)
    told = "".join(map(contents, pages))
    missing = [one.name for one in joined if escape(one.name) not in told]
    assert missing == [] and "more" not in told


def test_the_standings_begin_with_the_askers_own_line() -> None:
    """They do if the first page doesn't have it; a member who doesn't take part has none."""
    over = replace(played_out(started(Format.SWISS, 14), Random(1)), stage=Stage.ENDED)
    ended = stored(over, "en")

    def own_lines(asker: MemberId) -> list[str]:
        page = parts(page_view(ended, 0, own_texts("en"), asker))
        return [line for line in contents(page).split("\n") if "➡️" in line]

    ranked = standings(ended.tournament)
    first, last = ranked[0].entrant, ranked[-1].entrant
    (own,) = own_lines(MemberId(_ID + last))
    assert f"{last}\u05d0" in own
    assert own_lines(MemberId(_ID + first)) == own_lines(MemberId(1)) == []


def test_a_correction_is_told_as_results_are_shown() -> None:
    """Where there was none before, it was entered, and not changed; a draw is ½–½."""
    going = with_played(started(Format.SWISS, 4), TournamentGame(Pairing(1, 1, 1, (0, 3)), DRAWN))
    note = Note(0, NoteKind.CORRECTED, PERSON, PairingKey(1, 1, 1), None, DRAWN)
    page = page_view(replace(stored(going, "en"), notes=(note,)), 2, own_texts("en"), PERSON.id)
    told = str(parts(page))
    assert "entered the result of round 1" in told and ": ½–½." in told and "?" not in told


def test_the_last_that_was_done_by_hand_comes_first() -> None:
    """The last page has the notes from the newest on."""
    notes = (Note(1, NoteKind.LEFT, PERSON), Note(2, NoteKind.CANCELLED, PERSON))
    going = replace(stored(started(Format.SWISS, 4), "en"), notes=notes)
    told = str(parts(page_view(going, 99, own_texts("en"), PERSON.id)))
    assert 0 < told.index("<t:2") < told.index("<t:1")


def test_the_end_says_who_of_the_first_three_has_withdrawn() -> None:
    """It marks them as withdrawn, as the standings do."""
    played = played_out(started(Format.ROUND_ROBIN, 3), Random(1))
    ended = without(played, standings(played)[0].entrant)
    assert str(parts(end_view(stored(ended, "en")))).count("(withdrawn)") == 1


def test_the_end_says_what_breaks_a_tie() -> None:
    """It does only if one of the first three has the points of somebody with another rank.

    That may be somebody who is only fourth because of the tie-break.
    """
    told = set[bool]()
    for kind, size, seed in product((Format.SWISS, Format.ROUND_ROBIN), (4, 8), range(10)):
        ended = played_out(started(kind, size), Random(seed))
        scores = standings(ended)
        first = {score.points for score in podium(ended)}
        equal = [score for score in scores if score.points in first]
        broken = len({score.rank for score in equal}) > len(first)
        told_here = contents(parts(end_view(stored(ended, "en"))))
        assert ("breaks ties: " in told_here) is broken
        told.add(broken)
    assert told == {False, True}


def test_a_tie_break_of_nothing() -> None:
    """Two players have beaten the last one, who has no points, so both have 0 in the tie-break.

    One of them has won on the board, and is first for that: the end and the standings say so.
    """
    tournament = started(Format.ROUND_ROBIN, 3)
    points = {frozenset((0, 1)): (0.0, 0.0)}
    games = [
        TournamentGame(
            one,
            points.get(frozenset(one.entrants)) or tuple(float(n != 2) for n in one.entrants),
            How.FORFEIT if set(one.entrants) == {1, 2} else How.PLAYED,
        )
        for one in schedule(3, 1)
    ]
    ended = replace(with_played(tournament, *games), stage=Stage.ENDED)
    scores = [(one.rank, one.points, one.tie_break) for one in standings(ended)]
    assert scores == [(1, 1.0, 0.0), (2, 1.0, 0.0), (3, 0.0, 0.0)]
    for view in (end_view(stored(ended, "en")), tournament_view(stored(ended, "en"))):
        told = contents(parts(view))
        assert "breaks ties: Sonneborn-Berger" in told
        assert told.count("·\u00a01\u00a0·\u00a00") == 2


def test_a_tie_break_that_decides_no_place_is_left_out() -> None:
    """The message and the standings of its pages have none if no rank depends on it."""
    told = set[bool]()
    for kind, seed in product((Format.SWISS, Format.ROUND_ROBIN), range(20)):
        ended = stored(played_out(started(kind, 4), Random(seed)), "en")
        ranks = {(score.points, score.rank) for score in standings(ended.tournament)}
        broken = len(ranks) > len({points for points, _ in ranks})
        for message in (shown(ended), parts(page_view(ended, 0, own_texts("en"), PERSON.id))):
            assert ("breaks ties: " in contents(message)) is broken
        told.add(broken)
    assert told == {False, True}


def test_a_tournament_that_ends_early_says_why() -> None:
    """It also names its last round, if it had one; a tournament played to the end does neither."""
    why = "The tournament ended early: there weren't enough new opponents for another round."
    whole = played_out(started(Format.SWISS, 3), Random(1))
    first = without(begun(started(Format.SWISS, 3), *next_pairings(started(Format.SWISS, 3))), 2)
    (game,) = first.being_played
    early = with_played(first, replace(game, points=DRAWN))
    assert is_over(early)
    for ended, told in ((early, True), (whole, False)):
        message = contents(shown(stored(replace(ended, stage=Stage.ENDED), "en")))
        assert ("Round 1 of 2" in message, why in message) == (told, told)
    deserted = without(without(started(Format.SWISS, 3), 1), 2)
    assert is_over(deserted)
    message = contents(shown(stored(replace(deserted, stage=Stage.ENDED), "en")))
    assert "Round" not in message and why in message


def test_a_final_that_nobody_wins() -> None:
    """The message and the end name no winner, and give no gold medal."""
    final = started(Format.KNOCKOUT, 4)
    for points in (WON, (0.0, 0.0)):
        due = next_pairings(final)
        final = with_played(final, *(TournamentGame(one, points) for one in due))
    ended = stored(replace(final, stage=Stage.ENDED), "en")
    assert "🏆" not in contents(shown(ended)).removeprefix("### 🏆")
    end = contents(parts(end_view(ended)))
    assert "🥇" not in end and end.count("🥈") == 2 == end.count("🥉")


def test_no_medal_for_never_showing_up() -> None:
    """The third of three gets one only if they are there, or have won something."""
    ended = started(Format.KNOCKOUT, 3)
    while due := next_pairings(ended):
        ended = with_played(ended, *(TournamentGame(one, WON[: len(one.entrants)]) for one in due))
    last = standings(ended)[-1].entrant
    for tournament, told in ((ended, True), (without(ended, last), False)):
        over = stored(replace(tournament, stage=Stage.ENDED), "en")
        assert ("🥉" in contents(parts(end_view(over)))) is told
        assert "🥈" in contents(parts(end_view(over)))


@pytest.mark.parametrize("kind", [Format.ROUND_ROBIN, Format.SWISS])
def test_a_tournament_without_a_point_for_anybody(kind: Format) -> None:
    """The message and the end name no winner, and give no medal; nobody is first in the lists."""
    ended = started(kind, 4)
    while due := next_pairings(ended):
        ended = with_played(ended, *(TournamentGame(one, (0.0, 0.0)) for one in due))
    assert {*final_ranks(ended).values()} == {2}
    over = stored(replace(ended, stage=Stage.ENDED), "en")
    assert "🏆" not in contents(shown(over)).removeprefix("### 🏆")
    end = contents(parts(end_view(over)))
    assert "is over" in end and not {*"🥇🥈🥉"} & {*end}


def test_equals_share_the_first_place() -> None:
    """The message and the end say so, and fit in every language if all have drawn all games."""
    drawn = started(Format.ROUND_ROBIN, MOST_ROUND_ROBIN)
    while due := next_pairings(drawn):
        drawn = with_played(drawn, *(TournamentGame(one, DRAWN) for one in due))
    drawn = replace(drawn, stage=Stage.ENDED)
    for language in LANGUAGES:
        assert characters(parts(end_view(stored(drawn, language)))) <= _MOST_CHARACTERS
        assert characters(shown(stored(drawn, language))) <= _MOST_CHARACTERS
    told = contents(shown(stored(drawn, "en")))
    assert "share first place" in told and "19 more" in told
    assert contents(parts(end_view(stored(drawn, "en")))).count("🥇") == 13


@pytest.mark.parametrize("kind", [Format.KNOCKOUT, Format.SWISS])
def test_the_picture_names_the_command_as_it_is_called(kind: Format) -> None:
    """Its alt text has the name that the command has in the tournament's language."""
    going = begun(started(kind, 4), *next_pairings(started(kind, 4)))
    view = tournament_view(stored(going, "de"), picture=Upload("standings.png", b""))
    told = str(parts(view))
    german = own_texts("de")
    assert f"/{german.name('tournament')} {german.name('show')}" in told
    assert "/tournament show" not in told
