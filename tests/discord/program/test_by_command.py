"""Everything by command: some assistive set-ups lack buttons and menus."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from discord import app_commands
from simcord.actors import MemberActor

from bot.gateway.components import Press
from tests.bot.gateway.kinds import KINDS
from tests.discord.matches.passing import ROUND
from tests.discord.tournaments.playing import Club
from tests.discord.world import World, refused, text

# The command that does the same as each kind of press, with the options that it takes for that. A
# kind that does several things has a line for each. Where a press names a game or a kind of offer,
# one stands for all.
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
    "TakeOverFor": "board put_away",
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
}
# The fields of a press that say what it does; the last one of them does.
_ACTS = ("action", "verb", "kind", "answer", "way")


def acts(kind: type[Press]) -> Iterator[str]:
    """Yield what the presses of a kind do, as the table writes it."""
    hints = get_type_hints(kind, include_extras=True)
    said = [hints[field.name] for field in fields(kind) if field.name in _ACTS]
    if not said:
        yield kind.__name__
        return
    values = get_args(said[-1]) if get_origin(said[-1]) is Literal else said[-1]
    yield from (f"{kind.__name__} {value}" for value in values)


async def test_each_button_has_a_command(world: World) -> None:
    """A new kind of press needs a line in the table, of a command and options that exist."""
    assert sorted(COMMANDS) == sorted(act for kind in KINDS for act in acts(kind))
    tree = world.env.bot.tree  # type: ignore[attr-defined]
    walked = [one for one in tree.walk_commands() if isinstance(one, app_commands.Command)]
    known: Mapping[str, app_commands.Command[Any, ..., None]] = {
        one.qualified_name: one for one in walked
    }
    for line in COMMANDS.values():
        name = max((n for n in known if f"{line} ".startswith(f"{n} ")), key=len)
        options = line.removeprefix(name).split()
        assert {*options} <= {option.name for option in known[name].parameters}, line


async def test_two_members_play(world: World) -> None:
    """From a declined challenge to a rematch, without pressing anything."""
    alice, bob, games = world.alice, world.bob, world.channel
    await alice.slash(games, "play tictactoe", against=bob)
    await bob.slash(games, "answer", answer="decline")
    assert "**bob** declined" in text(world.last)
    await alice.slash(games, "play tictactoe", against=bob, rows=4)
    await bob.slash(games, "answer", answer="accept")
    assert "Tic-tac-toe 4×4" in text(world.last)
    for who, where in ((alice, "b2"), (bob, "c3"), (alice, "a1")):
        await who.slash(games, "move", where=where)
    await bob.slash(games, "draw")
    await alice.slash(games, "draw", decline=True)
    assert "**alice** plays on" in text(world.last)
    await bob.slash(games, "undo")
    await bob.slash(games, "undo", decline=True)
    assert "They withdrew it" in text(world.last)
    await bob.slash(games, "move", where="d4")
    asked = refused(await alice.slash(games, "resign"))
    assert "**bob** wins it then" in asked and "`/resign confirm: True`" in asked
    await alice.slash(games, "resign", confirm=True)
    assert "**bob** wins! ❌ **alice** resigned" in text(world.last)
    await alice.slash(games, "rematch")
    await bob.slash(games, "rematch")
    assert "❌ **bob** vs 🔵 **alice**" in text(world.last)
    await bob.slash(games, "resign", confirm=True)
    await look_back(world)


async def look_back(world: World) -> None:
    """Let alice look at her last match but one, and delete her data."""
    alice, games = world.alice, world.channel
    assert "`/history`" in refused(await alice.slash(games, "help", commands=True))
    assert "#1 " in refused(await alice.slash(games, "history"))
    assert "Move 2 of 4" in refused(await alice.slash(games, "replay", match=1, move=2))
    assert "Move 4 of 4" in refused(await alice.slash(games, "replay", match=1, move=99))
    line = refused(await alice.slash(games, "replay", match=1, move=2, best_line=True))
    assert "Best line" in line
    await alice.slash(games, "mydata delete", confirm=True)
    assert "haven't finished a match" in refused(await alice.slash(games, "history"))


async def test_three_sit_at_a_table(world: World) -> None:
    """They join, leave and come back; then the computer gets the seat that is free."""
    games = world.channel
    await world.alice.slash(games, "play tribolo", open=True, level="easy")
    for who in (world.bob, world.carol):
        await who.slash(games, "answer", answer="join")
    assert all(name in text(world.last) for name in ("**alice**", "**bob**", "**carol**"))
    for who in (world.alice, world.bob, world.carol):
        await who.slash(games, "resign", confirm=True)
    await world.alice.slash(games, "play tribolo", open=True, level="easy")
    for answer in ("join", "leave", "join"):
        await world.bob.slash(games, "answer", answer=answer)
    assert "*free seat*" in text(world.last)
    await world.alice.slash(games, "answer", answer="start")
    assert "**Computer (easy)**" in text(world.last) and "**bob**" in text(world.last)


async def test_a_channel_is_freed(world: World) -> None:
    """A game against the computer makes way for another one, and comes back."""
    alice, games = world.alice, world.channel
    await alice.slash(games, "play nineholes")
    told = refused(await alice.slash(games, "play tictactoe"))
    assert "put that match away" in told and "`/board put_away: True`" in told
    await alice.slash(games, "board", put_away=True)
    await alice.slash(games, "play tictactoe")
    await alice.slash(games, "resign", confirm=True)
    await alice.slash(games, "board")
    assert "Nine Holes" in text(world.last)


async def test_a_tournament_of_three(world: World) -> None:
    """Members join and leave before its start and after it, and its organiser cancels it."""
    club = Club(world, 3)
    first, second, third = club.players.values()

    async def asked(who: MemberActor, command: str, **options: Any) -> str:
        return refused(await who.slash(club.channel, f"tournament {command}", **options))

    await club.create(start="button", format="round_robin")
    for player in (first, second, third):
        assert "You're in!" in await asked(player, "join")
    assert "have left" in await asked(third, "leave")
    assert "You're in!" in await asked(third, "join")
    assert "has started" in await asked(club.organiser, "start")
    await world.env.advance_time(ROUND)
    assert "Page 2" in await asked(first, "show", page=2)
    assert "`/tournament leave confirm: True`" in await asked(third, "leave")
    assert "have withdrawn" in await asked(third, "leave", confirm=True)
    assert "cancelled" in await asked(club.organiser, "cancel", confirm=True)
