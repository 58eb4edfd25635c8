"""Everything by command: some assistive set-ups lack buttons and menus."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from discord import app_commands

from bot.gateway.components import Press
from tests.bot.gateway.kinds import KINDS
from tests.discord.world import World

# For each kind of press, the command that does the same, with its options. A kind that does several
# things has a line for each. If a press names a game or a kind of offer, one stands for all.
COMMANDS = {
    "Play": "move where",
    "Pick": "move where",
    "Group": "move where",
    "ShowLegal": "moves",
    "AskOffer undo": "undo",
    "AskOffer draw": "draw",
    "AskOffer restart": "restart",
    "AskOffer unrated": "unrated",
    "AskResign resign": "resign",
    "AskHint hint": "hint",
    "EndOwn restart": "restart",
    "EndOwn resign": "resign",
    "EndOwn sure": "restart confirm",
    "ReallyResign": "resign confirm",
    "Consent agree": "draw",
    "Consent decline": "draw decline",
    "TakeOver": "board put_away",
    "BringBack": "board match",
    "TakeOverFor": "board put_away",
    # In a thread that the member opens, since those who have the buttons may open threads.
    "PlayInThread": "play tictactoe",
    "ReplyInThread thread": "play tictactoe against",
    "RematchInThread thread": "play tictactoe against",
    "Begin computer": "play tictactoe level",
    "Begin challenge": "play tictactoe against",
    "Begin table": "play tictactoe open",
    "ChooseGame computer": "play tictactoe",
    "ChooseGame table": "play tictactoe open",
    "ChooseLevel computer": "play tictactoe level",
    "ChooseMember challenge": "play tictactoe against",
    "Challenge": "play tictactoe against",
    "NewGame": "play tictactoe",
    "OtherLevel": "play tictactoe level",
    "Rematch": "rematch",
    "Analyse": "analyse match",
    "ShowReview": "analyse match page",
    "Replay": "replay match move",
    "ShowLine": "replay match move best_line",
    "Export": "export match",
    "Share": "share match",
    "ShowRules": "rules game",
    "OpenRules open": "rules game",
    "ShowCommands": "help commands",
    "ShowHistory": "history member page",
    "ShowCurrent": "mymatches page",
    "TurnPage": "leaderboard page",
    "TurnEverywhere": "leaderboard scope page",
    "TurnGames": "games page",
    "ReallyErase delete": "mydata delete confirm",
    "Reply accept": "answer answer member",
    "Reply decline": "answer answer member",
    "Reply withdraw": "answer answer",
    "Reply join": "answer answer member",
    "Reply leave": "answer answer member",
    "Reply start": "answer answer",
    "Ask join": "tournament join tournament",
    "Ask leave": "tournament leave tournament",
    "Ask start": "tournament start tournament",
    "Ask withdraw": "tournament leave tournament confirm",
    "Ask cancel": "tournament cancel tournament confirm",
    "ReallyDrop": "tournament drop member tournament confirm",
    "ShowPage": "tournament show tournament page",
    "SolvePuzzle": "puzzle move",
    "PickMan": "puzzle move",
    "ShowGroup": "puzzle move",
    "OpenPuzzle": "puzzle",
    "ShowSolution": "puzzle solution",
    "NextPuzzle": "puzzle difficulty",
    "ChooseOwn": "settings me boards challenges everywhere",
}
# The fields of a press that say what it does; if it has several, the last one counts.
_ACTS = ("action", "verb", "kind", "answer", "way")


def acts(kind: type[Press]) -> Iterator[str]:
    """Yield what the presses of a kind do, in the words of the table."""
    hints = get_type_hints(kind, include_extras=True)
    said = [hints[field.name] for field in fields(kind) if field.name in _ACTS]
    if not said:
        yield kind.__name__
        return
    values = get_args(said[-1]) if get_origin(said[-1]) is Literal else said[-1]
    yield from (f"{kind.__name__} {value}" for value in values)


async def test_each_button_has_a_command(world: World) -> None:
    """A new kind of press needs a line in the table, of a command and options that exist."""
    assert {*COMMANDS} == {act for kind in KINDS for act in acts(kind)}
    tree = world.env.bot.tree  # type: ignore[attr-defined]
    walked = [one for one in tree.walk_commands() if isinstance(one, app_commands.Command)]
    known: Mapping[str, app_commands.Command[Any, ..., None]] = {
        one.qualified_name: one for one in walked
    }
    for line in COMMANDS.values():
        name = max((n for n in known if f"{line} ".startswith(f"{n} ")), key=len)
        options = line.removeprefix(name).split()
        assert {*options} <= {option.name for option in known[name].parameters}, line
