"""The feature: /achievements, and the search for new ones in the background."""

from collections.abc import Sequence
from functools import partial

import discord

from bot.achievements.model import Award
from bot.achievements.service import AchievementService
from bot.achievements.store import AchievementStore
from bot.achievements.view import achievements_text, profile_line, told_view
from bot.gateway.channels import Channels, nonce_of
from bot.gateway.commands import CommandBuilder
from bot.gateway.feature import AnyCommand, Feature
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, person_meant, server_of
from bot.gateway.limits import Kind, Limits
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.gateway.responses import response_of
from bot.i18n import ChannelTexts
from bot.identity import MemberId, ServerId, escape
from bot.matches.model import StoredMatch

_LOOK_EVERY_SECONDS = 10.0


class Achievements(Feature):
    """Finds achievements in ended matches, and shows them."""

    def __init__(
        self,
        store: AchievementStore,
        achievements: AchievementService,
        channels: Channels,
        limits: Limits,
    ):
        self._store = store
        self._achievements = achievements
        self._channels = channels
        self._limits = limits
        self._looking = Loop(
            "looking for achievements",
            _LOOK_EVERY_SECONDS,
            self.look,
            first_after=AFTER_START_SECONDS,
        )

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /achievements."""
        member = {"member": "option.member"}
        return [
            build.command("achievements", self.achievements, member, private=True, on_servers=True)
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loop that looks at ended matches."""
        return [self._looking]

    async def profile_line(
        self, server_id: ServerId, member_id: MemberId, texts: ChannelTexts
    ) -> str | None:
        """Return the line of a profile that names a member's achievements, None without any."""
        return profile_line(await self._store.earned(server_id, member_id), texts)

    async def achievements(
        self, interaction: Interaction, member: discord.User | discord.Member | None = None
    ) -> None:
        """Show a member's achievements and the open ones; the asker's own if nobody is named."""
        self._limits.count(Kind.PAGE, asker_of(interaction))
        person = person_meant(interaction, member)
        earned = await self._store.earned(server_of(interaction), person.id)
        text = achievements_text(earned, escape(person.name), own_texts_of(interaction))
        await response_of(interaction).whisper(text)

    async def look(self) -> None:
        """Write the achievements of ended matches, and tell of them if the server wants that."""
        await self._looking.each(await self._achievements.candidates(), self._award, at_once=1)

    async def _award(self, stored: StoredMatch) -> None:
        award = await self._achievements.award(stored)
        if award is not None and award.told:
            self._channels.requests.later(partial(self._tell, award))

    async def _tell(self, award: Award) -> None:
        """Tell a channel of the achievements of a match; raise one of CALL_FAILED."""
        nonce = nonce_of("achievements", award.stored.id, award.stored.moved_at)
        current = await self._achievements.current(award)
        if current is not None and current.earned:
            await self._channels.send(current.stored.place, told_view(current), nonce=nonce)
