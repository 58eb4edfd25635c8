"""The members and the servers that the host doesn't serve (`BLOCKED`)."""

from collections.abc import Collection, Mapping

from bot.gateway.interactions import Interaction, asker_of
from bot.i18n import Texts
from bot.render.words import DOT


class Blocks:
    """Says whether the host has blocked the asker or the server of an interaction.

    `ids` are those of members and of servers. `links` are the addresses of the host's pages, by the
    key of their name: they have a way to reach the host.
    """

    def __init__(self, ids: Collection[int], links: Mapping[str, str]):
        self._ids = ids
        self._links = links

    def refusal_of(self, interaction: Interaction) -> str | None:
        """Return the key of the refusal of an interaction, None if it is served."""
        if asker_of(interaction) in self._ids:
            return "refusal.blocked.member"
        return "refusal.blocked.server" if interaction.guild_id in self._ids else None

    def told(self, refusal: str, texts: Texts) -> str:
        """Return the words of a refusal, with the host's pages."""
        told = texts(refusal)
        pages = texts.row(DOT, [texts(key, url=url) for key, url in self._links.items()])
        return f"{told}\n-# {pages}" if pages else told
