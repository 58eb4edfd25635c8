"""Long texts, cut where a client would stop showing them.

Discord's clients show at most 199 pieces of a text that are anything but plain words, emoji among
them, and silently leave out what follows. Nobody documents it; it can be counted in issues such as
https://github.com/discord/discord-api-docs/issues/8501 (40 lines of 5 pieces are cut off) and
https://github.com/JochCool/minesweeper-bot/issues/24 (198 spoilers). A 16x11 board alone has 204.
"""

from unicodedata import category

from discord import ui

Display = ui.TextDisplay[ui.LayoutView]

# The rest is for bold names, mentions, code and the like.
MAX_EMOJI = 170
# Pictographs; and what makes a keycap of a digit.
_EMOJI = ("So", "Me")


def displays(text: str) -> list[Display]:
    """Return `text` as one component, or cut between lines into as many as it takes."""
    parts: list[list[str]] = [[]]
    room = MAX_EMOJI
    for line in text.split("\n"):
        found = sum(category(character) in _EMOJI for character in line)
        if found > room:
            parts.append([])
            room = MAX_EMOJI
        parts[-1].append(line)
        room -= found
    return [Display("\n".join(lines)) for lines in parts if lines]
