"""The feature: /puzzle, the boards of puzzles, and the puzzle of the day."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.gateway.commands import (
    CommandBuilder,
    choice_of,
    choices_of,
    localized_by,
    read_choice,
    typed_move,
)
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    lacking,
    name_of,
    own_texts_of,
    server_of,
)
from bot.gateway.loops import Loop
from bot.gateway.permissions import check_moderator, may_see, server_permissions
from bot.gateway.responses import response_of
from bot.i18n import ChannelTexts, OwnTexts
from bot.identity import ChannelId, MemberId, PuzzleId, ServerId
from bot.matches.board_pictures import Marked
from bot.matches.moves import NOTHING, Chosen, check_pick, has_page
from bot.matches.private import PrivateBoards
from bot.puzzles.daily import DailyPosts
from bot.puzzles.model import (
    Attempt,
    Daily,
    NextPuzzle,
    OpenPuzzle,
    PickMan,
    ShowGroup,
    ShowSolution,
    SolvePuzzle,
    day_of,
    next_at,
)
from bot.puzzles.search import PuzzleSearch
from bot.puzzles.service import PuzzleService
from bot.puzzles.sources import Sources
from bot.puzzles.store import DailyStore, TryStore
from bot.puzzles.view import daily_text, ended_view, hour_words, puzzle_view, wrong_view
from bot.refusals import Refusal
from core.engine.levels import Level
from core.grid import Square
from core.players import Computer, Member
from core.puzzles.finding import Difficulty

_OFF = -1


class Puzzles(Feature):
    """Puzzles for the members of a server, and one a day for a channel.

    `exists` asks Discord for a channel that isn't known. `now` gives Unix seconds.
    """

    def __init__(
        self,
        tries: TryStore,
        daily_store: DailyStore,
        puzzles: PuzzleService,
        private: PrivateBoards,
        sources: Sources,
        daily: DailyPosts,
        search: PuzzleSearch,
        exists: Callable[[ChannelId], Awaitable[bool]],
        now: Callable[[], int],
    ):
        self._tries = tries
        self._daily_store = daily_store
        self._puzzles = puzzles
        self._private = private
        self._sources = sources
        self._daily = daily
        self._search = search
        self._exists = exists
        self._now = now

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /puzzle."""
        options = {
            "difficulty": "option.puzzle.difficulty",
            "move": "option.puzzle.move",
            "solution": "button.puzzle.solution",
        }
        return [
            build.command(
                "puzzle",
                self.puzzle,
                options,
                private=True,
                choices={"difficulty": choices_of("puzzle.difficulty.{}", Difficulty)},
                on_servers=True,
            )
        ]

    def settings_commands(
        self, build: CommandBuilder
    ) -> list[app_commands.Command[Any, ..., None]]:
        """Return /settings puzzle."""
        hours = [
            app_commands.Choice(name=localized_by(partial(hour_words, hour)), value=hour)
            for hour in range(24)
        ]
        return [
            build.command(
                "settings puzzle",
                self.change,
                {"channel": "option.puzzle.channel", "hour": "option.puzzle.hour"},
                private=True,
                choices={"hour": [*hours, choice_of("settings.puzzle.off", _OFF)]},
            )
        ]

    def routes(self) -> Sequence[Route]:
        """Return the presses on puzzles."""
        return [
            route(SolvePuzzle, self.press_move),
            route(PickMan, self.press_man),
            route(ShowGroup, self.press_group),
            route(OpenPuzzle, self.press_open),
            route(ShowSolution, self.press_solution),
            route(NextPuzzle, self.press_next),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loops that post puzzles and look for new ones."""
        return [*self._daily.loops, self._search.loop]

    async def profile_line(
        self, server_id: ServerId, member_id: MemberId, texts: ChannelTexts
    ) -> str | None:
        """Return the line of a profile with the puzzles that a member has solved, None for none."""
        number, streak, longest = await self._tries.solved(server_id, member_id, self._now())
        if not number:
            return None
        return texts("profile.puzzles", count=number, streak=streak, longest=longest)

    async def puzzle(
        self,
        interaction: Interaction,
        difficulty: str | None = None,
        move: str | None = None,
        *,
        solution: bool = False,
    ) -> None:
        """Show the asker a puzzle, make a `move` in their current one, or give that up."""
        server_id, asker = server_of(interaction), asker_of(interaction)
        if sum((difficulty is not None, move is not None, solution)) > 1:
            raise Refusal("refusal.puzzle.one")
        if solution:
            puzzle_id = (await self._puzzles.open_current(server_id, asker)).given.id
            attempt = await self._puzzles.give_up(server_id, asker, puzzle_id)
        elif move is not None:
            current = await self._puzzles.open_current(server_id, asker)
            puzzle_id, steps = current.given.id, current.own.steps
            attempt = await self._puzzles.play(server_id, asker, puzzle_id, steps, typed_move(move))
        else:
            wanted = read_choice("difficulty", difficulty, Difficulty) if difficulty else None
            attempt = await self._puzzles.open_wanted(server_id, asker, wanted)
        await self._show(interaction, attempt, instead=False)

    async def press_open(self, interaction: Interaction, press: OpenPuzzle) -> None:
        """Show a puzzle to the presser."""
        attempt = await self._pressed(interaction, press.puzzle)
        await self._show(interaction, attempt, instead=press.where == "here")

    async def press_next(self, interaction: Interaction, press: NextPuzzle) -> None:
        """Show another puzzle instead of the pressed one."""
        server_id, asker = server_of(interaction), asker_of(interaction)
        attempt = await self._puzzles.open_wanted(server_id, asker, press.difficulty)
        await self._show(interaction, attempt, instead=True)

    async def press_move(self, interaction: Interaction, press: SolvePuzzle) -> None:
        """Make a move in a puzzle."""
        server_id, asker = server_of(interaction), asker_of(interaction)
        attempt = await self._puzzles.play(server_id, asker, press.puzzle, press.steps, press.move)
        await self._show(interaction, attempt, instead=True)

    async def press_man(self, interaction: Interaction, press: PickMan) -> None:
        """Show the board with a man picked up, or put back."""
        attempt = await self._pressed(interaction, press.puzzle)
        pick = Square.parse(press.square) if press.square else None
        match = attempt.match()
        lagging = attempt.own.ended_at is not None or press.steps != attempt.own.steps
        if pick is not None and not lagging:
            check_pick(match.position, pick)
        chosen = NOTHING if lagging else Chosen(pick)
        await self._show(interaction, attempt, chosen, instead=True)

    async def press_group(self, interaction: Interaction, press: ShowGroup) -> None:
        """Show a page of moves, or of groups of moves."""
        attempt = await self._pressed(interaction, press.puzzle)
        match = attempt.match()
        known = has_page(match.position.legal_moves(), press.group, press.page)
        chosen = Chosen(group=press.group, page=press.page) if known else NOTHING
        await self._show(interaction, attempt, chosen, instead=True)

    async def press_solution(self, interaction: Interaction, press: ShowSolution) -> None:
        """Show the solution of a puzzle."""
        server_id, asker = server_of(interaction), asker_of(interaction)
        attempt = await self._puzzles.give_up(server_id, asker, press.puzzle)
        await self._show(interaction, attempt, instead=True)

    async def _pressed(self, interaction: Interaction, puzzle_id: PuzzleId) -> Attempt:
        return await self._puzzles.open(server_of(interaction), asker_of(interaction), puzzle_id)

    async def _show(
        self, interaction: Interaction, attempt: Attempt, chosen: Chosen = NOTHING, *, instead: bool
    ) -> None:
        """Show a puzzle as it stands: to be solved, after a wrong move, or ended."""
        asker, texts = asker_of(interaction), own_texts_of(interaction)
        match = attempt.match(_seats(attempt, asker))
        if attempt.own.ended_at is not None:
            now = self._now()
            solved = await self._tries.solved(server_of(interaction), asker, now)
            times = await self._tries.times(attempt.given, asker)
            look = partial(ended_view, attempt, solved, times, day_of(now), texts)
        elif (wrong := attempt.wrong) is not None:
            spent = attempt.given.day == day_of(self._now())
            look = partial(wrong_view, attempt, wrong, texts, spent=spent)
        else:
            sees = partial(may_see, interaction)
            source = await self._sources.of(attempt.given, sees, texts)
            look = partial(puzzle_view, attempt, match, chosen, source, texts)
        name = name_of(interaction.user)
        names = [name if isinstance(player, Member) else None for player in match.players]
        board = Marked(match, names)
        await self._private.show(interaction, board, look, instead=instead)

    # The settings of moderators

    async def change(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        hour: int | None = None,
    ) -> None:
        """Choose where and when the puzzle of the day is posted, and show the setting.

        A setting that isn't given stays as it is.
        """
        check_moderator(interaction, server_permissions(interaction))
        server_id, texts = server_of(interaction), own_texts_of(interaction)
        if hour == _OFF:
            await self._daily_store.change(server_id, Daily())
        elif channel is not None or hour is not None:
            before = await self._daily_store.settings(server_id)
            posted_in = channel or _kept(interaction, before.channel_id)
            at = before.hour if hour is None else hour % 24
            if posted_in is None or at is None:
                raise Refusal("refusal.puzzle.both")
            _check_posts(posted_in)
            changed = Daily(ChannelId(posted_in.id), at, next_at(at, self._now()))
            await self._daily_store.change(server_id, changed)
        await response_of(interaction).whisper(await self.settings_line(server_id, texts))

    async def settings_line(self, server_id: ServerId, texts: OwnTexts) -> str:
        """Return a server's settings for the puzzle of the day; none if the channel was deleted."""
        daily = await self._daily_store.settings(server_id)
        if daily.channel_id and not await self._exists(daily.channel_id):
            daily = Daily()
        return daily_text(daily, texts)


def _kept(
    interaction: Interaction, channel_id: ChannelId | None
) -> discord.abc.GuildChannel | None:
    """Return the channel that was chosen before, None if none was or it is gone."""
    guild = interaction.guild
    return guild.get_channel(channel_id) if guild and channel_id else None


def _check_posts(channel: discord.abc.GuildChannel) -> None:
    """Raise Refusal if the bot may not post in a channel."""
    if missing := lacking(channel.permissions_for(channel.guild.me), channel):
        where = (channel.id,)
        raise Refusal("refusal.settings.unposted", channels=where, permissions=missing)


def _seats(attempt: Attempt, asker: MemberId) -> tuple[Member | Computer, ...]:
    """Return the players of a puzzle's board: the solver, and the computer that answers."""
    found = attempt.given.found
    computer = Computer(Level.PERFECT)
    solver = found.puzzle.start.to_move
    return tuple(Member(asker) if one == solver else computer for one in range(found.game.seats))
