"""Custom ids: a press round-trips through its id, and any other text is no press."""

import re
from dataclasses import fields
from enum import StrEnum
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bot.app  # noqa: F401 - registers the presses of all features
from bot.analysis.model import Export, ShowLine, ShowReview
from bot.gateway.components import Press
from bot.help.model import ShowCommands, ShowRules
from bot.identity import InvitationId, MatchId, MemberId, PuzzleId, TournamentId
from bot.invitations.model import (
    Challenge,
    ChooseGame,
    ChooseLevel,
    ChooseMember,
    First,
    OtherLevel,
    Reply,
    TakeOverFor,
    Verb,
)
from bot.leaderboard.model import Period, TurnEverywhere, TurnPage
from bot.matches.model import OfferKind
from bot.matches.presses import (
    Analyse,
    AskHint,
    AskOffer,
    AskResign,
    Begin,
    EndOwn,
    Group,
    NewGame,
    Pick,
    Play,
    Rematch,
    Replay,
    Share,
    ShowLegal,
    Step,
    TakeOver,
    Way,
)
from bot.offers.model import Answer, Consent, ReallyResign
from bot.privacy.feature import ReallyErase
from bot.profiles.model import ShowCurrent, ShowHistory
from bot.puzzles.model import NextPuzzle, OpenPuzzle, PickMan, ShowGroup, ShowSolution, SolvePuzzle
from bot.ratings.model import By
from bot.servers.model import TurnGames
from bot.tournaments.stored import Ask, ShowPage
from bot.tournaments.stored import Verb as TournamentVerb
from core.engine.levels import Level
from core.engine.puzzles import Difficulty
from core.games import GAMES
from tests.bot.gateway.kinds import KINDS

quickly = settings(deadline=None, database=None, derandomize=True, max_examples=300)


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Return the values of a field of this type."""
    if get_origin(hint) is Annotated:
        taken, shape = get_args(hint)
        return st.from_regex(re.compile(shape, re.ASCII), fullmatch=True).map(taken)
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from(hint)
    return st.integers(0, 9 * 10**18 - 1 if hint is MemberId else 10**18 - 1).map(hint)


# Together with all else the largest id would be too long, and no table has as many rows.
NARROWER: dict[type[Press], dict[str, st.SearchStrategy[Any]]] = {
    TakeOverFor: {
        "match": st.integers(0, 10**12 - 1).map(MatchId),
        "game": st.sampled_from([*GAMES]),
        "options": st.sampled_from(["", ",,,,", "10,10,10,corners,off", "drop-first"]),
        "named": st.lists(values_of(MemberId).map(str), max_size=1).map(",".join),
        "level": st.sampled_from(["", "easy", "perfect"]),
    }
}


def press_of(kind: type[Press]) -> st.SearchStrategy[Press]:
    """Return presses of a kind, with any values that its fields take."""
    hints = get_type_hints(kind, include_extras=True)
    drawn = {field.name: values_of(hints[field.name]) for field in fields(kind)}
    return st.builds(kind, **drawn | NARROWER.get(kind, {}))


presses: st.SearchStrategy[Press] = st.one_of([press_of(kind) for kind in KINDS])


def parse(custom_id: str) -> Press | None:
    """Return the press that `custom_id` encodes; fail if two kinds match."""
    found = [press for kind in KINDS if (press := kind.parse(custom_id)) is not None]
    assert len(found) <= 1
    return found[0] if found else None


@given(presses)
@quickly
def test_presses_round_trip(press: Press) -> None:
    """Every press parses from its custom id, which Discord accepts, so no two share one."""
    custom_id = press.custom_id
    read = parse(custom_id)
    assert read == press
    assert type(read) is type(press)
    for name in get_type_hints(type(press)).keys() & vars(press).keys():
        assert type(getattr(read, name)) is type(getattr(press, name))
    assert 1 <= len(custom_id) <= 100


# A custom id of every format that buttons have had. Such buttons stay in channels for years.
STANDING: dict[str, Press] = {
    "to:12:join": Ask(TournamentId(12), TournamentVerb.JOIN),
    "to:12:leave": Ask(TournamentId(12), TournamentVerb.LEAVE),
    "to:12:start": Ask(TournamentId(12), TournamentVerb.START),
    "tp:12:1": ShowPage(TournamentId(12), 1),
    "m:12:3:b2": Play(MatchId(12), 3, "b2"),
    "m:12:0:z99": Play(MatchId(12), 0, "z99"),
    "m:999999999999999999:9999:a1-c4": Play(MatchId(10**18 - 1), 9999, "a1-c4"),
    "m:12:3:d": Play(MatchId(12), 3, "d"),
    "m:12:1:swap": Play(MatchId(12), 1, "swap"),
    "p:12:3:b2": Pick(MatchId(12), 3, "b2"),
    "p:12:3:": Pick(MatchId(12), 3, ""),
    "w:12:3::0": Group(MatchId(12), 3, "", 0),
    "w:12:3:7:2": Group(MatchId(12), 3, "7", 2),
    "w:12:3:b2:999": Group(MatchId(12), 3, "b2", 999),
    "q:12": ShowLegal(MatchId(12)),
    "a:12:3:undo": AskOffer(MatchId(12), 3, OfferKind.UNDO),
    "a:12:3:draw": AskOffer(MatchId(12), 3, OfferKind.DRAW),
    "a:12:3:resign": AskResign(MatchId(12), 3),
    "a:12:3:restart": AskOffer(MatchId(12), 3, OfferKind.RESTART),
    "a:12:3:unrated": AskOffer(MatchId(12), 3, OfferKind.UNRATED),
    "b:12:restart": EndOwn(MatchId(12), "restart"),
    "b:12:resign": EndOwn(MatchId(12), "resign"),
    "a:12:3:hint": AskHint(MatchId(12), 3),
    "s:12": ReallyResign(MatchId(12)),
    "o:12:3:draw:0:agree": Consent(MatchId(12), 3, OfferKind.DRAW, 0, Answer.AGREE),
    "o:12:3:undo:1:decline": Consent(MatchId(12), 3, OfferKind.UNDO, 1, Answer.DECLINE),
    "o:12:3:rematch:2:agree": Consent(MatchId(12), 3, OfferKind.REMATCH, 2, Answer.AGREE),
    "t:12": TakeOver(MatchId(12)),
    "t:12:tribolo:full:3,8999999999999999999::random:3600:open": TakeOverFor(
        MatchId(12),
        "tribolo",
        "full",
        "3,8999999999999999999",
        "",
        First.RANDOM,
        "3600",
        "open",
    ),
    "b:computer": Begin(Way.COMPUTER),
    "b:challenge": Begin(Way.CHALLENGE),
    "b:table": Begin(Way.TABLE),
    "b:computer:tictactoe": ChooseGame(Way.COMPUTER, "tictactoe"),
    "b:table:nineholes": ChooseGame(Way.TABLE, "nineholes"),
    "b:computer:tictactoe:perfect": ChooseLevel(Way.COMPUTER, "tictactoe", Level.PERFECT),
    "b:challenge:12": ChooseMember(Way.CHALLENGE, MemberId(12)),
    "g:12": NewGame(MatchId(12)),
    "g:12:hard": OtherLevel(MatchId(12), Level.HARD),
    "r:12": Rematch(MatchId(12)),
    "y:12": Analyse(MatchId(12)),
    "y:12:3": ShowReview(MatchId(12), 3),
    "v:12:4:1:open:line": ShowLine(MatchId(12), 4, 1, Step.OPEN),
    "u:12": Share(MatchId(12)),
    "i:": ShowRules(""),
    "i:tribolo": ShowRules("tribolo"),
    "j": ShowCommands(),
    "v:12:0:open": Replay(MatchId(12), 0, Step.OPEN),
    "v:12:0:first": Replay(MatchId(12), 0, Step.FIRST),
    "v:12:2:back": Replay(MatchId(12), 2, Step.BACK),
    "v:12:4:next": Replay(MatchId(12), 4, Step.NEXT),
    "v:12:9:last": Replay(MatchId(12), 9, Step.LAST),
    "x:12": Export(MatchId(12)),
    "h:8999999999999999999:0": ShowHistory(MemberId(9 * 10**18 - 1), 0),
    "e:12:delete": ReallyErase(MemberId(12)),
    "d:12:tictactoe": Challenge(MemberId(12), "tictactoe"),
    "d:12:nineholes": Challenge(MemberId(12), "nineholes"),
    "c:12:accept": Reply(InvitationId(12), Verb.ACCEPT),
    "c:12:decline": Reply(InvitationId(12), Verb.DECLINE),
    "c:12:withdraw": Reply(InvitationId(12), Verb.WITHDRAW),
    "c:12:join": Reply(InvitationId(12), Verb.JOIN),
    "c:12:leave": Reply(InvitationId(12), Verb.LEAVE),
    "c:12:start": Reply(InvitationId(12), Verb.START),
    "l::all:wins:0:12": TurnPage("", Period.ALL, By.WINS, 0, MemberId(12)),
    "l:tribolo:month:rating:3:12": TurnPage("tribolo", Period.MONTH, By.RATING, 3, MemberId(12)),
    "l:tictactoe:week:rating:999999:12": TurnPage(
        "tictactoe", Period.WEEK, By.RATING, 999_999, MemberId(12)
    ),
    "le::all:wins:0:12": TurnEverywhere("", Period.ALL, By.WINS, 0, MemberId(12)),
    "n:0": TurnGames(0),
    "k:0": ShowCurrent(0),
    "z:12:0:b2": SolvePuzzle(PuzzleId(12), 0, "b2"),
    "z:12:3:a1-c4": SolvePuzzle(PuzzleId(12), 3, "a1-c4"),
    "zp:12:0:b2": PickMan(PuzzleId(12), 0, "b2"),
    "zp:12:0:": PickMan(PuzzleId(12), 0, ""),
    "zw:12:0:7:0": ShowGroup(PuzzleId(12), 0, "7", 0),
    "zo:12:new": OpenPuzzle(PuzzleId(12), "new"),
    "zo:12:here": OpenPuzzle(PuzzleId(12), "here"),
    "zs:12": ShowSolution(PuzzleId(12)),
    "zn:hard": NextPuzzle(Difficulty.HARD),
}


@pytest.mark.parametrize("custom_id", STANDING)
def test_old_buttons_work(custom_id: str) -> None:
    """A button posted long ago still has the same meaning."""
    press = parse(custom_id)
    assert press == STANDING[custom_id]
    assert press.custom_id == custom_id


def test_every_press_is_tested() -> None:
    """Each kind of press is among the old ids, and each member of an enumeration too."""
    assert {type(press) for press in STANDING.values()} == set(KINDS)
    assert len(KINDS) == 43
    words = {word for custom_id in STANDING for word in custom_id.split(":")}
    assert {*OfferKind, *Answer, *Verb, *Step, *Way, *Period, *By} <= words


@given(st.text(max_size=120))
@quickly
def test_any_text_is_a_press_or_nothing(text: str) -> None:
    """No text raises, and a text that parses is the press's own custom id."""
    press = parse(text)
    if press is not None:
        assert press.custom_id == _without_leading_zeros(text)


@given(presses, st.data())
@quickly
def test_a_tampered_id_is_a_press_or_nothing(press: Press, data: st.DataObject) -> None:
    """The same holds for an id with characters changed, added or removed."""
    custom_id = press.custom_id
    at = data.draw(st.integers(0, len(custom_id)))
    middle = data.draw(st.text(max_size=2))
    tampered = custom_id[:at] + middle + custom_id[at + data.draw(st.integers(0, 2)) :]
    read = parse(tampered)
    if read is not None:
        assert read.custom_id == _without_leading_zeros(tampered)


def _without_leading_zeros(custom_id: str) -> str:
    """Return an id as the bot writes it: a number may have leading zeros, as in 007."""
    fields = custom_id.split(":")
    return ":".join(str(int(field)) if field.isdecimal() else field for field in fields)


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        ":",
        "m",
        "m:",
        "m:1",
        "m:1:2",
        "m:1:2:",
        "m:1:2:b2:",
        "m:1:2:b2:3",
        "m:1:2:b2\n",
        "\nm:1:2:b2",
        "m:1\n:2:b2",
        "m:1:2:b2\x00",
        "M:1:2:b2",
        " m:1:2:b2",
        "m:1:2:b2 ",
        "m:-1:2:b2",
        "m:+1:2:b2",
        "m: 1:2:b2",
        "m:1_0:2:b2",
        "m:1.0:2:b2",
        "m:1e3:2:b2",
        "m:0x1:2:b2",
        "m:" + "9" * 19 + ":2:b2",
        "m:" + "9" * 90 + ":2:b2",
        "m:1:10000:b2",
        "m:1:2:B2",
        "m:1:2:B",
        "m:1:2:ab",
        "m:1:2:b0",
        "m:1:2:b02",
        "m:1:2:b100",
        "m:1:2:ä2",
        "m:1:2:b2-",
        "m:1:2:b2-b3-b4",
        "m:1:2:b2--b3",
        "m:1:2:'; DROP TABLE matches",
        "m:١:2:b2",
        "m:1:２:b2",
        "m:1:2:b２",
        "m:1:2:b²",
        "p:1:2:b2-b3",
        "a:1:2:undo:",
        "a:1:2:play",
        "a:1:2:UNDO",
        "a:1:2:__class__",
        "s:",
        "s:1:2",
        "o:1:2:draw:10:agree",
        "o:1:2:draw:0:agree:0",
        "o:1:2:war:0:agree",
        "b:war",
        "b:challenge:tictactoe",
        "b:table:tictactoe:easy",
        "b:computer:tictactoe:best",
        "b:computer::easy",
        "g:12:",
        "g:12:best",
        "r:one",
        "c:1:open",
        "c:1:accept:2",
        "l::0",
        "l:tictactoe:0",
        "l:chess9:all:rating:0:1",
        "l:" + "a" * 21 + ":all:rating:0:1",
        "l::all:rating:0",
        "l::all:rating:0:",
        "l::all:rating:1000000:1",
        "l::all:rating:-1:1",
        "l::all:rating:0:-1",
        "l::all:rating:0:" + "9" * 19,
        "l::all:rating:0:1:1",
        "l::year:rating:0:1",
        "l::2026-11:rating:0:1",
        "l::all:losses:0:1",
        "l::ALL:rating:0:1",
        "z:1",
        "mm:1:2:b2",
        "rowbot",
    ],
)
def test_hostile_ids_are_nothing(hostile: str) -> None:
    """Wrong tags, numbers, digits, lines or fields parse to None."""
    assert parse(hostile) is None
