"""Members who have left the server lose what they were playing, once that is known.

Discord tells of leaving only to bots with a privileged intent, which this one does without. So it
asks: where somebody shows that they are waiting, and where a player is to be reminded. What it has
heard it remembers for a while (`bot.gateway.membership`).
"""

from bot.client import Rowbot
from bot.matches.model import StoredMatch
from core.players import Member


async def without_absent(bot: Rowbot, stored: StoredMatch, here: int | None = None) -> StoredMatch:
    """Return a match without the members who have left; `stored` itself where all are there.

    `here` is a member who needs no asking for. Raises Refusal where somebody has changed the match
    in the same moment.
    """
    match = stored.match
    players = {match.players[seat] for seat in match.staying}
    others = {player.id for player in players if isinstance(player, Member)} - {here}
    if match.outcome or not others:
        return stored
    guild = bot.get_guild(stored.place.guild_id)
    for member_id in sorted(await bot.presence.gone(guild, others) or ()):
        if stored.match.outcome is None:
            stored = await bot.services.matches.depart(stored, member_id)
    return stored
