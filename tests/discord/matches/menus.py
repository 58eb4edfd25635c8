"""Moving by menus, on boards that are too large for a button on each square."""

from simcord.actors import MemberActor, MessageLike
from simcord.results import InteractionResult

from tests.discord.world import World, components, ids


def rows_of(message: MessageLike) -> list[str]:
    """Return the rows or pieces for which a message has buttons, in their order."""
    return [i.split(":")[3] for i in ids(message) if i.startswith("w:") and i.split(":")[3]]


def moves_of(message: MessageLike | None) -> list[str]:
    """Return the moves for which a message has buttons, in their order."""
    assert message is not None, "there was no answer"
    return [i.split(":")[3] for i in ids(message) if i.startswith("m:")]


def named(message: MessageLike) -> dict[str, str]:
    """Return the labels of a message's buttons by custom id."""
    return {c["custom_id"]: c["label"] for c in components(message) if c.get("label")}


async def open_row(
    world: World, who: MemberActor, row: str, message: MessageLike | None = None
) -> InteractionResult:
    """Press a row of a large board, the newest by default."""
    board = message or world.last
    custom_id = next(i for i in ids(board) if i.startswith("w:") and i.endswith(f":{row}:0"))
    return await who.click(board, custom_id=custom_id)


async def choose(world: World, who: MemberActor, move: str) -> InteractionResult:
    """Make a move by the buttons of the newest board: at once, or after a press on its row."""
    shown: MessageLike | None = world.last
    if move not in moves_of(shown):
        shown = (await open_row(world, who, move[1:])).response
    assert shown is not None, "the row was opened"
    custom_id = next(i for i in ids(shown) if i.startswith("m:") and i.endswith(f":{move}"))
    return await who.click(shown, custom_id=custom_id)
