"""What happens when a button is pressed.

Nothing is registered when a message is sent: a press is read from its custom id alone, so buttons
from before a restart, presses that come with the message's first appearance, and presses on what
the message showed a moment ago are all answered.
"""

from collections.abc import Coroutine
from typing import Any

from bot.answers import answer_of
from bot.checks import check_board, check_turn
from bot.client import Interaction, texts_of
from bot.errors import LaggingView, Refusal
from bot.records import OfferKind
from bot.render.moves import has_page
from bot.render.refusals import pick_first
from bot.serving import place_of, served
from bot.views import agreements
from bot.views.board import board_view
from bot.views.challenging import press_dare
from bot.views.codec import decode
from bot.views.games import turn_games
from bot.views.insight import show_hint, show_legal, show_review
from bot.views.invitations import reply_to_invitation
from bot.views.leaderboard import turn_page
from bot.views.messages import text_view
from bot.views.mydata import press_erase
from bot.views.posting import show
from bot.views.pressed import (
    Action,
    Analyse,
    Consent,
    Control,
    Dare,
    Erase,
    Export,
    Games,
    Group,
    History,
    Legal,
    Page,
    Pick,
    Play,
    Rematch,
    Replay,
    Reply,
    Resign,
)
from bot.views.profile import turn_history
from bot.views.replay import press_export, press_replay
from core.grid import Square


@served
async def press(interaction: Interaction, custom_id: str) -> None:
    """Do what the button with this custom id says; raise Refusal."""
    match decode(custom_id):
        case (Play() | Pick() | Group() | Control()) as on_board:
            await _press_board(interaction, on_board)
        case Resign() as resign:
            await _resign(interaction, resign)
        case Consent() as consent:
            await agreements.consent(interaction, consent)
        case Rematch() as rematch:
            await agreements.rematch(interaction, rematch)
        case Analyse() as analyse:
            await _analyse(interaction, analyse)
        case Legal() as legal:
            await _legal(interaction, legal)
        case Reply() as reply:
            await reply_to_invitation(interaction, reply)
        case other:
            await _press_list(interaction, other)


async def _press_list(
    interaction: Interaction, press: Replay | Export | History | Page | Games | Erase | Dare | None
) -> None:
    match press:
        case Replay() as replay:
            await press_replay(interaction, replay)
        case Export() as export:
            await press_export(interaction, export)
        case History() as history:
            await turn_history(interaction, history)
        case Page() as page:
            await turn_page(interaction, page)
        case Games() as games:
            await turn_games(interaction, games.number)
        case Erase() as erase:
            await press_erase(interaction, erase)
        case Dare() as dare:
            await press_dare(interaction, dare)
        case None:
            raise Refusal("refusal.unknown_button")


async def _press_board(interaction: Interaction, press: Play | Pick | Group | Control) -> None:
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
            await show(interaction, current, [current.board_id, pressed_id(interaction)])


async def _play(interaction: Interaction, play: Play) -> None:
    matches, pressed = interaction.client.services.matches, pressed_id(interaction)
    stored = await matches.play(
        play.match, interaction.user.id, play.move, play.ply, pressed, interaction.channel_id
    )
    await show(interaction, stored, [stored.board_id, pressed])


async def _pick(interaction: Interaction, pick: Pick) -> None:
    matches = interaction.client.services.matches
    stored = await matches.get(pick.match, interaction.channel_id)
    check_turn(stored, interaction.user.id, pick.ply, pressed_id(interaction))
    square = Square.parse(pick.square) if pick.square else None
    movable = dict.fromkeys(move.origin for move in stored.match.position.legal_moves())
    if square is not None and square not in movable:
        raise pick_first(stored, [str(origin) for origin in movable])
    view = board_view(stored, texts_of(interaction), pick=square)
    await answer_of(interaction).edit(view)


async def _group(interaction: Interaction, group: Group) -> None:
    matches = interaction.client.services.matches
    stored = await matches.get(group.match, interaction.channel_id)
    check_turn(stored, interaction.user.id, group.ply, pressed_id(interaction))
    if not has_page(stored.match.position.legal_moves(), group.group, group.page):
        raise Refusal("refusal.unknown_button", stored)
    await answer_of(interaction).edit(board_view(stored, texts_of(interaction), opened=group))


async def _legal(interaction: Interaction, legal: Legal) -> None:
    matches = interaction.client.services.matches
    await show_legal(interaction, await matches.get(legal.match, interaction.channel_id))


async def _control(interaction: Interaction, control: Control) -> None:
    matches = interaction.client.services.matches
    stored = await matches.get(control.match, interaction.channel_id)
    check_board(stored, interaction.user.id, control.ply, pressed_id(interaction))
    if control.action is Action.RESIGN:
        await agreements.ask_to_resign(interaction, stored)
    else:
        await agreements.offer(interaction, stored, OfferKind(control.action.value))


async def _resign(interaction: Interaction, resign: Resign) -> None:
    matches = interaction.client.services.matches
    async with matches.turn(place_of(interaction).channel_id):
        before = await matches.get(resign.match, interaction.channel_id)
        stored = await matches.resign(before, interaction.user.id)
        await answer_of(interaction).edit(text_view(texts_of(interaction)("resign.done")))
        await show(interaction, stored, [before.board_id])


async def _hint(interaction: Interaction, control: Control) -> None:
    """Show a hint, not in the channel's turn: nobody should have to wait for it."""
    matches = interaction.client.services.matches
    stored = await matches.get(control.match, interaction.channel_id)
    check_board(stored, interaction.user.id, control.ply, pressed_id(interaction))
    await show_hint(interaction, stored)


async def _analyse(interaction: Interaction, analyse: Analyse) -> None:
    matches = interaction.client.services.matches
    await show_review(interaction, await matches.get(analyse.match, interaction.channel_id))


def pressed_id(interaction: Interaction) -> int:
    """Return the id of the message whose button was pressed."""
    assert interaction.message is not None, "a button sits on a message"
    return interaction.message.id
