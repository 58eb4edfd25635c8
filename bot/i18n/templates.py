"""Changes made to the texts of a catalogue once, before values are filled in.

In every catalogue, texts name commands and options in `backticks` and in English. Discord shows a
command by its name in the reader's language, so that name takes the place of the English one.

In a language written from right to left, every part with a direction of its own (a name, a move, a
number, a command) stands in an isolate. So it keeps its direction, and doesn't change the direction
of the text around it.
"""

import re
from collections.abc import Callable

from bot.identity import isolated

# Unicode's Left-to-Right and Right-to-Left Isolate, and Pop Directional Isolate (UAX #9)
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT, _POP = "\u2066", "\u2067", "\u2069"

_CODE = re.compile(r"`([^`]*)`")
_WORD = re.compile(r"(/?)([a-z_]+)")
# Both the name of an option and a move. In backticks, texts mean the move.
_NOTATION = "swap"
# Both the name of an option and the word that moderators type for all channels. Texts mean the
# word.
_EVERYWHERE = "everywhere"
# The blank between a mark, the star of a better move, or a rank, and a value.
_MARK = re.compile(r"(?:(?<=\{(?:mark|rank)\})|(?<=⭐)|(?<=\{rank\}[位위])) (?=\*{0,2}\{)")
# The blank between a number of results, or a change of rating, and its word; also that before the
# dot or the dash between two parts of a line, with which no line should begin.
_RESULT = re.compile(
    r"(?:(?<=\{wins\})|(?<=\{draws\})|(?<=\{losses\})) (?!·)"
    r"|(?<![·,]) (?=\{(?:wins|draws|losses|change)\})"
    r"| (?=[·–—] )"
)
# The parts that must stay at the beginning or the end of a line, outside of isolates. Markdown
# ignores emphasis between a full stop and an isolate.
_MARKED_LINE = re.compile(r"(\s*(?:-# |- |#+ )?)(.*?)(\s*)")
_BOLD_LINE = re.compile(r"(\s*\*\*)([^*]*)(\*\*\s*)")
# The parts that are isolated: code, mentions and times as a whole, and each value with a plus or a
# number sign before it, except in a link. Times are in the language of the reader's Discord.
_ISOLATED = re.compile(r"`[^`]*`|<(?:#|@&?)\{\w+\}>|<t:\{\w+\}(?::\w)?>|\]\(\{\w+\}\)|[+#]?\{\w+\}")


def bound(text: str) -> str:
    """Return `text` with no-break spaces, so that marks, stars and ranks stay with what follows.

    The numbers of results and changes of rating stay with their words in the same way, and dots and
    dashes with what precedes them.
    """
    return _RESULT.sub("\u00a0", _MARK.sub("\u00a0", text))


def renamed(text: str, name: Callable[[str], str], everywhere: str) -> str:
    """Return `text` with the names of commands and options as this language has them.

    `name` returns such a name. `everywhere` is the word that moderators type for all channels.
    """

    def word(found: re.Match[str]) -> str:
        return found[1] + name(found[2])

    def span(found: re.Match[str]) -> str:
        code = found[1]
        if code.startswith("/"):
            # The arguments of a command, such as a move, have a digit or a {placeholder}.
            said = (_WORD.sub(word, one) if _WORD.fullmatch(one) else one for one in code.split())
            return f"`{' '.join(said)}`"
        if code == _EVERYWHERE:
            return f"`{everywhere}`"
        return f"`{name(code)}`" if code != _NOTATION else found[0]

    return _CODE.sub(span, text)


def isolating(text: str) -> str:
    """Return `text` with its values and its code in isolates, in lines from right to left.

    A client may lay out all lines from left to right, which puts the full stop before a sentence.
    Lines of words alone stay as they are: they may be compared with what members type.
    """

    def span(found: re.Match[str]) -> str:
        whole = found[0]
        return isolated(whole) if whole.startswith(("`", "{", "+", "#", "<")) else whole

    return "\n".join(_sentence(_ISOLATED.sub(span, line)) for line in text.split("\n"))


def _sentence(line: str) -> str:
    found = _BOLD_LINE.fullmatch(line) or _MARKED_LINE.fullmatch(line)
    assert found is not None, "every part may be empty"
    if all(character.isalnum() or character.isspace() for character in line):
        return line
    return f"{found[1]}{right_to_left(found[2])}{found[3]}"


def right_to_left(text: str) -> str:
    """Return `text`, one line, so that it runs from right to left whatever it holds."""
    return f"{_RIGHT_TO_LEFT}{text}{_POP}"


def left_to_right(text: str) -> str:
    """Return `text`, one line, so that it runs from left to right whatever it holds."""
    return f"{_LEFT_TO_RIGHT}{text}{_POP}"
