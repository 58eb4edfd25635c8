"""The feature: /mydata, and the erasure of old invitations."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from io import BufferedIOBase
from typing import Literal, cast

import discord
from discord import ButtonStyle

from bot.gateway.channels import Channels
from bot.gateway.commands import CommandBuilder
from bot.gateway.components import Press, attached, button, question_view, view_of
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, person_of
from bot.gateway.limits import Kind, Limits
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.gateway.responses import response_of
from bot.i18n import channel_texts
from bot.identity import MemberId, Person
from bot.matches.boards import Boards
from bot.privacy.service import PrivacyService
from bot.privacy.store import PersonalStore
from bot.refusals import Refusal
from bot.times import HOUR

_ERASE_EVERY_SECONDS = HOUR


class ReallyErase(Press, tag="e"):
    """Confirm the erasure of `member`, the only one who may press it."""

    member: MemberId
    action: Literal["delete"] = "delete"


class Privacy(Feature):
    """Exports and erases the data of a member.

    `left_by` makes a member leave the open invitations of others, which it shows afterwards.
    """

    def __init__(
        self,
        store: PersonalStore,
        privacy: PrivacyService,
        boards: Boards,
        channels: Channels,
        limits: Limits,
        left_by: Callable[[Person], AbstractAsyncContextManager[None]],
    ):
        self._store = store
        self._privacy = privacy
        self._boards = boards
        self._channels = channels
        self._limits = limits
        self._left_by = left_by

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /mydata export and /mydata delete."""
        export = build.command("mydata export", self.export, private=True, always=True)
        confirm = {"confirm": "option.confirm"}
        delete = build.command("mydata delete", self.delete, confirm, private=True, always=True)
        return [build.group("mydata", [export, delete])]

    def routes(self) -> Sequence[Route]:
        """Return the press that confirms an erasure."""
        return [route(ReallyErase, self.really_erase, always=True)]

    def loops(self) -> Sequence[Loop]:
        """Return the loop that erases invitations."""
        work = self._privacy.erase_invitations
        return [
            Loop("erasing invitations", _ERASE_EVERY_SECONDS, work, first_after=AFTER_START_SECONDS)
        ]

    async def export(self, interaction: Interaction) -> None:
        """Send the asker everything that is stored about them."""
        asker = asker_of(interaction)
        limit = interaction.filesize_limit
        with self._limits.one_at_a_time(Kind.OWN_DATA, asker):
            await response_of(interaction).promise(private=True)
            async with self._privacy.export(asker, limit) as exported:
                # discord.py takes any file, but its types allow only one class.
                file = discord.File(cast("BufferedIOBase", exported), "rowbot-data.zip")
                text = own_texts_of(interaction)("mydata.export")
                view = view_of(text, attached(file.filename))
                await response_of(interaction).whisper(view, [file])

    async def delete(self, interaction: Interaction, *, confirm: bool = False) -> None:
        """Ask the member to confirm, unless they have done so by the option."""
        if confirm:
            await self._erase(interaction)
            return
        texts = own_texts_of(interaction)
        press = ReallyErase(asker_of(interaction))
        yes = button(texts("button.really_delete"), press, ButtonStyle.danger)
        view = question_view(texts("mydata.really"), yes, "mydata delete", texts)
        await response_of(interaction).whisper(view)

    async def really_erase(self, interaction: Interaction, press: ReallyErase) -> None:
        """Erase the member, after they have confirmed it."""
        if press.member != asker_of(interaction):
            raise Refusal("refusal.not_your_data")
        await self._erase(interaction)

    async def _erase(self, interaction: Interaction) -> None:
        me = asker_of(interaction)
        self._limits.spend(Kind.ASKING, me)  # their challenges are taken back, too
        async with self._left_by(person_of(interaction.user)):
            for shown in await self._store.invitations(me):
                texts = channel_texts(shown.place.locale)
                self._channels.remove_later(shown.place, [shown.id], texts, reopens=True)
            for stored in await self._privacy.forget(me):
                self._boards.post_later(stored)
        told = view_of(own_texts_of(interaction)("mydata.deleted"))
        await response_of(interaction).show_own(told)
