"""/mydata: what is stored about the asker."""

from discord import app_commands

from bot.client import Interaction
from bot.gateway.serving import served_privately
from bot.i18n import Texts
from bot.privacy.view import ask_to_erase, hand_out


def mydata_group(texts: Texts) -> app_commands.Group:
    """Return /mydata export and /mydata delete."""
    group = app_commands.Group(name="mydata", description=texts("command.mydata"))
    for name, handler in (("export", export), ("delete", delete)):
        group.add_command(
            app_commands.Command(
                name=name, description=texts(f"command.mydata.{name}"), callback=handler
            )
        )
    return group


@served_privately
async def export(interaction: Interaction) -> None:
    """Give the asker all that is stored about them."""
    await hand_out(interaction)


@served_privately
async def delete(interaction: Interaction) -> None:
    """Ask the asker whether to erase it."""
    await ask_to_erase(interaction)
