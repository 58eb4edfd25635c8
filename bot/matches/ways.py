"""The ways to a match in a channel: to a new one, and past the one that holds the channel."""

from collections.abc import Awaitable, Callable, Iterable, Sequence

from discord import ButtonStyle

from bot.gateway.components import Component, Layout, Press, button, button_row, view_of
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, place_of
from bot.gateway.permissions import may_open_threads
from bot.gateway.responses import response_of
from bot.i18n import OwnTexts, Texts
from bot.identity import Context, MatchId
from bot.matches.here import SettingsHere
from bot.matches.model import StoredMatch
from bot.matches.occupancy import Occupancy
from bot.matches.presses import Begin, ChooseGame, EndOwn, OpenRules, TakeOver, Way
from bot.matches.service import ChannelBusy, MatchService
from bot.refusals import Alternatives, Refusal
from bot.render import emoji, words
from bot.render.refusals import has_buttons, refusal_text
from core.game import Game

_BEGIN = {Way.COMPUTER: emoji.COMPUTER, Way.CHALLENGE: emoji.CHALLENGE, Way.TABLE: emoji.TABLE}


def ways_in(context: Context) -> list[Way]:
    """Return the ways to a new match, which need nobody else in direct messages with the bot."""
    return [Way.COMPUTER] if context is Context.BOT_DM else list(Way)


def begin_buttons(ways: Iterable[Way], texts: Texts) -> list[Component]:
    """Return a button for each of the ways to a new match."""
    return [begin_button(Begin(way), texts) for way in ways]


def rules_button(game: Game, texts: Texts) -> Component:
    """Return the button for the rules of a game, on a message about a match that may be new."""
    return button(texts("button.rules"), OpenRules(game.key), icon=emoji.RULES)


def begin_button(press: Begin | ChooseGame, texts: Texts) -> Component:
    """Return the button for a way to a new match, of a certain game or of one yet to be chosen."""
    style = ButtonStyle.primary if press.way is Way.COMPUTER else ButtonStyle.secondary
    return button(texts(f"button.begin.{press.way}"), press, style, _BEGIN[press.way])


class Ways:
    """Offers members the ways past a match that holds their channel, and carries these out."""

    def __init__(self, matches: MatchService, occupancy: Occupancy, here: SettingsHere):
        self._matches = matches
        self._occupancy = occupancy
        self._here = here

    async def answer(self, interaction: Interaction, refusal: Refusal) -> str | Layout:
        """Return the answer to a refusal: its words, and ways to a match if one can begin here."""
        texts, asker = own_texts_of(interaction), asker_of(interaction)
        alternatives = await self._here.alternatives(interaction, refusal)
        told = refusal_text(refusal, texts, asker, alternatives)
        if not has_buttons(refusal, alternatives, asker):
            return told
        ways = begin_buttons(ways_in(place_of(interaction).context), texts)
        return view_of(told, button_row(*ways))

    async def offer(
        self,
        interaction: Interaction,
        busy: ChannelBusy,
        again: Callable[[MatchId], Press] | None = None,
        in_thread: Press | None = None,
        waiting: Callable[[], Awaitable[Sequence[str]]] | None = None,
    ) -> None:
        """Offer the asker ways past the match that holds the channel and has stopped them.

        `again` gives the press that archives that match and then repeats what was stopped; without
        it, that match is only archived. The press `in_thread` repeats what was stopped in a new
        thread, if the asker and the bot may open one. `waiting` returns lines about what waits for
        the asker here. Raises `busy` if nothing waits, and nothing can be done.
        """
        thread = in_thread if may_open_threads(interaction) else None
        lines = await waiting() if waiting else ()
        view = await self._view(interaction, busy, again, thread, lines)
        if view is None:
            raise busy
        if again:
            await response_of(interaction).show_own(view)  # replaces the question that was pressed
        else:
            await response_of(interaction).whisper(view)

    async def _view(
        self,
        interaction: Interaction,
        busy: ChannelBusy,
        again: Callable[[MatchId], Press] | None,
        in_thread: Press | None,
        waiting: Sequence[str],
    ) -> Layout | None:
        """Return the ways that a member has past a match, and what waits for them here.

        Returns None if there is neither; raises Refusal.
        """
        settings = await self._here.settings_or_refuse(interaction)
        me, stored, texts = asker_of(interaction), busy.board, own_texts_of(interaction)
        may, mine = self._occupancy.may_take_over(stored, me), me in stored.staying
        alternatives = Alternatives(settings.channels, may_archive=may and mine)
        told = refusal_text(busy, texts, alternatives=alternatives)
        press = again(stored.id) if again else TakeOver(stored.id)
        thread = [button(texts("button.thread"), in_thread, icon=emoji.THREAD)] if in_thread else []
        if mine:
            told, ways = _past_own(told, stored, press if may else None, texts)
        elif may:
            offer = texts("take_over.offer.begin" if again else "take_over.offer")
            told, ways = _taking_over(f"{told}\n{offer}", stored, press, texts)
        else:
            ways = []
        row = [*ways, *thread]
        if not (row or waiting):
            return None
        return view_of("\n".join([told, *waiting]), *([button_row(*row)] if row else []))

    async def take_over(self, interaction: Interaction, match_id: MatchId) -> bool:
        """Archive an idle match; return False if its channel is free already; raise Refusal."""
        await self._here.settings_or_refuse(interaction)
        channel_id = place_of(interaction).channel_id
        async with self._matches.lock(channel_id):
            return await self._occupancy.take_over(match_id, asker_of(interaction), channel_id)

    async def taken_over_view(self, interaction: Interaction) -> Layout:
        """Return the answer to a member who has freed a channel, with the ways to a match.

        Members without the role to begin one may still accept what others have begun.
        """
        texts = own_texts_of(interaction)
        if why_no_match := await self._here.why_no_match(interaction, texts):
            return view_of(texts("take_over.done"), *why_no_match)
        told = f"{texts('take_over.done')}\n{texts('take_over.begin')}"
        ways = begin_buttons(ways_in(place_of(interaction).context), texts)
        return view_of(told, button_row(*ways))


def _taking_over(
    told: str, stored: StoredMatch, press: Press, texts: OwnTexts
) -> tuple[str, list[Component]]:
    """Return the text `told`, with a button by which to take over the channel of a match."""
    take = button(texts("button.take_over"), press, ButtonStyle.primary)
    return f"{told}\n{words.back_words(stored.place, texts)}\n{_putting_away(texts)}", [take]


def _putting_away(texts: OwnTexts) -> str:
    return words.without_buttons("board", "put_away", texts)


def _past_own(
    told: str, stored: StoredMatch, press: Press | None, texts: OwnTexts
) -> tuple[str, list[Component]]:
    """Return the refusal `told`, with buttons by which a player can end their own match.

    A `press` archives it instead, and begins the one that was refused; a button that restarts it
    would then be taken for that. A game of a tournament can only be resigned.
    """
    resign = button(texts("button.resign"), EndOwn(stored.id, "resign"), icon=emoji.RESIGN)
    if stored.tournament_id is not None:
        return told, [resign]
    if press is None:
        restart = button(texts("button.restart"), EndOwn(stored.id, "restart"), icon=emoji.RESTART)
        return told, [restart, resign]
    away = button(texts("button.put_away"), press, ButtonStyle.primary)
    return f"{told}\n{_putting_away(texts)}", [away, resign]
