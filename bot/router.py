"""What happens when a button is pressed.

Nothing is registered when a message is sent: a press is read from its custom id alone, so buttons
from before a restart, presses that come with the message's first appearance, and presses on what
the message showed a moment ago are all answered.
"""

from bot.analysis.replay import press_export, press_replay
from bot.client import Interaction
from bot.gateway.codec import decode
from bot.gateway.serving import served
from bot.invitations.challenging import press_dare
from bot.invitations.view import reply_to_invitation
from bot.leaderboard.view import turn_page
from bot.matches.buttons import press_analyse, press_board, press_legal, press_resign
from bot.matches.presses import (
    Analyse,
    Consent,
    Control,
    Export,
    Group,
    Legal,
    Pick,
    Play,
    Rematch,
    Replay,
    Resign,
)
from bot.offers import buttons as agreements
from bot.privacy.view import press_erase
from bot.profiles.view import turn_history
from bot.refusals import Refusal
from bot.servers.games import turn_games
from bot.servers.presses import Dare, Erase, Games, History, Page, Reply, ServerPress


@served
async def press(interaction: Interaction, custom_id: str) -> None:
    """Do what the button with this custom id says; raise Refusal."""
    match decode(custom_id):
        case None:
            raise Refusal("refusal.unknown_button")
        case (Play() | Pick() | Group() | Control()) as on_board:
            await press_board(interaction, on_board)
        case (Reply() | Dare() | Erase() | History() | Page() | Games()) as of_server:
            await _press_server(interaction, of_server)
        case of_match:
            await _press_match(interaction, of_match)


async def _press_match(
    interaction: Interaction,
    press: Resign | Consent | Rematch | Analyse | Legal | Replay | Export,
) -> None:
    match press:
        case Resign():
            await press_resign(interaction, press)
        case Consent():
            await agreements.consent(interaction, press)
        case Rematch():
            await agreements.rematch(interaction, press)
        case Analyse():
            await press_analyse(interaction, press)
        case Legal():
            await press_legal(interaction, press)
        case Replay():
            await press_replay(interaction, press)
        case Export():
            await press_export(interaction, press)


async def _press_server(interaction: Interaction, press: ServerPress) -> None:
    match press:
        case Reply():
            await reply_to_invitation(interaction, press)
        case Dare():
            await press_dare(interaction, press)
        case Erase():
            await press_erase(interaction, press)
        case History():
            await turn_history(interaction, press)
        case Page():
            await turn_page(interaction, press)
        case Games():
            await turn_games(interaction, press.number)
