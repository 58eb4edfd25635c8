"""What is stored about a member: handed out, and erased; and a server that the bot has left."""

import json
from typing import Any

from bot.client import Rowbot
from tests.discord.world import World, ids, refused, text

ALICE_WINS = "a1 b1 a2 b2 a3"
_DAY = 86_400
_TABLES = (
    "matches seats offers invitations invitation_seats ratings standings members guilds".split()
)


async def handed_out(world: World) -> dict[str, Any]:
    """Return what alice gets when she asks for her data."""
    result = await world.alice.slash(world.channel, "mydata export")
    assert result.response is not None and result.response.ephemeral
    found: dict[str, Any] = json.load((await world.files(result))["rowbot-data.json"])
    return found


async def erase(world: World) -> str:
    """Let alice erase herself; return what she is told in the end."""
    asked = await world.alice.slash(world.channel, "mydata delete")
    assert asked.response is not None and asked.response.ephemeral
    await world.alice.click(asked.response, label="Yes, delete my data")
    return text(asked.response)


async def test_the_export_holds_all_that_is_stored(world: World) -> None:
    """Matches, ratings, standings, names and challenges of the member; of nobody else."""
    await world.challenge()
    await world.play(ALICE_WINS)
    await world.bob.slash(world.channel, "play tictactoe", against=world.alice)
    found = await handed_out(world)
    assert found["user_id"] == world.alice.id
    (match,) = found["matches"]
    assert match["moves"] == ALICE_WINS and match["your_rank"] == 1
    assert match["options"]["rows"] == 3
    assert [rating["game"] for rating in found["ratings"]] == ["tictactoe"]
    assert {s["period"] for s in found["standings"]} >= {""}
    assert [i["you_invited"] for i in found["invitations"]] == [True, False]
    assert [called["name"] for called in found["called"]] == ["alice"]
    everything = json.dumps(found)
    assert str(world.bob.id) not in everything and "bob" not in everything


async def test_a_stranger_has_an_empty_export(world: World) -> None:
    """Whoever never played gets a file that says so."""
    found = await handed_out(world)
    assert found["matches"] == found["ratings"] == found["called"] == []


async def test_deleting_leaves_the_others_what_they_have(world: World, simcord_bot: Rowbot) -> None:
    """The seats become a former player's; bob's result and rating stay; nothing leads to alice."""
    for _ in range(5):
        await world.challenge()
        await world.play(ALICE_WINS)
    await world.alice.slash(world.channel, "play tictactoe", against=world.carol)
    bob = "SELECT * FROM {} WHERE user_id = " + str(world.bob.id)
    before = [await world.sql(bob.format(table)) for table in ("ratings", "standings")]
    assert "Done" in await erase(world)
    assert before == [await world.sql(bob.format(table)) for table in ("ratings", "standings")]
    stored = await world.stored()
    assert stored.match.players[0].id < 0 and stored.names == (None, "bob")  # type: ignore[union-attr]
    for table in _TABLES:
        kept = str(await world.sql(f"SELECT * FROM {table}"))
        assert str(world.alice.id) not in kept and "alice" not in kept, table
    listed = await world.bob.slash(world.channel, "history")
    assert "a former player" in text(listed)
    board = text(await world.bob.slash(world.channel, "leaderboard"))
    assert "#1 **bob**" in board and "former" not in board
    assert (await handed_out(world))["matches"] == []


async def test_ratings_follow_from_former_players_too(world: World, simcord_bot: Rowbot) -> None:
    """After a member was erased, working all out anew still gives the same numbers."""
    from bot.ratings.rerate import rerate

    for _ in range(3):
        await world.challenge()
        await world.play(ALICE_WINS)
    await erase(world)
    tables = ("ratings", "standings", "seats")
    before = [sorted(map(tuple, await world.sql(f"SELECT * FROM {t}"))) for t in tables]
    engine = simcord_bot.services.matches.store._engine  # noqa: SLF001
    async with engine.begin() as connection:
        assert await connection.run_sync(rerate) == 3
    assert before == [sorted(map(tuple, await world.sql(f"SELECT * FROM {t}"))) for t in tables]


async def test_deleting_resigns_what_is_being_played(world: World) -> None:
    """Whoever waits for the erased member wins, and sees it."""
    await world.challenge()
    for ply, square in enumerate("a1 b1 a2 b2".split()):
        await world.press((world.alice, world.bob)[ply % 2], square)
    await erase(world)
    final = text(world.last)
    assert "bob** wins" in final and "a former player" in final and "alice" not in final


async def test_deleting_is_asked_once_more(world: World) -> None:
    """Nothing happens without the second word, and nobody says it for another."""
    await world.challenge()
    await world.play(ALICE_WINS)
    asked = await world.alice.slash(world.channel, "mydata delete")
    assert len((await handed_out(world))["matches"]) == 1
    assert asked.response is not None
    (custom_id,) = ids(asked.response)
    message = await world.made_up(custom_id)
    assert "isn't your button" in refused(await world.bob.click(message, custom_id=custom_id))
    assert len((await handed_out(world))["matches"]) == 1


async def test_playing_again_after_deleting(world: World) -> None:
    """Who was erased is a newcomer, and the old series is over."""
    await world.challenge()
    await world.play(ALICE_WINS)
    await erase(world)
    await world.challenge()
    await world.play(ALICE_WINS)
    final = text(world.last)
    assert "Series: **alice** 1 – **bob** 0" in final and "a former player" not in final


# --- servers


async def test_a_server_is_erased_after_a_while(world: World, simcord_bot: Rowbot) -> None:
    """Removed from a server, the bot keeps its data for thirty days; that of others stays."""
    elsewhere = World(world.env)
    for each in (world, elsewhere):
        await each.challenge()
        await each.play(ALICE_WINS)
    world.env.backend.remove_guild(elsewhere.guild.id)
    await world.env.settle()
    gone = f"SELECT count(*) FROM matches WHERE guild_id = {elsewhere.guild.id}"
    await removed_earlier(world, 29)
    assert await world.sql(gone) == [(1,)]
    await removed_earlier(world, 2)
    assert await world.sql(gone) == [(0,)]
    for table in ("ratings", "standings", "members", "invitations"):
        kept = await world.sql(f"SELECT DISTINCT guild_id FROM {table}")
        assert [row[0] for row in kept] == [world.guild.id], table
    assert await world.sql("SELECT count(*) FROM seats") == [(2,)]


async def removed_earlier(world: World, days: int) -> None:
    """Let a removal be so many days older, and the bot look."""
    await world.sql(f"UPDATE guilds SET removed_at = removed_at - {days * _DAY}")
    await world.env.restart_bot()


async def test_coming_back_in_time_keeps_everything(world: World, simcord_bot: Rowbot) -> None:
    """A server that the bot comes back to before it is erased is as it was."""
    await world.challenge()
    await world.play(ALICE_WINS)
    privacy = simcord_bot.services.privacy
    await privacy.note_servers([])
    await privacy.note_servers([world.guild.id])
    await privacy.note_server(world.guild.id, present=False)
    await privacy.note_server(world.guild.id, present=True)
    await removed_earlier(world, 40)
    assert await world.sql("SELECT count(*) FROM matches") == [(1,)]


async def test_removed_while_the_bot_was_away(world: World, simcord_bot: Rowbot) -> None:
    """The next start finds out."""
    await world.challenge()
    await simcord_bot.services.privacy.note_servers([])
    assert (await world.sql("SELECT removed_at IS NULL FROM guilds"))[0][0] == 0
