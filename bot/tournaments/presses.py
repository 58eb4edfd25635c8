"""The presses of a tournament's message, of its pages, and of the questions about it."""

from enum import StrEnum

from bot.gateway.components import PageNumber, Press
from bot.identity import MemberId, TournamentId


class Action(StrEnum):
    """A button of a tournament's message, or of the question whether its presser is sure."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    WITHDRAW = "withdraw"
    CANCEL = "cancel"


class Ask(Press, tag="to"):
    """Join, leave, start or cancel a tournament, or withdraw from it."""

    tournament: TournamentId
    action: Action


class ReallyDrop(Press, tag="td"):
    """Take a player out of a tournament that is being played."""

    tournament: TournamentId
    member: MemberId


class ShowPage(Press, tag="tp"):
    """Show a page of a tournament to the presser alone."""

    tournament: TournamentId
    number: PageNumber
