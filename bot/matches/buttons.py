"""What the buttons of a board do: its squares, menus and controls, resigning, and looking."""

from collections.abc import Coroutine
from typing import Any

from bot.analysis.view import show_hint, show_legal, show_review
from bot.client import Interaction, texts_of
from bot.gateway.permissions import missing_here
from bot.gateway.responses import answer_of
from bot.gateway.serving import place_of
from bot.matches.checks import check_board, check_turn
from bot.matches.messages import text_view
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.posting import show
from bot.matches.presses import (
    Action,
    Analyse,
    Control,
    Group,
    Legal,
    MatchPress,
    Pick,
    Play,
    Resign,
)
from bot.matches.view import board_view
from bot.offers import buttons as agreements
from bot.refusals import LaggingView, Refusal
from bot.render.moves import has_page
from bot.render.refusals import pick_first
from core.grid import Square


async def press_board(interaction: Interaction, press: Play | Pick | Group | Control) -> None:
    """Do what a button of a board's squares, menus or controls says; raise Refusal."""
    match press:
        case Play():
            await _on_board(interaction, _play(interaction, press))
        case Pick():
            await _on_board(interaction, _pick(interaction, press))
        case Group():
            await _on_board(interaction, _group(interaction, press))
        case Control(action=Action.HINT):
            await _hint(interaction, press)
        case Control():
            await _on_board(interaction, _control(interaction, press))


async def _on_board(interaction: Interaction, handler: Coroutine[Any, Any, None]) -> None:
    """Run the handler of a board's button in the channel's turn.

    Where the board has been left behind, because the one after it could not be posted, the current
    one is shown instead.
    """
    async with interaction.client.services.matches.turn(place_of(interaction).channel_id):
        try:
            await handler
        except LaggingView as lagging:
            current = lagging.current
            await show(interaction, current, [current.board_id, _pressed_id(interaction)])


async def _play(interaction: Interaction, play: Play) -> None:
    matches, pressed = interaction.client.services.matches, _pressed_id(interaction)
    stored = await matches.play(
        play.match, interaction.user.id, play.move, play.ply, pressed, interaction.channel_id
    )
    await show(interaction, stored, [stored.board_id, pressed])


async def _pick(interaction: Interaction, pick: Pick) -> None:
    stored = await _stored(interaction, pick)
    check_turn(stored, interaction.user.id, pick.ply, _pressed_id(interaction))
    square = Square.parse(pick.square) if pick.square else None
    movable = dict.fromkeys(move.origin for move in stored.match.position.legal_moves())
    if square is not None and square not in movable:
        raise pick_first(stored, [str(origin) for origin in movable])
    await _redraw(interaction, stored, pick=square)


async def _group(interaction: Interaction, group: Group) -> None:
    stored = await _stored(interaction, group)
    check_turn(stored, interaction.user.id, group.ply, _pressed_id(interaction))
    if not has_page(stored.match.position.legal_moves(), group.group, group.page):
        raise Refusal("refusal.unknown_button", stored)
    await _redraw(interaction, stored, opened=group)


async def _redraw(
    interaction: Interaction,
    stored: StoredMatch,
    pick: Square | None = None,
    opened: Group | None = None,
) -> None:
    """Show the board in its place, as it looks while somebody chooses a move."""
    missing = missing_here(interaction)
    view = board_view(stored, texts_of(interaction), pick=pick, opened=opened, missing=missing)
    await answer_of(interaction).edit(view)


async def press_legal(interaction: Interaction, legal: Legal) -> None:
    """Show which squares there are to choose from; raise Refusal."""
    await show_legal(interaction, await _stored(interaction, legal))


async def _control(interaction: Interaction, control: Control) -> None:
    stored = await _stored(interaction, control)
    check_board(stored, interaction.user.id, control.ply, _pressed_id(interaction))
    if control.action is Action.RESIGN:
        await agreements.ask_to_resign(interaction, stored)
    else:
        await agreements.offer(interaction, stored, OfferKind(control.action.value))


async def press_resign(interaction: Interaction, resign: Resign) -> None:
    """Resign, as was asked and confirmed; raise Refusal."""
    matches = interaction.client.services.matches
    async with matches.turn(place_of(interaction).channel_id):
        before = await _stored(interaction, resign)
        stored = await matches.resign(before, interaction.user.id)
        await answer_of(interaction).edit(text_view(texts_of(interaction)("resign.done")))
        await show(interaction, stored, [before.board_id])


async def _hint(interaction: Interaction, control: Control) -> None:
    """Show a hint, not in the channel's turn: nobody should have to wait for it."""
    stored = await _stored(interaction, control)
    check_board(stored, interaction.user.id, control.ply, _pressed_id(interaction))
    await show_hint(interaction, stored)


async def press_analyse(interaction: Interaction, analyse: Analyse) -> None:
    """Show how a finished match went; raise Refusal."""
    await show_review(interaction, await _stored(interaction, analyse))


async def _stored(interaction: Interaction, press: MatchPress) -> StoredMatch:
    """Return the match that was pressed; raise Refusal where this channel has no such match."""
    return await interaction.client.services.matches.get(press.match, interaction.channel_id)


def _pressed_id(interaction: Interaction) -> int:
    """Return the id of the message whose button was pressed."""
    assert interaction.message is not None, "a button sits on a message"
    return interaction.message.id
