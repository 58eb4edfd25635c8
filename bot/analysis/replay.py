"""Finished matches, seen again: move by move, and as files to keep. Shown to the asker alone."""

from io import BytesIO

import discord
from discord import ui

from bot.client import Interaction, texts_of
from bot.gateway.codec import encode
from bot.gateway.paragraphs import displays
from bot.gateway.responses import answer_of
from bot.gateway.serving import place_of
from bot.i18n import Texts
from bot.matches.messages import names_of
from bot.matches.model import StoredMatch
from bot.matches.presses import Export, Replay, Step
from bot.matches.squares import button, layout
from bot.pictures.client import DrawingFailedError
from bot.refusals import Refusal
from bot.render import emoji, terms, words
from bot.render.cells import text_board
from bot.workers.processes import ClosedError
from core.match import record
from core.players import Member


async def open_replay(interaction: Interaction, stored: StoredMatch) -> None:
    """Show a finished match from its beginning; raise Refusal."""
    _check(interaction, stored)
    await answer_of(interaction).whisper(replay_view(stored, 0, texts_of(interaction)))


async def press_replay(interaction: Interaction, press: Replay) -> None:
    """Go to another move, or begin; raise Refusal."""
    stored = await interaction.client.services.matches.get(press.match)
    if press.step is Step.OPEN:
        await open_replay(interaction, stored)
        return
    _check(interaction, stored)
    await answer_of(interaction).edit(replay_view(stored, press.ply, texts_of(interaction)))


async def press_export(interaction: Interaction, press: Export) -> None:
    """Hand out a match as files; raise Refusal."""
    await export(interaction, await interaction.client.services.matches.get(press.match))


async def export(interaction: Interaction, stored: StoredMatch) -> None:
    """Hand out a finished match as an animated picture and as a record; raise Refusal."""
    _check(interaction, stored)
    texts, answer = texts_of(interaction), answer_of(interaction)
    await answer.promise(private=True)
    match, name = stored.match, f"rowbot-{stored.id}"
    try:
        picture = await interaction.client.services.pictures.animation(
            match, words.plain_names(match, stored.names, texts)
        )
    except DrawingFailedError as error:
        raise Refusal("refusal.drawing_failed", stored) from error
    except ClosedError as error:
        raise Refusal("refusal.closing") from error
    written = record.write(match, stored.names).encode()
    files = [
        discord.File(BytesIO(picture), f"{name}.gif"),
        discord.File(BytesIO(written), f"{name}.txt"),
    ]
    await answer.whisper(_export_view(stored, name, texts), files)


def _export_view(stored: StoredMatch, name: str, texts: Texts) -> ui.LayoutView:
    """Return the message with a finished match as the files `name`."""
    match = stored.match
    title = terms.title(match.game, match.options, texts)
    result = words.result(match, names_of(stored, texts), texts)
    described = texts("replay.picture", title=title, count=match.ply, result=result)
    gallery = ui.MediaGallery[ui.LayoutView](
        discord.MediaGalleryItem(f"attachment://{name}.gif", description=described)
    )
    return layout(
        ui.TextDisplay(texts("replay.export", title=title)),
        gallery,
        ui.File(f"attachment://{name}.txt"),
    )


def replay_view(stored: StoredMatch, ply: int, texts: Texts) -> ui.LayoutView:
    """Return the match as it was after `ply` moves, the end for a number beyond them."""
    match = stored.match.at(ply)
    names = names_of(stored, texts)
    lines = [
        f"### {terms.title(match.game, match.options, texts)}",
        words.players_line(match, names, texts),
        text_board(match),
        texts("replay.place", ply=match.ply, count=stored.match.ply),
        words.last_move(match, texts) or texts("replay.start"),
        words.result(match, names, texts) if match.outcome else None,
    ]
    container = ui.Container[ui.LayoutView](
        *displays("\n".join(line for line in lines if line)),
        _steps(stored, match.ply, texts),
    )
    return layout(container)


def _steps(stored: StoredMatch, ply: int, texts: Texts) -> ui.ActionRow[ui.LayoutView]:
    last = stored.match.ply
    targets = {
        Step.FIRST: (0, emoji.FIRST),
        Step.BACK: (max(ply - 1, 0), emoji.BACK),
        Step.NEXT: (min(ply + 1, last), emoji.NEXT),
        Step.LAST: (last, emoji.LAST),
    }
    buttons = []
    for step, (target, icon) in targets.items():
        going = button(texts(f"replay.{step}"), encode(Replay(stored.id, target, step)), icon=icon)
        going.disabled = target == ply
        buttons.append(going)
    exporting = button(texts("button.export"), encode(Export(stored.id)), icon=emoji.EXPORT)
    return ui.ActionRow(*buttons, exporting)


def _check(interaction: Interaction, stored: StoredMatch) -> None:
    """Raise Refusal for a match that is being played, or that the asker has no business to see."""
    place = place_of(interaction)
    if stored.place.guild_id != place.guild_id:
        raise Refusal("refusal.no_such_match")
    if not stored.match.outcome:
        raise Refusal("refusal.not_over_yet", stored)
    here = stored.place.channel_id == place.channel_id
    seated = Member(interaction.user.id) in stored.match.players
    if not (here or seated or _may_look(interaction, stored.place.channel_id)):
        raise Refusal("refusal.hidden_channel")


def _may_look(interaction: Interaction, channel_id: int) -> bool:
    """Return whether the asker can see a channel of this server, as far as that is known."""
    guild = interaction.guild
    channel = guild.get_channel_or_thread(channel_id) if guild else None
    member = interaction.user
    if channel is None or not isinstance(member, discord.Member):
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        return False
    return channel.permissions_for(member).view_channel
