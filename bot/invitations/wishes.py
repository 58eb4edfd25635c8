"""Wishes: the match that a member asks for, and the buttons that carry it past a busy channel."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import discord

from bot.i18n import Texts
from bot.identity import MatchId
from bot.invitations.model import First, PlayInThread, TakeOverFor, Wished
from bot.invitations.options import read_level
from bot.refusals import Refusal
from core.game import Game
from core.options import Number, Options

Named: TypeAlias = discord.User | discord.Member
_Fields: TypeAlias = tuple[str, str, str, str, First, str, Literal["", "open"]]


@dataclass(frozen=True)
class Wish:
    """The match that a member asks for.

    `options` are the given options of the game, `named` the members to play with. `level` is the
    computer's level as it was typed or chosen, None for the usual one. If the table `is_open`, any
    member may take the other seats. `clock` is in seconds, 0 for none, None for the server's.
    """

    game: Game
    options: Options = field(default_factory=dict)
    named: Sequence[Named] = ()
    level: str | None = None
    is_open: bool = False
    first: First = First.ME
    clock: int | None = None

    def taking_over(self, match_id: MatchId, texts: Texts) -> TakeOverFor:
        """Return the press that takes over the channel of a match, and asks for the wish again.

        The board and the level of the wish are known to be possible.
        """
        return TakeOverFor(match_id, *self._fields(texts))

    def in_thread(self, texts: Texts) -> PlayInThread:
        """Return the press that asks for the wish again in a new thread.

        The board and the level of the wish are known to be possible.
        """
        return PlayInThread(*self._fields(texts))

    def _fields(self, texts: Texts) -> _Fields:
        """Return the fields of a press that hold the wish."""
        game, level = self.game, ""
        if self.level:
            level = read_level(game, game.resolve(self.options), self.level, texts)
        return (
            game.key,
            ",".join(str(self.options.get(option.name, "")) for option in game.declared),
            ",".join(str(somebody.id) for somebody in self.named),
            level,
            self.first,
            "" if self.clock is None else str(self.clock),
            "open" if self.is_open else "",
        )

    @classmethod
    def from_press(cls, press: Wished, game: Game, named: Sequence[Named]) -> "Wish":
        """Return the wish that a press carries, with its game and members; raise Refusal.

        Options that a later version has added to the game are left open.
        """
        words = press.options.split(",") if press.options else []
        try:
            options: Options = {
                option.name: int(word) if isinstance(option, Number) else word
                for option, word in zip(game.declared[: len(words)], words, strict=True)
                if word
            }
        except ValueError:
            raise Refusal("refusal.unknown_button") from None
        return cls(
            game,
            options,
            named,
            press.level or None,
            is_open=press.seats == "open",
            first=press.first,
            clock=int(press.clock) if press.clock else None,
        )
