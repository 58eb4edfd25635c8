"""The finished matches that members ask for, and who may see them."""

from bot.gateway.interactions import Interaction, asker_of, place_of
from bot.gateway.sight import Sight
from bot.identity import ChannelId, MatchId, Place
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from core.players import Member


class FinishedMatches:
    """Finds the finished match that a command or a press means, if the asker may see it."""

    def __init__(self, matches: MatchService, match_store: MatchStore, sight: Sight):
        self._matches = matches
        self._match_store = match_store
        self._sight = sight

    async def meant(
        self, interaction: Interaction, number: int | None, *, in_channel: bool = False
    ) -> StoredMatch:
        """Return the match with a number, which may have to be one of this channel; raise Refusal.

        Without a number, it is the channel's last one. The refusal of a match of another channel
        links to it.
        """
        place = place_of(interaction)
        if number is None:
            return await self._last(place.channel_id)
        stored = await self._match_store.load(MatchId(number))
        if stored is None or not _is_known(stored, place):
            raise Refusal("refusal.no_such_number", number=number)
        await self._check_visible(interaction, stored)
        if in_channel and not stored.is_in(place):
            raise Refusal("refusal.no_such_number", stored, number=number)
        return stored

    async def pressed(
        self, interaction: Interaction, match_id: MatchId, *, in_channel: bool = False
    ) -> StoredMatch:
        """Return the match of a press, which may have to be one of this channel; raise Refusal."""
        place = place_of(interaction)
        stored = await self._matches.get(match_id, place.channel_id if in_channel else None)
        if not _is_known(stored, place):
            raise Refusal("refusal.no_such_match")
        await self._check_visible(interaction, stored)
        return stored

    async def _last(self, channel_id: ChannelId) -> StoredMatch:
        """Return the match that ended last in a channel; raise Refusal."""
        if (stored := await self._match_store.finished(channel_id)) is not None:
            return stored
        nothing = "refusal.nothing_to_analyse"
        _check_over(await self._matches.latest(channel_id, nothing))
        raise Refusal(nothing)

    async def _check_visible(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Raise Refusal for a match that is still being played, or that the asker may not see."""
        seated = Member(asker_of(interaction)) in stored.match.players
        if not (seated or await self._sight.sees(interaction, stored.place.channel_id)):
            raise Refusal("refusal.hidden_channel")
        _check_over(stored)


def _check_over(stored: StoredMatch) -> None:
    """Raise Refusal for a match that is still being played: a review would be a hint."""
    if not stored.match.outcome:
        raise Refusal("refusal.not_over_yet", stored)


def _is_known(stored: StoredMatch, place: Place) -> bool:
    """Return whether a match was played in this place, or on its server."""
    on_server = place.server_id is not None and stored.place.server_id == place.server_id
    return on_server or stored.is_in(place)
