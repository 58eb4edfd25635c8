"""The feature: /settings, whose subcommands check whether a moderator asks.

Everybody sees the command, because `/settings me` is for all members, and Discord has default
permissions only for whole commands.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import discord
from discord import app_commands

from bot.forms import Form
from bot.gateway.commands import MAX_CHOICES, CommandBuilder, choices_of, read_choice
from bot.gateway.components import view_of
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    locale_here,
    own_texts_of,
    place_of,
    server_of,
)
from bot.gateway.permissions import check_moderator, role_for_members, server_permissions
from bot.gateway.responses import response_of
from bot.i18n import OwnTexts
from bot.i18n.languages import LANGUAGES, language_name, language_named, languages_like
from bot.identity import ChannelId, RoleId, ServerId
from bot.matches.clock import checked_clock
from bot.matches.here import existing
from bot.matches.options import clock_choices, read_channels
from bot.matches.settings import Challengers, NewOwnSettings, NewSettings
from bot.matches.store import SettingsStore
from bot.ratings.model import Visibility
from bot.refusals import Refusal
from bot.render.words import saved
from bot.servers.model import AS_SERVER, ASKED, VALUES, ChooseOwn
from bot.servers.view import GO, STAY, own_settings_view, settings_text
from bot.times import MINUTE

_SETTINGS = ("channels", "role", "clock", "challenge_minutes", "final_boards", "boards", "language")
# Boards in words are a member's own choice, not a server's.
_SERVER_FORMS = (Form.EMOJI, Form.PICTURE)
# A server speaks the language that it has at Discord.
_AS_DISCORD = "discord"
_EVERYWHERE = "everywhere"
_LONGEST_CHALLENGE = 60 * 24 * 30  # minutes


class Configurable(Protocol):
    """The settings that moderators choose for another feature."""

    def settings_commands(
        self, build: CommandBuilder
    ) -> Sequence[app_commands.Command[Any, ..., None]]:
        """Return its subcommands of /settings."""

    async def settings_line(self, server_id: ServerId, texts: OwnTexts) -> str:
        """Return a server's settings in one line."""


class Servers(Feature):
    """The settings of servers, and each member's own.

    `challenge_seconds` is how long a challenge stays open if the server hasn't chosen. `others` are
    the settings of other features.
    """

    def __init__(
        self, settings: SettingsStore, challenge_seconds: int, others: Sequence[Configurable]
    ):
        self._settings = settings
        self._challenge_seconds = challenge_seconds
        self._others = others

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /settings with its subcommands, also those of the other features."""
        show = build.command("settings show", self.show, private=True)
        change = build.command(
            "settings set",
            self.change,
            {name: f"option.settings.{name}" for name in _SETTINGS},
            private=True,
            choices={
                "final_boards": choices_of("settings.final.{}", (STAY, GO)),
                "clock": clock_choices(),
                "boards": choices_of("settings.board.{}", _SERVER_FORMS),
            },
            complete={"language": self.complete_language},
        )
        of_others = [one for other in self._others for one in other.settings_commands(build)]
        return [build.group("settings", [show, change, self._own(build), *of_others])]

    def routes(self) -> Sequence[Route]:
        """Return the choices in the menus of /settings me."""
        return [route(ChooseOwn, self.choose_by_menu)]

    def _own(self, build: CommandBuilder) -> app_commands.Command[Any, ..., None]:
        """Return /settings me."""
        return build.command(
            "settings me",
            self.choose,
            ASKED,
            private=True,
            choices={setting: choices_of(*values) for setting, values in VALUES.items()},
        )

    async def complete_language(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the server's language at Discord as a choice, and those with the typed text."""
        here = language_name(locale_here(interaction))
        default = own_texts_of(interaction)("settings.default", value=here)
        found = {
            locale: LANGUAGES[locale] for locale in languages_like(current, str(interaction.locale))
        }
        if default.casefold().startswith(current.strip().casefold()):
            found = {_AS_DISCORD: default, **found}
        choices = [app_commands.Choice(name=name, value=value) for value, name in found.items()]
        return choices[:MAX_CHOICES]

    async def show(self, interaction: Interaction) -> None:
        """Show the server's settings."""
        _check_moderator(interaction)
        await self._show(interaction, changed=False)

    async def _show(self, interaction: Interaction, *, changed: bool) -> None:
        server_id, texts = server_of(interaction), own_texts_of(interaction)
        settings = await self._settings.settings(server_id)
        text = settings_text(
            settings,
            self._challenge_seconds,
            locale_here(interaction),
            texts,
            channels=existing(interaction.guild, settings.channels),
            role_deleted=_is_deleted(interaction.guild, settings.begin_role),
        )
        lines = [await other.settings_line(server_id, texts) for other in self._others]
        shown = "\n\n".join([text, *lines])
        # As components: a message's plain content may have only half as many characters.
        view = view_of(saved(shown, texts) if changed else shown)
        await response_of(interaction).whisper(view)

    async def change(
        self,
        interaction: Interaction,
        channels: str | None = None,
        role: discord.Role | None = None,
        clock: int | None = None,
        challenge_minutes: app_commands.Range[int, 1, _LONGEST_CHALLENGE] | None = None,
        final_boards: str | None = None,
        boards: str | None = None,
        language: str | None = None,
    ) -> None:
        """Change the settings that are given, if any, and show all."""
        _check_moderator(interaction)
        changes = NewSettings()
        if channels is not None:
            changes["channels"] = _read_channels(interaction, channels)
        if role is not None:
            changes["begin_role"] = role_for_members(role)
        if clock is not None:
            changes["clock"] = checked_clock(clock)
        if challenge_minutes is not None:
            changes["challenge_seconds"] = challenge_minutes * MINUTE
        if final_boards is not None:
            changes["boards_stay"] = read_choice("final_boards", final_boards, (STAY, GO)) == STAY
        if boards is not None:
            changes["boards"] = read_choice("boards", boards, _SERVER_FORMS)
        if language is not None:
            changes["language"] = _read_language(language, str(interaction.locale))
        if changes:
            await self._settings.change(server_of(interaction), changes)
        await self._show(interaction, changed=bool(changes))

    async def choose(
        self,
        interaction: Interaction,
        boards: str | None = None,
        challenges: str | None = None,
        everywhere: str | None = None,
    ) -> None:
        """Change the asker's own settings that are given, and show all."""
        asker, texts = asker_of(interaction), own_texts_of(interaction)
        changes = NewOwnSettings()
        if boards is not None:
            changes["board"] = None if boards == AS_SERVER else read_choice("boards", boards, Form)
        if challenges is not None:
            changes["challengers"] = read_choice("challenges", challenges, Challengers)
        if everywhere is not None:
            changes["shown"] = read_choice("everywhere", everywhere, Visibility)
        if changes:
            await self._settings.change_own(asker, changes)
        own = await self._settings.own(asker)
        server = await self._settings.settings(place_of(interaction).server_id)
        view = own_settings_view(own, server.boards, texts, changed=bool(changes))
        await response_of(interaction).show_own(view)

    async def choose_by_menu(self, interaction: Interaction, press: ChooseOwn) -> None:
        """Change one of the asker's own settings, and show all in place of those before."""
        await self.choose(interaction, **{press.setting: press.value})


def _check_moderator(interaction: Interaction) -> None:
    """Raise Refusal for members who aren't moderators, which names their own settings."""
    may = server_permissions(interaction)
    check_moderator(interaction, may, "refusal.not_moderator.settings")


def _is_deleted(guild: discord.Guild | None, role_id: RoleId | None) -> bool:
    """Return whether a role isn't among those of a server, as far as these are known."""
    if guild is None or role_id is None or not guild.roles:
        return False
    return guild.get_role(role_id) is None


def _read_language(typed: str, reader: str) -> str | None:
    """Return the locale of a language that was chosen or typed, None for Discord's.

    `reader` is the locale of the member who typed it. Raises Refusal for an unknown language.
    """
    if typed == _AS_DISCORD:
        return None
    locale = language_named(typed, reader)
    if locale is None:
        raise Refusal("refusal.settings.language", word=typed)
    return locale


def _read_channels(interaction: Interaction, typed: str) -> tuple[ChannelId, ...]:
    """Return the channels that were typed, none for everywhere; raise Refusal."""
    everywhere = {_EVERYWHERE, own_texts_of(interaction)("settings.everywhere").casefold()}
    words = typed.casefold().replace(",", " ").split()
    if " ".join(words) in everywhere:
        return ()
    if not everywhere.isdisjoint(words):  # beside channels
        raise Refusal("refusal.settings.word", word=typed)
    if not (channels := read_channels(interaction, typed)):
        raise Refusal("refusal.settings.word", word=typed)
    return channels
