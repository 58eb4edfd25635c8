"""The private questions that lead to a match: a press is parsed, and the matchmaker called once."""

import discord

from bot.gateway.interactions import (
    Interaction,
    asker_of,
    own_texts_of,
    place_of,
)
from bot.gateway.responses import response_of
from bot.identity import MemberId
from bot.invitations.asking import level_view, next_view, way_view
from bot.invitations.inviting import Named, check_company
from bot.invitations.matchmaker import Matchmaker
from bot.invitations.model import (
    Challenge,
    ChooseGame,
    ChooseLevel,
    ChooseMember,
    First,
    OtherLevel,
    TakeOverFor,
)
from bot.invitations.wishes import Wish, members_of, wished
from bot.matches.presses import Begin, NewGame, TakeOver, Way
from bot.matches.service import MatchService, check_seated
from bot.matches.ways import taken_over_view
from bot.refusals import Refusal
from core.game import Game
from core.games import GAMES


class QuestionButtons:
    """The presses on the private questions that lead to a match."""

    def __init__(self, matchmaker: Matchmaker, matches: MatchService):
        self._matchmaker = matchmaker
        self._matches = matches

    async def begin(self, interaction: Interaction, press: Begin) -> None:
        """Ask for the game, or for the member to challenge."""
        if press.way is not Way.COMPUTER:
            check_company(interaction)
        await self._matchmaker.ask(interaction, way_view(press.way, own_texts_of(interaction)))

    async def choose_game(self, interaction: Interaction, press: ChooseGame) -> None:
        """Open a table for a game, or ask for the computer's level."""
        game = _game(press.game)
        if press.way is Way.TABLE:
            await self._matchmaker.begin(interaction, Wish(game, is_open=True))
        else:
            await self._matchmaker.ask(interaction, level_view(game, own_texts_of(interaction)))

    async def choose_level(self, interaction: Interaction, press: ChooseLevel) -> None:
        """Start a game against the computer."""
        await self._matchmaker.begin(interaction, Wish(_game(press.game), level=press.level))

    async def choose_member(self, interaction: Interaction, press: ChooseMember) -> None:
        """Ask for the game of a challenge."""
        await self._matchmaker.ask_against(interaction, await _member(interaction, press.opponent))

    async def challenge(self, interaction: Interaction, press: Challenge) -> None:
        """Challenge a member to the usual board of a game."""
        game, opponent = _game(press.game), await _member(interaction, press.opponent)
        await self._matchmaker.begin(interaction, Wish(game, named=[opponent]))

    async def next_game(self, interaction: Interaction, press: NewGame) -> None:
        """Ask what to play after a finished match."""
        stored = await self._matches.get(press.match, place_of(interaction).channel_id)
        view = next_view(stored, asker_of(interaction), own_texts_of(interaction))
        await self._matchmaker.ask(interaction, view)

    async def other_level(self, interaction: Interaction, press: OtherLevel) -> None:
        """Play the board of a match against the computer at another level, from the same seat."""
        stored = await self._matches.get(press.match, place_of(interaction).channel_id)
        first = First.OPPONENT if check_seated(stored, asker_of(interaction)) else First.ME
        match = stored.match
        wish = Wish(match.game, match.options, level=press.level, first=first)
        await self._matchmaker.begin(interaction, wish)

    async def take_over(self, interaction: Interaction, press: TakeOver) -> None:
        """Archive an idle match, and show the presser the ways to a match in its channel."""
        if not await self._matchmaker.take_over(interaction, press.match):
            raise Refusal("refusal.channel_free")
        view = taken_over_view(place_of(interaction), own_texts_of(interaction))
        await response_of(interaction).edit(view)

    async def take_over_for(self, interaction: Interaction, press: TakeOverFor) -> None:
        """Archive an idle match, and begin the one that was refused because of it."""
        named = [await _member(interaction, member_id) for member_id in members_of(press)]
        wish = wished(press, _game(press.game), named)
        await self._matchmaker.take_over(interaction, press.match)
        await self._matchmaker.begin(interaction, wish)


def _game(key: str) -> Game:
    """Return a game; raise Refusal if there is none with this key."""
    if key not in GAMES:
        raise Refusal("refusal.unknown_button")
    return GAMES[key]


async def _member(interaction: Interaction, member_id: MemberId) -> Named:
    """Return a member of this server, elsewhere any user; raise Refusal if there is none.

    It takes one request, as no members are cached.
    """
    on_server = place_of(interaction).server_id is not None
    try:
        if on_server and interaction.guild is not None:
            return await interaction.guild.fetch_member(member_id)
        user: discord.User = await interaction.client.fetch_user(member_id)
    except discord.NotFound:
        raise Refusal("refusal.against_gone") from None
    return user
