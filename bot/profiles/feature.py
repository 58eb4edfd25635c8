"""The feature: /profile, /history, /mymatches, and *Profile* in a member's menu."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.gateway.commands import CommandBuilder, Page
from bot.gateway.components import Component, Upload, display, gallery, view_of
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    name_of,
    own_texts_of,
    person_meant,
    place_of,
)
from bot.gateway.limits import Kind, Limits, answer_until
from bot.gateway.responses import response_of
from bot.i18n import ChannelTexts
from bot.identity import MemberId, Place, escape
from bot.matches.here import SettingsHere
from bot.matches.ways import ways_in
from bot.pictures.client import PictureClient
from bot.profiles.lists import current_view, history_view
from bot.profiles.model import Distinction, Invited, Profile, ShowCurrent, ShowHistory, Waiting
from bot.profiles.service import ProfileService
from bot.profiles.view import profile_text, rating_chart, rating_note
from bot.workers.errors import NoResultError
from bot.workers.fair_queue import Ticket

_CHART = "rating.png"


class Profiles(Feature):
    """A member's results, the matches behind them, and those that are being played.

    A profile on a server ends with a line from each of the `distinctions` that has one. `invited`
    returns the lines of the invitations in which a member has a seat, and `waiting` those of the
    tournaments in which they wait for a game.
    """

    def __init__(
        self,
        profiles: ProfileService,
        pictures: PictureClient,
        limits: Limits,
        here: SettingsHere,
        distinctions: Sequence[Distinction],
        invited: Invited,
        waiting: Waiting,
    ):
        self._profiles = profiles
        self._pictures = pictures
        self._limits = limits
        self._here = here
        self._distinctions = distinctions
        self._invited = invited
        self._waiting = waiting

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /profile, /history, /mymatches and *Profile*."""
        member, page = {"member": "option.member"}, {"page": "option.page"}
        return [
            build.command("profile", self.profile, member),
            build.command("history", self.history, member | page, private=True),
            build.command("mymatches", self.current, page, private=True),
            build.member_menu("menu.profile", self.profile_of),
        ]

    def routes(self) -> Sequence[Route]:
        """Return the buttons that turn the pages of matches."""
        return [route(ShowHistory, self.turn_history), route(ShowCurrent, self.turn_current)]

    async def profile(
        self, interaction: Interaction, member: discord.User | discord.Member | None = None
    ) -> None:
        """Show a member's profile, the asker's own if nobody is named."""
        person = person_meant(interaction, member)
        place = place_of(interaction)
        asker = asker_of(interaction)
        texts = await self._here.texts(interaction)
        with self._limits.one_at_a_time(Kind.PROFILE, asker):
            profile = await self._profiles.profile(place, person.id, asker)
            why_no_match = await self._here.why_no_match(interaction, texts)
            other = escape(name_of(interaction.user)) if asker != person.id else None
            lines = [profile_text(profile, escape(person.name), other, why_no_match, texts)]
            lines += await self._distinguished(place, person.id, texts)
            lines += rating_note(profile, texts)
            chart = await self._chart(interaction, profile, person.name, texts)
        await response_of(interaction).post(view_of(*lines, *chart))

    async def profile_of(
        self, interaction: Interaction, member: discord.User | discord.Member
    ) -> None:
        """Show the profile of the member on whom the menu was opened."""
        await self.profile(interaction, member)

    async def _distinguished(
        self, place: Place, member_id: MemberId, texts: ChannelTexts
    ) -> list[str]:
        if place.server_id is None:
            return []
        told = [await tell(place.server_id, member_id, texts) for tell in self._distinctions]
        return [line for line in told if line]

    async def _chart(
        self, interaction: Interaction, profile: Profile, name: str, texts: ChannelTexts
    ) -> list[Component]:
        """Return the chart of a profile's ratings; none if no game has two rated matches."""
        if not any(trend.count > 1 for trend in profile.career.trends.values()):
            return []
        chart, described = rating_chart(profile, name, texts)
        ticket = Ticket(place_of(interaction).queue_id, until=answer_until(interaction))
        try:
            picture = await self._pictures.picture(ticket, chart)
        except NoResultError:
            return [display(texts("profile.no_chart"))]
        return [gallery(Upload(_CHART, picture), described)]

    async def history(
        self,
        interaction: Interaction,
        member: discord.User | discord.Member | None = None,
        page: Page = 1,
    ) -> None:
        """Show a member's finished matches, the asker's own if nobody is named."""
        asked = ShowHistory(person_meant(interaction, member).id, page - 1)
        await self.turn_history(interaction, asked)

    async def turn_history(self, interaction: Interaction, asked: ShowHistory) -> None:
        """Show a page of a member's history, in place of the one that was pressed, if any."""
        place, asker = place_of(interaction), asker_of(interaction)
        self._limits.count(Kind.PAGE, asker)
        page = await self._profiles.history(place, asked.member, asked.number)
        texts = own_texts_of(interaction)
        why_no_match = await self._here.why_no_match(interaction, texts)
        view = history_view(page, asked.member, asker, why_no_match, texts)
        await response_of(interaction).show_own(view)

    async def current(self, interaction: Interaction, page: Page = 1) -> None:
        """Show the asker the matches that they play, and the invitations that stand open."""
        await self.turn_current(interaction, ShowCurrent(page - 1))

    async def turn_current(self, interaction: Interaction, press: ShowCurrent) -> None:
        """Show a page of the matches that the asker plays, in place of the pressed one, if any."""
        place, asker = place_of(interaction), asker_of(interaction)
        self._limits.count(Kind.PAGE, asker)
        texts = own_texts_of(interaction)
        playing = await self._profiles.current(place, asker)
        asked, offered = await self._invited(place, asker, texts)
        tournaments = await self._waiting(place, asker, texts)
        current = replace(playing, asked=asked, offered=offered, tournaments=tournaments)
        why_no_match = await self._here.why_no_match(interaction, texts)
        ways = [] if why_no_match else ways_in(place.context)
        form = await self._here.form(interaction)
        view = current_view(current, press.number, why_no_match, ways, form, texts)
        await response_of(interaction).show_own(view)
