"""Changes made to the texts of a catalogue once, before values are filled in.

Texts name commands and options in `backticks`, in English in every catalogue: Discord shows a
command under the name of the reader's language, so that name is put in its place.

In a language written from right to left, whatever has a direction of its own (a name, a move, a
number, a command) stands in an isolate, so that it turns nothing around, and isn't turned.
"""

import re
from collections.abc import Callable

from bot.identity import isolated

# Unicode's Left-to-Right and Right-to-Left Isolate, and Pop Directional Isolate (UAX #9)
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT, _POP = "\u2066", "\u2067", "\u2069"

_CODE = re.compile(r"`([^`]*)`")
_WORD = re.compile(r"(/?)([a-z_]+)")
_CHOICE = re.compile(r"([a-z_]+): ([a-z_]+)")
# The name of an option, and a move. Where a text has it in backticks, it means the move.
_NOTATION = "swap"
# The name of an option, and what moderators type for all channels. A text means the latter.
_EVERYWHERE = "everywhere"
# The blank between a mark, the star of a better move, or a rank, and a value.
_MARK = re.compile(r"(?:(?<=\{(?:mark|rank)\})|(?<=⭐)|(?<=\{rank\}[位위])) (?=\*{0,2}\{)")
# The blank between a number of results and its word.
_RESULT = re.compile(
    r"(?:(?<=\{wins\})|(?<=\{draws\})|(?<=\{losses\})) (?!·)"
    r"|(?<![·,]) (?=\{(?:wins|draws|losses)\})"
)
# The parts that must begin a line, or end it. Markdown reads no emphasis between a full stop and an
# isolate.
_MARKED_LINE = re.compile(r"(\s*(?:-# |- |#+ )?)(.*?)(\s*)")
_BOLD_LINE = re.compile(r"(\s*\*\*)([^*]*)(\*\*\s*)")
# The parts that are isolated: code, mentions and times as a whole, and a value by itself, with the
# plus before it, but not in a link. A time is in the language of the reader's Discord.
_ISOLATED = re.compile(r"`[^`]*`|<(?:#|@&?)\{\w+\}>|<t:\{\w+\}(?::\w)?>|\]\(\{\w+\}\)|\+?\{\w+\}")


def bound(text: str) -> str:
    """Return `text` with each mark, star and rank on the line of the move or name after it.

    The numbers of results stay on the lines of their words.
    """
    return _RESULT.sub("\u00a0", _MARK.sub("\u00a0", text))


def renamed(
    text: str, name: Callable[[str], str], choice: Callable[[str], str | None], *, listed: bool
) -> str:
    """Return `text` with the names of commands, options and choices as this language has them.

    `name` returns a command's or option's, `choice` the text of a key such as `by.wins`. `listed`
    tells whether Discord lists commands in this language; if not, it shows choices in English.
    """

    def word(found: re.Match[str]) -> str:
        return found[1] + name(found[2])

    def span(found: re.Match[str]) -> str:
        code = found[1]
        if code.startswith("/"):
            # The arguments of a command, such as a move, have a digit or a {placeholder}.
            said = (_WORD.sub(word, one) if _WORD.fullmatch(one) else one for one in code.split())
            return f"`{' '.join(said)}`"
        if chosen := _CHOICE.fullmatch(code):
            value = choice(f"{chosen[1]}.{chosen[2]}") if listed else None
            return f"`{name(chosen[1])}: {value or chosen[2]}`"
        if code == _EVERYWHERE:
            return f"`{choice('settings.everywhere') or code}`"
        return f"`{name(code)}`" if code != _NOTATION else found[0]

    return _CODE.sub(span, text)


def isolating(text: str) -> str:
    """Return `text` with its values and its code in isolates, in lines from right to left.

    A client may lay out all lines from left to right, which puts the full stop before a sentence.
    Lines of words alone stay as they are: they may be compared with what members type.
    """

    def span(found: re.Match[str]) -> str:
        whole = found[0]
        return isolated(whole) if whole.startswith(("`", "{", "+", "<")) else whole

    return "\n".join(_sentence(_ISOLATED.sub(span, line)) for line in text.split("\n"))


def _sentence(line: str) -> str:
    found = _BOLD_LINE.fullmatch(line) or _MARKED_LINE.fullmatch(line)
    assert found is not None, "every part may be empty"
    if all(character.isalnum() or character.isspace() for character in line):
        return line
    return f"{found[1]}{right_to_left(found[2])}{found[3]}"


def right_to_left(text: str) -> str:
    """Return a line of `text` that runs from right to left, whatever it holds."""
    return f"{_RIGHT_TO_LEFT}{text}{_POP}"


def left_to_right(text: str) -> str:
    """Return a line of `text` that runs from left to right, whatever it holds."""
    return f"{_LEFT_TO_RIGHT}{text}{_POP}"
