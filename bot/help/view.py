"""The welcome, the rules of a game, and the list of commands as messages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from discord.utils import as_chunks

from bot.gateway.components import (
    MAX_ROW,
    Component,
    Layout,
    Upload,
    button,
    button_row,
    display,
    gallery,
    view_of,
)
from bot.help.model import ShowCommands, ShowRules, example
from bot.i18n import Texts
from bot.matches.presses import ChooseGame, Way
from bot.matches.ways import begin_button, begin_buttons
from bot.render import emoji, words
from bot.render.spoken import alt_text
from core.game import Game
from core.games import GAMES
from core.options import Choice, Flag

_MODERATORS = "moderators"
# The commands by section: of groups only the subcommands.
SECTIONS: Mapping[str, Sequence[str]] = {
    "start": (*(f"play {key}" for key in GAMES), "answer", "rematch", "puzzle"),
    "turn": (
        "move",
        "moves",
        "board",
        "mymatches",
        "hint",
        "unrated",
        "undo",
        "draw",
        "resign",
        "restart",
    ),
    "after": ("replay", "analyse", "share", "export", "history"),
    "members": (
        "leaderboard",
        "profile",
        "achievements",
        "tournament join",
        "tournament leave",
        "tournament show",
    ),
    "you": ("rules", "help", "settings me", "mydata export", "mydata delete"),
    _MODERATORS: (
        "settings show",
        "settings set",
        "settings puzzle",
        "settings honours",
        "settings role",
        "tournament create",
        "tournament start",
        "tournament drop",
        "tournament cancel",
        "tournament result",
        "games",
        "endgame",
    ),
}
# The commands for everybody that are offered only on servers.
_ON_SERVERS = {
    "puzzle",
    "leaderboard",
    "achievements",
    *(name for name in SECTIONS["members"] if name.startswith("tournament ")),
}


def welcome_view(
    links: Mapping[str, str],
    texts: Texts,
    ways: Iterable[Way] = Way,
    why_no_match: Sequence[str] = (),
    *,
    on_server: bool = True,
) -> Layout:
    """Return the first message of the bot: what it is, and buttons that do it.

    `links` are the addresses of the host's pages, by the key of their name; `ways` lead to a match.
    The lines `why_no_match` say why no match can begin here. Puzzles and tournaments are offered on
    servers.
    """
    games = texts.joined(texts(f"game.{key}") for key in GAMES)
    pages = [texts(key, url=url) for key, url in links.items()]
    stored = texts.row(words.DOT, [texts("help.stored"), *pages])
    more = [
        button(texts("button.rules"), ShowRules(""), icon=emoji.RULES),
        button(texts("button.commands"), ShowCommands(), icon=emoji.COMMANDS),
    ]
    buttons = button_row(*begin_buttons(ways, texts), *more)
    more_here = texts("help.puzzle") if on_server else None
    welcome = texts("help.welcome", games=games)
    return view_of(welcome, more_here, *why_no_match, f"-# {stored}", buttons)


def commands_view(texts: Texts, *, on_server: bool) -> Layout:
    """Return the commands for everybody by section, as offered on a server or elsewhere."""
    offered = {
        name: [command for command in own if on_server or command not in _ON_SERVERS]
        for name, own in SECTIONS.items()
        if name != _MODERATORS
    }
    lines = (_section(name, commands, texts) for name, commands in offered.items() if commands)
    return view_of(display("\n".join(lines)), display(texts("help.menu")))


def moderators_view(texts: Texts, *, manages_channels: bool) -> Layout:
    """Return the commands for a member who may manage channels, or else events."""
    commands = SECTIONS[_MODERATORS]
    if not manages_channels:
        commands = [command for command in commands if command.startswith("tournament ")]
    return view_of(_section(_MODERATORS, commands, texts))


def _section(name: str, commands: Iterable[str], texts: Texts) -> str:
    lines = [_line(command, texts) for command in commands]
    return "\n".join([f"### {texts(f'help.section.{name}')}", *lines])


def _line(command: str, texts: Texts) -> str:
    named = " ".join(map(texts.name, command.split(" ")))
    return texts("help.command", command=f"`/{named}`", does=_described(command, texts))


def _described(command: str, texts: Texts) -> str:
    group, _, name = command.partition(" ")
    if group == "play":
        return texts(f"game.{name}.command")
    return texts(f"command.{command.replace(' ', '.')}")


def example_names(game: Game, texts: Texts) -> list[str]:
    """Return the names of the players of the example."""
    return [texts("rules.player", number=seat + 1) for seat in range(game.seats)]


def rules_view(game: Game, picture: Upload | None, texts: Texts, *, playable: bool) -> Layout:
    """Return the rules of a game: its text, the example, the variants, and the other games.

    `picture` shows the example, None if it couldn't be drawn. If the game is `playable` here, a
    button leads to a match of it.
    """
    shown: list[Component] = [display(texts(f"game.{game.key}.rules"))]
    if picture is not None:
        described = alt_text(example(game), example_names(game, texts), texts)
        told = texts(f"game.{game.key}.example")
        shown += [gallery(picture, described), display(f"-# {told}")]
    if variants := list(_variants(game, texts)):
        shown.append(display("\n".join([texts("rules.variants"), *variants])))
    begin = begin_button(ChooseGame(Way.COMPUTER, game.key), texts)
    return view_of(*shown, *_pages(game, texts), button_row(begin) if playable else None)


def _variants(game: Game, texts: Texts) -> Iterator[str]:
    """Yield a sentence for each variant of a game, and for each rule that can be added."""
    for option in game.declared:
        if isinstance(option, Choice):
            for choice in option.choices:
                yield f"- {texts(f'game.{game.key}.variant.{choice}.rule')}"
        if isinstance(option, Flag):
            yield f"- {texts(f'game.{game.key}.flag.{option.name}.rule')}"


def _pages(shown: Game, texts: Texts) -> list[Component]:
    """Return a button for the rules of each game."""
    buttons = [
        button(texts(f"game.{key}"), ShowRules(key), disabled=key == shown.key) for key in GAMES
    ]
    return [button_row(*row) for row in as_chunks(buttons, MAX_ROW)]
