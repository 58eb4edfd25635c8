"""Building slash commands from handlers, with the catalogues' words in every language.

discord.py reads a command's options from the signature of its callback, and its decorators mark
that function. Here they are applied to the built command: a handler stays an ordinary method.
"""

import inspect
import unicodedata
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, TypeAlias, TypeVar

import discord
from discord import app_commands
from discord.app_commands import TranslationContextTypes, locale_str

from bot.gateway.interactions import Interaction
from bot.i18n import DEFAULT_LOCALE, Texts, texts_for
from core.errors import OptionError

T = TypeVar("T", str, int)
S = TypeVar("S", bound=str)

Handler: TypeAlias = Callable[..., Coroutine[Any, Any, None]]
Serve: TypeAlias = Callable[..., Awaitable[None]]
Complete: TypeAlias = Callable[
    [Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[Any]]]
]
Choices: TypeAlias = Mapping[str, Sequence[app_commands.Choice[Any]]]

Page: TypeAlias = app_commands.Range[int, 1, 10_000]
"""The option for a page of a list, counted from 1 as members see it."""

# https://discord.com/developers/docs/interactions/application-commands: choices of an autocomplete
MAX_CHOICES = 25
# Keyboards of phones write some of these in place of a hyphen.
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
# Cyrillic and Greek letters that look like those of a board's columns, which run up to p.
_LOOK_ALIKES = str.maketrans("асеіјорАВСЕНІЈКМОРαοΑΒΕΗΙΚΜΝΟΡ", "aceijopABCEHIJKMOPaoABEHIKMNOP")

# Where commands are offered, and to whom: on servers and to members who have installed the bot. The
# tree gives these two to each command that has no others.
EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
FOR_ALL = app_commands.AppInstallationType(guild=True, user=True)
_ON_SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
_FOR_SERVERS = app_commands.AppInstallationType(guild=True, user=False)

Say: TypeAlias = Callable[[Texts], str]
"""Says something in the language of some texts."""


def localized_by(say: Say) -> locale_str:
    """Return the text of `say` in every language, for Discord (see CommandTranslator)."""
    return locale_str(say(texts_for(DEFAULT_LOCALE)), say=say)


@cache
def localized(key: str, **values: object) -> locale_str:
    """Return a text of the catalogues in every language."""
    return localized_by(lambda texts: texts(key, **values))


def choice_of(key: str, value: T) -> app_commands.Choice[T]:
    """Return a choice of an option, named by a text of the catalogues."""
    return app_commands.Choice(name=localized(key), value=value)


def choices_of(key: str, values: Iterable[str]) -> list[app_commands.Choice[str]]:
    """Return a choice for each value, named by the text of `key` with the value in place of {}."""
    return [choice_of(key.format(value), str(value)) for value in values]


class CommandBuilder:
    """Builds commands; `serve` runs each of their handlers.

    The `options` of a command map the name of each option to the catalogue key of its description.
    """

    def __init__(self, serve: Serve):
        self._serve = serve

    def command(
        self,
        path: str,
        handler: Handler,
        options: Mapping[str, str] | None = None,
        *,
        private: bool = False,
        choices: Choices | None = None,
        complete: Mapping[str, Complete] | None = None,
        permissions: discord.Permissions | None = None,
        on_servers: bool = False,
        always: bool = False,
    ) -> app_commands.Command[Any, ..., None]:
        """Return the command at a path, such as `move`, or `settings show` in a group.

        The key of its description is `command.` and the path, with dots for spaces. Only the asker
        sees the answer to a `private` command, even if it is late. An `on_servers` command isn't
        offered where the bot isn't a member. If a command answers `always`, it also does so to
        members, and on servers, that the host has blocked.
        """
        name, described = self._named(path)
        callback = self._served(handler, private=private, always=always)
        command = app_commands.Command[Any, ..., None](
            name=name, description=described, callback=callback
        )
        descriptions = {option: localized(key) for option, key in (options or {}).items()}
        _describe(command, descriptions, choices or {}, complete or {})
        command.default_permissions = permissions
        if on_servers:
            command.allowed_contexts = _ON_SERVERS
            command.allowed_installs = _FOR_SERVERS
        return command

    def with_options(
        self,
        name: str,
        handler: Handler,
        described: locale_str,
        annotations: Mapping[str, Any],
        descriptions: Mapping[str, locale_str],
        choices: Choices,
        complete: Mapping[str, Complete],
    ) -> app_commands.Command[Any, ..., None]:
        """Return a command whose options, all optional, are known only at run time.

        `handler` takes them by name. discord.py has no public way to add options to a command: it
        only reads the signature of a callback, so this callback is given one.
        """
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [
            inspect.Parameter("interaction", kind),
            *(
                inspect.Parameter(option, kind, default=None, annotation=annotation)
                for option, annotation in annotations.items()
            ),
        ]
        callback = self._served(handler, private=False)
        callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command = app_commands.Command[Any, ..., None](
            name=name, description=described, callback=callback
        )
        _describe(command, descriptions, choices, complete)
        return command

    def group(
        self,
        path: str,
        commands: Sequence[app_commands.Command[Any, ..., None] | app_commands.Group],
        *,
        on_servers: bool = False,
    ) -> app_commands.Group:
        """Return the group at a path, with `commands` as its subcommands, or groups of them.

        Its description and `on_servers` are as for `command`.
        """
        name, described = self._named(path)
        group = app_commands.Group(name=name, description=described)
        if on_servers:
            group.allowed_contexts = _ON_SERVERS
            group.allowed_installs = _FOR_SERVERS
        for command in commands:
            group.add_command(command)
        return group

    def member_menu(
        self, key: str, handler: Handler, *, private: bool = False
    ) -> app_commands.ContextMenu:
        """Return an entry of the menu that opens on a member."""
        return app_commands.ContextMenu(
            name=localized(key), callback=self._served(handler, private=private)
        )

    def _named(self, path: str) -> tuple[str, locale_str]:
        """Return the name of the command or group at a path, and its description."""
        return path.split(" ")[-1], localized(f"command.{path.replace(' ', '.')}")

    def _served(self, handler: Handler, *, private: bool, always: bool = False) -> Handler:
        # The qualified name is left out: with it discord.py takes the first parameter for `self`.
        @wraps(handler, assigned=("__module__", "__name__"))
        async def run(interaction: Interaction, *given: Any, **options: Any) -> None:
            work = handler(interaction, *given, **options)
            await self._serve(interaction, work, private=private, always=always)

        return run


def _describe(
    command: app_commands.Command[Any, ..., None],
    descriptions: Mapping[str, locale_str],
    choices: Choices,
    complete: Mapping[str, Complete],
) -> None:
    """Give the options of a command their descriptions, choices and autocompletes."""
    app_commands.describe(**descriptions)(command)
    app_commands.choices(**{option: list(found) for option, found in choices.items()})(command)
    app_commands.autocomplete(**complete)(command)


def read_choice(option: str, word: str, choices: Iterable[S]) -> S:
    """Return the choice of an option that `word` stands for; raise OptionError if it is none.

    Discord sends only declared choices, but perhaps those of another version of the command.
    """
    known = {str(choice): choice for choice in choices}
    if word not in known:
        raise OptionError(option, word, tuple(known))
    return known[word]


def typed_move(typed: str) -> str:
    """Return a typed move in notation: ASCII letters and digits, a hyphen, no spaces.

    Keyboards type it in other ways, too: ``ｂ 2``, ``b٢``, ``a1–c4``. A copied move may have marks
    that nobody sees: those of direction, and the joiner after its hyphen.
    """
    written = unicodedata.normalize("NFKC", typed).translate(_DASHES).translate(_LOOK_ALIKES)
    seen = (letter for letter in written if unicodedata.category(letter) != "Cf")
    digits = (str(unicodedata.decimal(letter, letter)) for letter in seen)
    return "".join("".join(digits).split())


class CommandTranslator(app_commands.Translator):
    """Gives Discord the names and descriptions of commands and their options in a language."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, _context: TranslationContextTypes
    ) -> str | None:
        """Return `string` in a language, None if English is used for it."""
        texts = texts_for(str(locale))
        if texts.locale == DEFAULT_LOCALE:
            return None
        say: Say | None = string.extras.get("say")
        said = say(texts) if say else texts.name(string.message)
        return said if said != string.message else None
