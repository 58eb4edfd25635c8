"""How the bot's processes divide its shards, as their leases show."""

from collections.abc import Sequence

from bot.check.model import Finding, amiss, well
from bot.shards import Shards

_REMEDY = "Start a process with them. SHARDS of two processes may not overlap in part"


def check_division(served: Sequence[Shards], own: Shards | None) -> Finding:
    """Return whether all shards are `served`, or will be once a process with `own` starts.

    Without `own`, the check is for no process of its own.
    """
    if not served:
        return well("shards", "no process serves them now")
    if Shards.ALL in served:
        return _beside_one_with_all(own)
    parts = [*served, own] if own is not None and own not in served else list(served)
    told = " and ".join(map(str, parts))
    counts = {part.count for part in parts}
    if len(counts) > 1:
        return amiss(
            "shards", f"Give SHARDS the same number after the slash everywhere, not {told}"
        )
    taken = {shard for part in served for shard in part.ids}
    mine = set(own.ids) if own is not None else set()
    # A process that finds some of its shards taken waits for all of them.
    left = set(range(*counts)) - taken - (set() if mine & taken else mine)
    if left:
        numbers = ", ".join(map(str, sorted(left)))
        return amiss("shards", f"With {told} nobody serves {numbers}. {_REMEDY}")
    return well("shards", f"{told} are all")


def _beside_one_with_all(own: Shards | None) -> Finding:
    if own is None or own.are_all:
        return well("shards", "one process serves them all")
    return amiss("shards", f"End the process without SHARDS, for which {own} has to wait")
