"""The commands of a running match: all that its buttons do, and the board posted again."""

from typing import Any

from discord import app_commands

from bot.analysis.view import show_legal
from bot.client import Interaction
from bot.gateway.declared import declared
from bot.gateway.serving import place_of, served, served_privately
from bot.i18n import Texts
from bot.matches.absence import without_absent
from bot.matches.checks import check_seated
from bot.matches.model import OfferKind
from bot.matches.posting import show
from bot.offers import buttons as agreements
from bot.refusals import Refusal
from core.grid import SWAP
from core.players import Member

# https://discord.com/developers/docs/interactions/application-commands: choices of an autocomplete
MAX_CHOICES = 25


def match_commands(texts: Texts) -> list[app_commands.Command[Any, ..., None]]:
    """Return /move, /moves, /board, /undo, /resign, /draw and /rematch."""
    app_commands.describe(where=texts("option.where"))(move)
    app_commands.autocomplete(where=legal_moves)(move)
    return declared(
        {
            "move": move,
            "moves": moves,
            "board": board,
            "undo": undo,
            "resign": resign,
            "draw": draw,
            "rematch": rematch,
        },
        texts,
    )


@served
async def move(interaction: Interaction, where: str) -> None:
    """Make the move that is written in `where`."""
    matches, place = interaction.client.services.matches, place_of(interaction)
    async with matches.turn(place.channel_id):
        live = await matches.live(place.channel_id)
        stored = await matches.play(live.id, interaction.user.id, where)
        await show(interaction, stored, [stored.board_id])


async def legal_moves(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Return the legal moves that begin with what has been typed so far, then those with it."""
    try:
        live = await interaction.client.services.matches.live(place_of(interaction).channel_id)
    except Refusal:
        return []
    typed = current.strip().lower()
    # The swap, the last of them, comes first: it is there for one move only.
    legal = sorted(live.match.position.legal_moves(), key=lambda move: move != SWAP)
    moves = [str(move) for move in legal]
    # What is typed may be a row as well: "5" finds a5 to j5.
    found = [move for move in moves if move.startswith(typed)]
    found += [move for move in moves if typed in move and move not in found]
    return [app_commands.Choice(name=move, value=move) for move in found[:MAX_CHOICES]]


@served_privately
async def moves(interaction: Interaction) -> None:
    """Show which moves the player to move has."""
    matches = interaction.client.services.matches
    await show_legal(interaction, await matches.live(place_of(interaction).channel_id))


@served
async def board(interaction: Interaction) -> None:
    """Post the board again, of a match put away too; a computer that owes a move makes it.

    Whoever has left the server has lost by then.
    """
    services, place = interaction.client.services, place_of(interaction)
    async with services.matches.turn(place.channel_id):
        live = await services.deadlines.board(place.channel_id, interaction.user.id)
        resumed = await services.matches.resume(live)
        current = await without_absent(interaction.client, resumed, interaction.user.id)
        await show(interaction, current, [live.board_id], quiet=True)


@served
async def undo(interaction: Interaction) -> None:
    """Take back the asker's last move, or ask the others for it."""
    await _offer(interaction, OfferKind.UNDO)


@served
async def draw(interaction: Interaction) -> None:
    """Offer a draw, or agree to one."""
    await _offer(interaction, OfferKind.DRAW)


@served
async def rematch(interaction: Interaction) -> None:
    """Ask for the channel's last match again, or agree to it."""
    await _offer(interaction, OfferKind.REMATCH)


async def _offer(interaction: Interaction, kind: OfferKind) -> None:
    matches, place = interaction.client.services.matches, place_of(interaction)
    async with matches.turn(place.channel_id):
        stored = await matches.latest(place.channel_id)
        await agreements.offer(interaction, stored, kind)


@served_privately
async def resign(interaction: Interaction) -> None:
    """Ask whether the asker means it."""
    matches = interaction.client.services.matches
    live = await matches.live(place_of(interaction).channel_id)
    check_seated(live, Member(interaction.user.id))
    await agreements.ask_to_resign(interaction, live)
