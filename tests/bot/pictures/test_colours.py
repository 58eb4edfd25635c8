"""The colours of pictures can be told apart by people with low vision.

https://www.w3.org/TR/WCAG22/: text has a contrast of 4.5 (1.4.3), a sign of 3 (1.4.11).
"""

from itertools import product

from PIL.ImageColor import getrgb

from bot.pictures.colours import DIM, GOLD, GREEN, INK, PANEL, RECENT, RED, SKY, SQUARE, TEXT


def luminance(colour: str) -> float:
    """Return the relative luminance that WCAG defines."""
    shares = [part / 255 for part in getrgb(colour)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def test_texts_stand_out() -> None:
    """Even dim texts do: the names of players who have lost, and the letters beside a board."""
    for text, ground in [*product((TEXT, DIM, GOLD), (PANEL, SQUARE)), (INK, GOLD), (TEXT, RECENT)]:
        assert contrast(text, ground) >= 4.5, (text, ground)


def test_marks_stand_out() -> None:
    """They do on every square: ordinary ones, those just changed, and those of the winning line."""
    for mark, ground in [*product((RED, SKY, GREEN), (SQUARE, RECENT)), (INK, GOLD)]:
        assert contrast(mark, ground) >= 3, (mark, ground)
