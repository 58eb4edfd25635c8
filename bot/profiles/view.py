"""A member's profile, and the list of their matches."""

from io import BytesIO

import discord
from discord import AllowedMentions, ui

from bot.client import Interaction, texts_of
from bot.gateway.codec import encode
from bot.gateway.names import escape
from bot.gateway.responses import answer_of
from bot.gateway.serving import place_of
from bot.i18n import Texts
from bot.matches.messages import names_of
from bot.matches.model import Person
from bot.matches.squares import layout, page_buttons
from bot.pictures.client import DrawingFailedError
from bot.profiles.service import HistoryPage
from bot.profiles.words import chart_words, history_line, history_option, profile_text
from bot.servers.presses import History
from bot.workers.processes import ClosedError

_CHART = "rating.png"
# https://discord.com/developers/docs/components/reference#string-select
_MAX_LABEL = 100


async def post_profile(interaction: Interaction, member: Person) -> None:
    """Show what a member has done on this server, with a chart of their ratings."""
    bot, texts = interaction.client, texts_of(interaction)
    profile = await bot.services.profiles.profile(
        place_of(interaction).guild_id, member.id, interaction.user.id
    )
    items: list[ui.Item[ui.LayoutView]] = [
        ui.TextDisplay(profile_text(profile, escape(member.name), texts))
    ]
    files = []
    if any(len(points) > 1 for points in profile.ratings.values()):
        drawn = chart_words(profile, member.name, texts)
        try:
            picture = await bot.services.pictures.chart(drawn.title, drawn.axis, drawn.series)
        except (DrawingFailedError, ClosedError):
            items.append(ui.TextDisplay(texts("profile.no_chart")))
        else:
            files.append(discord.File(BytesIO(picture), _CHART))
            shown = discord.MediaGalleryItem(f"attachment://{_CHART}", description=drawn.described)
            items.append(ui.MediaGallery(shown))
    await answer_of(interaction).post(layout(*items), AllowedMentions.none(), files)


async def whisper_history(interaction: Interaction, member_id: int) -> None:
    """Show the asker the first page of a member's matches."""
    await answer_of(interaction).whisper(await _history(interaction, History(member_id, 0)))


async def turn_history(interaction: Interaction, press: History) -> None:
    """Show another page in place of the one whose button was pressed."""
    await answer_of(interaction).edit(await _history(interaction, press))


async def _history(interaction: Interaction, asked: History) -> ui.LayoutView:
    profiles = interaction.client.services.profiles
    guild_id = place_of(interaction).guild_id
    page = await profiles.history(guild_id, asked.user, asked.number)
    return history_view(page, asked.user, texts_of(interaction))


def history_view(page: HistoryPage, user_id: int, texts: Texts) -> ui.LayoutView:
    """Return a page of finished matches, with a select that opens one of them."""
    if not page.matches:
        return layout(ui.TextDisplay(texts("history.empty")))
    lines = [texts("history.title", page=page.number + 1, pages=page.pages)]
    lines += [history_line(s, user_id, names_of(s, texts), texts) for s in page.matches]
    select = ui.Select[
        ui.LayoutView
    ](
        custom_id="v",  # with the value chosen it is a Replay
        placeholder=texts("history.open"),
        options=[
            discord.SelectOption(
                label=history_option(stored, texts)[:_MAX_LABEL], value=f"{stored.id}:0:open"
            )
            for stored in page.matches
        ],
    )

    def turned(number: int) -> str:
        return encode(History(user_id, number))

    buttons = page_buttons(page.number, page.pages, turned, texts)
    return layout(ui.TextDisplay("\n".join(lines)), ui.ActionRow(select), *buttons)
