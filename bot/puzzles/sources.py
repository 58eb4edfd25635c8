"""From which match a puzzle comes, as far as those who see the puzzle may know it."""

from bot.gateway.membership import Membership
from bot.i18n import Texts
from bot.identity import Escaped, SeenAmong, escape, is_former
from bot.puzzles.model import Given, Source
from bot.puzzles.store import PuzzleStore
from bot.puzzles.view import source_text


class Sources:
    """Tells from which match a puzzle comes."""

    def __init__(self, store: PuzzleStore, membership: Membership):
        self._store = store
        self._membership = membership

    async def of(self, given: Given, seen: SeenAmong, texts: Texts) -> str | None:
        """Return where a puzzle comes from, None for a shipped one.

        The players are named only to those who see the channel of their match, and only if none of
        them has left the server or was erased.
        """
        if given.match_id is None:
            return None
        players = await self._store.source(given)
        people = [player.member_id for player in players if player.member_id]
        known = players and not any(map(is_former, people))
        channels = {player.channel_id for player in players}
        shown = channels <= {*await seen(channels)}
        if not (known and shown) or await self._membership.gone(given.server_id, people) != set():
            return source_text(None, texts)
        return source_text([_name(player, texts) for player in players], texts)


def _name(player: Source, texts: Texts) -> Escaped:
    if player.name is not None:
        return escape(player.name)
    return Escaped(texts("player.computer", level=texts(f"level.{player.level}")))
