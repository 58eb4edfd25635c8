"""Which tournament a command means that names none."""

from bot.identity import Place, SeenAmong, ServerId, TournamentId
from bot.refusals import Refusal
from bot.tournaments.model import Stage
from bot.tournaments.store import TournamentLists
from bot.tournaments.stored import Listed

_MOST_LISTED = 100


class Meant:
    """Finds the tournament that is meant, among those in channels that a member sees."""

    def __init__(self, lists: TournamentLists):
        self._lists = lists

    async def listed(self, server_id: ServerId, seen: SeenAmong) -> list[Listed]:
        """Return the tournaments of the channels that a member sees, those that aren't over first.

        If there are more than a menu holds, the menu shows those that match the typed text.
        """
        found = await self._lists.listed(server_id, _MOST_LISTED)
        shown = await seen(one.channel_id for one in found)
        return [one for one in found if one.channel_id in shown]

    async def by_command(
        self, place: Place, seen: SeenAmong, stage: Stage | None = None
    ) -> TournamentId:
        """Return the tournament that a command means if it names none, perhaps one at a `stage`.

        The first of the `ways` that finds any tournament decides. Raises Refusal if it finds
        several, or if none of the ways finds one.
        """
        if place.server_id is None:
            raise Refusal("refusal.not_on_server")
        listed = await self.listed(place.server_id, seen)
        played = await self._lists.played_in(place.channel_id)

        def at(*stages: Stage | None, here: bool = False) -> list[TournamentId]:
            held = (one for one in listed if not here or one.channel_id == place.channel_id)
            return [one.id for one in held if one.stage in stages]

        ways = [
            # The tournament of the game that is being played here. To join or to start means an
            # open one.
            at(stage, here=True) if stage is Stage.OPEN else [],
            played,
            # Those of this channel: the ones going on, the last with a game here, and the last to
            # end.
            at(stage, here=True),
            at(Stage.OPEN, Stage.RUNNING, here=True),
            await self._lists.last_in(place.channel_id),
            at(*Stage, here=True)[:1],
            # Those of the server.
            at(stage),
            at(Stage.OPEN, Stage.RUNNING),
        ]
        found = next(filter(None, ways), [])
        if len(found) != 1:
            raise Refusal("refusal.tournament.which" if found else "refusal.tournament.none")
        return found[0]
