"""Puzzles for tests: giving one to a server, and solving it."""

from typing import Any

from simcord.actors import MemberActor
from simcord.results import InteractionResult
from sqlalchemy import insert, select

from bot.db.tables import puzzle_tries, puzzles
from core.puzzles import PuzzleLine
from tests.core.puzzles.written import BLOCKS
from tests.discord.world import World, answer_to, button, ids


async def give(world: World, line: str = BLOCKS, **more: Any) -> None:
    """Store a puzzle for the server: it becomes the puzzle of the next day that has none."""
    one = PuzzleLine(line)
    row = {
        "guild_id": world.guild.id,
        "game": one.game,
        "difficulty": one.difficulty,
        "start": one.key,
        "line": line,
        **more,
    }
    async with world.database.begin() as connection:
        await connection.execute(insert(puzzles).values(**row))


async def open_puzzle(world: World, who: MemberActor, **options: Any) -> InteractionResult:
    """Let a member ask for a puzzle."""
    return await who.slash(world.channel, "puzzle", **options)


async def press(who: MemberActor, shown: InteractionResult, word: str) -> InteractionResult:
    """Press the button of a private puzzle whose custom id ends with `word`.

    The puzzle's message is then replaced.
    """
    assert answer_to(shown).ephemeral
    return await who.click(answer_to(shown), custom_id=button(answer_to(shown), word))


async def push(who: MemberActor, shown: InteractionResult, kind: str) -> InteractionResult:
    """Press the button of this kind on a private puzzle."""
    custom_id = next(i for i in ids(answer_to(shown)) if i.split(":")[0] == kind)
    return await who.click(answer_to(shown), custom_id=custom_id)


async def tries(world: World, who: MemberActor) -> list[Any]:
    """Return the rows of a member's tries, the first one first."""
    own = select(puzzle_tries).where(puzzle_tries.c.user_id == who.id)
    async with world.database.connect() as connection:
        found = await connection.execute(own.order_by(puzzle_tries.c.puzzle_id))
        return list(found.all())
