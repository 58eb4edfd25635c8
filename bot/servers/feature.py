"""The feature: /settings, /games and /endgame. What moderators do checks their permission itself.

Everybody sees /settings, because Discord knows default permissions of whole commands alone, and
`/settings me` is for all members.
"""

import re
from collections.abc import Iterable, Sequence

import discord
from discord import app_commands, ui

from bot.forms import Form
from bot.gateway.commands import CommandBuilder
from bot.gateway.components import text_view
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.permissions import check_moderator, server_permissions
from bot.gateway.responses import (
    Channels,
    Interaction,
    asker_of,
    place_of,
    response_of,
    texts_of,
)
from bot.i18n import DEFAULT_LOCALE, Texts, texts_for
from bot.identity import ChannelId
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.settings import ServerSettings, clock_choices
from bot.refusals import Refusal
from bot.servers.model import CalledOff, TurnGames
from bot.servers.service import ModerationService, SettingsService
from bot.servers.view import GO, STAY, games_view, own_settings_text, settings_text

_MODERATORS = discord.Permissions(manage_channels=True)
_CHANNEL = re.compile(r"<#([0-9]{1,20})>|([0-9]{15,20})", re.ASCII)
_SETTINGS = ("channels", "clock", "challenge_minutes", "final_boards", "boards")
# Members choose the form of boards in words for themselves alone.
_SERVER_FORMS = (Form.EMOJI, Form.PICTURE)
_AS_SERVER = "server"


class Servers(Feature):
    """The commands of members who may manage channels, and each member's own settings.

    `challenge_seconds` is how long a challenge stays open where a server hasn't said.
    """

    def __init__(
        self,
        matches: MatchService,
        settings: SettingsService,
        moderation: ModerationService,
        boards: Boards,
        channels: Channels,
        challenge_seconds: int,
    ):
        self._matches = matches
        self._settings = settings
        self._moderation = moderation
        self._boards = boards
        self._channels = channels
        self._challenge_seconds = challenge_seconds

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /settings, /games and /endgame."""
        texts = build.texts
        final = [
            app_commands.Choice(name=texts(f"settings.final.{word}"), value=word)
            for word in (STAY, GO)
        ]
        show = build.command("show", self.show, described="command.settings.show", private=True)
        change = build.command(
            "set",
            self.change,
            {name: f"option.settings.{name}" for name in _SETTINGS},
            described="command.settings.set",
            private=True,
            choices={
                "final_boards": final,
                "clock": clock_choices(texts),
                "boards": _choices(_SERVER_FORMS, texts),
            },
        )
        me = build.command(
            "me",
            self.choose,
            {"board": "option.settings.board"},
            described="command.settings.me",
            private=True,
            choices={"board": _choices((*Form, _AS_SERVER), texts)},
        )
        endgame = build.command(
            "endgame",
            self.endgame,
            {"channel": "option.endgame.channel"},
            permissions=_MODERATORS,
            on_servers=True,
        )
        games = build.command(
            "games", self.games, private=True, permissions=_MODERATORS, on_servers=True
        )
        return [
            build.group("settings", [show, change, me]),
            games,
            endgame,
        ]

    def routes(self) -> Sequence[Route]:
        """Return the buttons that turn the pages of /games."""
        return [route(TurnGames, self.turn_games)]

    async def check_here(self, interaction: Interaction) -> ServerSettings:
        """Return the server's settings; raise Refusal if games may not be played here."""
        place, channel = place_of(interaction), interaction.channel
        parent = ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None
        return await self._settings.check_channel(place.server_id, place.channel_id, parent)

    async def show(self, interaction: Interaction) -> None:
        """Show the server's settings."""
        check_moderator(interaction, server_permissions(interaction))
        await self._tell(
            interaction, await self._settings.settings(place_of(interaction).server_id)
        )

    async def change(
        self,
        interaction: Interaction,
        channels: str | None = None,
        clock: int | None = None,
        challenge_minutes: int | None = None,
        final_boards: str | None = None,
        boards: str | None = None,
    ) -> None:
        """Change the settings that are given, and show all."""
        check_moderator(interaction, server_permissions(interaction))
        if final_boards not in (None, STAY, GO):
            raise Refusal("refusal.settings.word", word=final_boards)
        changed = await self._settings.change(
            place_of(interaction).server_id,
            channels=None if channels is None else _read_channels(interaction, channels),
            clock=clock,
            challenge_minutes=challenge_minutes,
            boards_stay=None if final_boards is None else final_boards == STAY,
            boards=None if boards is None else _read_form(boards, _SERVER_FORMS),
        )
        await self._tell(interaction, changed)

    async def choose(self, interaction: Interaction, board: str | None = None) -> None:
        """Change the asker's own settings, and show them."""
        place, asker = place_of(interaction), asker_of(interaction)
        if board is not None:
            form = None if board == _AS_SERVER else _read_form(board, tuple(Form))
            await self._settings.choose_form(asker, form)
        chosen = await self._settings.chosen_form(asker)
        server = await self._settings.settings(place.server_id)
        text = own_settings_text(chosen, server.boards, texts_of(interaction))
        await response_of(interaction).whisper(text)

    async def form_of(self, interaction: Interaction) -> Form:
        """Return the form of boards that the asker wants."""
        place = place_of(interaction)
        return await self._settings.form_of(place.server_id, asker_of(interaction))

    async def _tell(self, interaction: Interaction, settings: ServerSettings) -> None:
        text = settings_text(settings, self._challenge_seconds, texts_of(interaction))
        await response_of(interaction).whisper(text)

    async def games(self, interaction: Interaction) -> None:
        """List the live matches of this server."""
        await response_of(interaction).whisper(await self._games(interaction, 0))

    async def turn_games(self, interaction: Interaction, press: TurnGames) -> None:
        """Show another page in place of the one whose button was pressed."""
        await response_of(interaction).edit(await self._games(interaction, press.number))

    async def _games(self, interaction: Interaction, number: int) -> ui.LayoutView:
        check_moderator(interaction, server_permissions(interaction))
        page = await self._moderation.games(place_of(interaction).server_id, number)
        return games_view(page, texts_of(interaction))

    async def endgame(
        self,
        interaction: Interaction,
        channel: app_commands.AppCommandChannel | app_commands.AppCommandThread | None = None,
    ) -> None:
        """End the match and the invitations of a channel, this one if none is named."""
        may = interaction.permissions if channel is None else channel.permissions
        check_moderator(interaction, may)
        here = place_of(interaction).channel_id
        channel_id = here if channel is None else ChannelId(channel.id)
        async with self._matches.lock(channel_id):
            ended, stored = await self._moderation.call_off(channel_id, asker_of(interaction))
        closed = text_view(texts_for(DEFAULT_LOCALE)("invitation.called_off"))
        for message_id in ended.challenge_messages:
            self._channels.change_later(channel_id, message_id, closed)
        if stored is None and ended.board_id is not None:
            self._channels.remove_later(channel_id, [ended.board_id])
        if channel_id == here:
            await self._tell_here(interaction, ended, stored)
        else:
            await self._tell_there(interaction, channel_id, ended, stored)

    async def _tell_here(
        self, interaction: Interaction, ended: CalledOff, stored: StoredMatch | None
    ) -> None:
        if stored is not None:
            await self._boards.show(interaction, stored, [stored.board_id])
        else:
            view = text_view(texts_of(interaction)(_ended_key(ended)))
            await self._channels.answer(interaction, view)

    async def _tell_there(
        self,
        interaction: Interaction,
        channel_id: ChannelId,
        ended: CalledOff,
        stored: StoredMatch | None,
    ) -> None:
        if stored is not None:
            told = await self._boards.post(stored)
        else:
            view = text_view(texts_for(DEFAULT_LOCALE)(_ended_key(ended)))
            told = await self._channels.sent(channel_id, view)
        key = "called_off.told" if told else "called_off.untold"
        text = texts_of(interaction)(key, channel=f"<#{channel_id}>")
        await response_of(interaction).whisper(text)


def _ended_key(ended: CalledOff) -> str:
    """Return the key of the text for an end that no board can show."""
    return "called_off.challenges" if ended.match_id is None else "called_off.match"


def _choices(forms: Iterable[str], texts: Texts) -> list[app_commands.Choice[str]]:
    """Return the choices of an option that takes one of these forms of boards."""
    return [app_commands.Choice(name=texts(f"settings.board.{f}"), value=str(f)) for f in forms]


def _read_form(word: str, forms: Iterable[Form]) -> Form:
    """Return the form of boards that `word` stands for; raise Refusal."""
    for form in forms:
        if form == word:
            return form
    raise Refusal("refusal.settings.word", word=word)


def _read_channels(interaction: Interaction, typed: str) -> list[ChannelId]:
    """Return the channels that were typed, none for everywhere; raise Refusal."""
    words = typed.replace(",", " ").replace("><", "> <").split()
    if [word.lower() for word in words] == [texts_of(interaction)("settings.everywhere")]:
        return []
    if not words:
        raise Refusal("refusal.settings.word", word=typed)
    return [_read_channel(interaction, word) for word in words]


def _read_channel(interaction: Interaction, word: str) -> ChannelId:
    found = _CHANNEL.fullmatch(word)
    if found is None:
        raise Refusal("refusal.settings.word", word=word)
    channel_id = ChannelId(int(found[1] or found[2]))
    guild = interaction.guild
    channel = guild.get_channel_or_thread(channel_id) if guild else None
    if channel is None:
        raise Refusal("refusal.settings.foreign", channel=channel_id)
    if isinstance(channel, discord.Thread):
        raise Refusal("refusal.settings.thread", channels=(channel_id,))
    if not isinstance(channel, discord.TextChannel | discord.ForumChannel):
        raise Refusal("refusal.settings.kind", channels=(channel_id,))
    return channel_id
