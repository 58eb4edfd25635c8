"""Members who have left the server lose what they were playing, once that is known.

Discord tells of leaving only to bots with a privileged intent, which this one does without. So it
asks, where somebody shows that they are waiting: at most once in some minutes (`bot.presence`).
"""

from bot.client import Interaction
from bot.records import StoredMatch
from core.match import Member


async def without_absent(interaction: Interaction, stored: StoredMatch) -> StoredMatch:
    """Return a match without the members who have left; `stored` itself where all are there.

    Raises Refusal where somebody has changed it in the same moment.
    """
    match, bot = stored.match, interaction.client
    players = (match.players[seat] for seat in match.staying)
    others = {player.id for player in players if isinstance(player, Member)} - {interaction.user.id}
    if match.outcome or not others:
        return stored
    for member_id in sorted(await bot.presence.gone(interaction.guild, others) or ()):
        if stored.match.outcome is None:
            stored = await bot.services.matches.depart(stored, member_id)
    return stored
