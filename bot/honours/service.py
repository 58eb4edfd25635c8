"""The choices of servers about honours, checked and saved."""

from collections.abc import Callable

from bot.honours.model import NewHonourSettings
from bot.honours.store import HonourStore
from bot.identity import RoleId, ServerId
from bot.ratings.model import month_before
from bot.refusals import Refusal

MOST_ROLES = 10
_LOWEST_RATING, _HIGHEST_RATING = 1, 5000


class HonourService:
    """A server's choices; `now` gives Unix seconds."""

    def __init__(self, store: HonourStore, now: Callable[[], int]):
        self._store = store
        self._now = now

    async def change(self, server_id: ServerId, changes: NewHonourSettings) -> None:
        """Change a server's choices.

        A channel that is chosen for the ends of seasons doesn't hear of earlier seasons.
        """
        if changes.get("season_channel") is not None:
            changes = {**changes, "season_told": month_before(self._now())}
        if changes:
            await self._store.change(server_id, changes)

    async def give(self, server_id: ServerId, role_id: RoleId, rating: int | None) -> None:
        """Give a role for a rating from now on, None for the win of a season; raise Refusal."""
        if rating is not None and not _LOWEST_RATING <= rating <= _HIGHEST_RATING:
            raise Refusal("refusal.role.rating", low=_LOWEST_RATING, high=_HIGHEST_RATING)
        others = [one for one in await self._store.rules(server_id) if one.role_id != role_id]
        if len(others) >= MOST_ROLES:
            raise Refusal("refusal.role.many", most=MOST_ROLES)
        await self._store.set_rule(server_id, role_id, rating)
