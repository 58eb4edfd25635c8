"""The settings of servers and of members in words."""

from collections.abc import Sequence

from bot.forms import Form
from bot.gateway.components import Component, Layout, menu, option, view_of
from bot.i18n import OwnTexts
from bot.i18n.languages import language_name
from bot.identity import ChannelId
from bot.matches.settings import OwnSettings, ServerSettings
from bot.render import words
from bot.servers.model import ASKED, VALUES, ChooseOwn, OwnSetting

STAY, GO = "stay", "go"


def settings_text(
    settings: ServerSettings,
    default_seconds: int,
    locale: str,
    texts: OwnTexts,
    *,
    channels: Sequence[ChannelId],
    role_deleted: bool = False,
) -> str:
    """Return all settings of a server, with those of its `channels` for games that still exist.

    The role to begin matches may have been deleted, too. If the server hasn't chosen, challenges
    expire after the default, and `locale` is its language.
    """
    none = texts("settings.channels.deleted" if settings.channels else "settings.everywhere")
    # Neither notifies anybody: no message of the bot's may mention a role, or everybody.
    role = "@everyone" if settings.begin_role is None else f"<@&{settings.begin_role}>"
    return texts(
        "settings.all",
        channels=words.channels_words(channels, texts) or none,
        role=texts("settings.role.deleted") if role_deleted else role,
        clock=words.clock_words(settings.clock, texts),
        lifetime=words.duration(settings.challenge_seconds or default_seconds, texts),
        final=texts(f"settings.final.{STAY if settings.boards_stay else GO}"),
        boards=texts(f"settings.board.{settings.boards}"),
        language=language_name(settings.language or locale),
    )


def own_settings_view(
    own: OwnSettings, server: Form, texts: OwnTexts, *, changed: bool = False
) -> Layout:
    """Return a member's own settings, with a menu to change each; `server` is its form of boards.

    If some were `changed`, the first line says that they are saved.
    """
    shown = texts(
        "settings.own" if own.board else "settings.own.server",
        board=texts(f"settings.board.{own.board or server}"),
        everywhere=texts(f"everywhere.{own.shown}"),
        challenges=texts(f"challenges.{own.challengers}"),
    )
    menus = (_own_menu(setting, texts) for setting in OwnSetting)
    return view_of(words.saved(shown, texts) if changed else shown, *menus)


def _own_menu(setting: OwnSetting, texts: OwnTexts) -> Component:
    """Return the menu of a setting; the value that is chosen completes a ChooseOwn."""
    key, values = VALUES[setting]
    options = [option(texts(key.format(value)), value) for value in values]
    return menu(f"{ChooseOwn.tag}:{setting}", texts(ASKED[setting]), options)
