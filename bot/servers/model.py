"""A member's own settings, as the options of a command and as menus."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from bot.forms import Form
from bot.gateway.components import Key, Press
from bot.matches.settings import Challengers
from bot.ratings.model import Visibility

AS_SERVER = "server"


class OwnSetting(StrEnum):
    """One of a member's own settings; the value is the name of its option in `/settings me`."""

    BOARDS = "boards"
    CHALLENGES = "challenges"
    EVERYWHERE = "everywhere"


ASKED: Mapping[str, str] = {
    OwnSetting.BOARDS: "option.settings.board",
    OwnSetting.CHALLENGES: "option.settings.challenges",
    OwnSetting.EVERYWHERE: "option.settings.everywhere",
}
"""The keys of the texts that say what each setting is."""

VALUES: Mapping[str, tuple[str, Sequence[str]]] = {
    OwnSetting.BOARDS: ("settings.board.{}", (*Form, AS_SERVER)),
    OwnSetting.CHALLENGES: ("challenges.{}", tuple(Challengers)),
    OwnSetting.EVERYWHERE: ("everywhere.{}", tuple(Visibility)),
}
"""The values of each setting, with the key of their names."""


class ChooseOwn(Press, tag="so"):
    """Change one of the presser's own settings, by a menu whose value completes the custom id."""

    setting: OwnSetting
    value: Key
