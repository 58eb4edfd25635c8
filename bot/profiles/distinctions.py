"""Lines of a profile about what a member has won elsewhere than in the matches themselves."""

from collections.abc import Awaitable, Callable

from bot.i18n import ChannelTexts
from bot.identity import MemberId, ServerId
from bot.profiles.model import Distinction


def tournaments_won(won: Callable[[ServerId, MemberId], Awaitable[int]]) -> Distinction:
    """Return the line with the number of tournaments, which `won` returns; none for 0."""

    async def tell(server_id: ServerId, member_id: MemberId, texts: ChannelTexts) -> str | None:
        count = await won(server_id, member_id)
        return texts("profile.tournaments", count=count) if count else None

    return tell


def puzzles_solved(
    solved: Callable[[ServerId, MemberId], Awaitable[tuple[int, int, int]]],
) -> Distinction:
    """Return the line with the number of puzzles, the streak of days, and the longest one.

    `solved` returns these three; there is no line for no puzzle.
    """

    async def tell(server_id: ServerId, member_id: MemberId, texts: ChannelTexts) -> str | None:
        count, streak, longest = await solved(server_id, member_id)
        if not count:
            return None
        return texts("profile.puzzles", count=count, streak=streak, longest=longest)

    return tell
