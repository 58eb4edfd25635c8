"""All kinds of press, and custom ids of each."""

import bot.app  # noqa: F401 - registers the presses of all features
from bot.analysis.model import Export, ShowLine, ShowReview
from bot.gateway.components import Press
from bot.help.model import ShowCommands, ShowRules
from bot.identity import InvitationId, MatchId, MemberId, PuzzleId, TournamentId
from bot.invitations.model import (
    Challenge,
    ChooseLevel,
    ChooseMember,
    First,
    OtherLevel,
    PlayInThread,
    Reply,
    ReplyInThread,
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
    BringBack,
    ChooseGame,
    EndOwn,
    Group,
    NewGame,
    OpenRules,
    Pick,
    Play,
    Rematch,
    RematchInThread,
    Replay,
    Share,
    ShowLegal,
    Step,
    TakeOver,
    Way,
)
from bot.moderation.model import TurnGames
from bot.offers.model import Answer, Consent, ReallyResign
from bot.privacy.feature import ReallyErase
from bot.profiles.model import ShowCurrent, ShowHistory
from bot.puzzles.model import NextPuzzle, OpenPuzzle, PickMan, ShowGroup, ShowSolution, SolvePuzzle
from bot.ratings.model import By
from bot.servers.model import ChooseOwn, OwnSetting
from bot.tournaments.presses import Action, Ask, ReallyDrop, ShowPage
from core.engine.levels import Level
from core.puzzles.finding import Difficulty


def kinds_of(kind: type[Press]) -> list[type[Press]]:
    """Return all subclasses of a kind of press, at any depth."""
    return [one for below in kind.__subclasses__() for one in (below, *kinds_of(below))]


KINDS = kinds_of(Press)

# A custom id of every format that buttons have ever had: old buttons stay in channels for years.
STANDING: dict[str, Press] = {
    "to:12:join": Ask(TournamentId(12), Action.JOIN),
    "to:12:leave": Ask(TournamentId(12), Action.LEAVE),
    "to:12:start": Ask(TournamentId(12), Action.START),
    "td:12:34": ReallyDrop(TournamentId(12), MemberId(34)),
    "tp:12:1": ShowPage(TournamentId(12), 1),
    "so:boards:words": ChooseOwn(OwnSetting.BOARDS, "words"),
    "so:challenges:nobody": ChooseOwn(OwnSetting.CHALLENGES, "nobody"),
    "so:everywhere:hidden": ChooseOwn(OwnSetting.EVERYWHERE, "hidden"),
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
    "bb:12": BringBack(MatchId(12)),
    "a:12:3:undo": AskOffer(MatchId(12), 3, OfferKind.UNDO),
    "a:12:3:draw": AskOffer(MatchId(12), 3, OfferKind.DRAW),
    "a:12:3:resign": AskResign(MatchId(12), 3),
    "a:12:3:restart": AskOffer(MatchId(12), 3, OfferKind.RESTART),
    "a:12:3:unrated": AskOffer(MatchId(12), 3, OfferKind.UNRATED),
    "b:12:restart": EndOwn(MatchId(12), "restart"),
    "b:12:resign": EndOwn(MatchId(12), "resign"),
    "b:12:sure": EndOwn(MatchId(12), "sure"),
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
    "f:tribolo:full:3,8999999999999999999::random:3600:open": PlayInThread(
        "tribolo", "full", "3,8999999999999999999", "", First.RANDOM, "3600", "open"
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
    "r:12:thread": RematchInThread(MatchId(12)),
    "y:12": Analyse(MatchId(12)),
    "y:12:3": ShowReview(MatchId(12), 3),
    "v:12:4:1:open:line": ShowLine(MatchId(12), 4, 1, Step.OPEN),
    "u:12": Share(MatchId(12)),
    "i:": ShowRules(""),
    "i:tribolo": ShowRules("tribolo"),
    "i:tribolo:open": OpenRules("tribolo"),
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
    "c:12:join:thread": ReplyInThread(InvitationId(12), Verb.JOIN),
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
