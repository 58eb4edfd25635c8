"""Many matches of one member, written at once."""

import json
from random import Random

from sqlalchemy import insert

from bot.db.database import Database
from bot.db.tables import guilds, matches, members, seats
from bot.identity import MemberId
from tests.bot.playing import ALICE_ID, BOB_ID, NOW, SERVER


async def play_a_lot(database: Database, count: int, alice_id: MemberId = ALICE_ID) -> None:
    """Store `count` matches of alice and bob; in every tenth she sits at both seats."""
    rng = Random(1)
    squares = [f"{column}{row}" for column in "abcdefghij" for row in range(1, 11)]
    options = json.dumps({"rows": 10, "columns": 10, "line": 5, "variant": "classic"})
    async with database.begin() as connection:
        await connection.execute(insert(guilds).values(id=SERVER))
        named = {"guild_id": SERVER, "user_id": alice_id, "name": "Alice", "present": True}
        await connection.execute(insert(members).values(named))
        for first in range(1, count + 1, 1000):
            ids = range(first, min(first + 1000, count + 1))
            played = [
                {
                    "id": number,
                    "guild_id": SERVER,
                    "channel_id": 20,
                    "game": "tictactoe",
                    "options": options,
                    "start": "classic 5 " + "/".join(["." * 10] * 10),
                    "moves": " ".join(rng.sample(squares, 30)),
                    "computer_due": False,
                    "started_at": NOW,
                    "ended_at": NOW + number,
                    "ending": "agreement",
                }
                for number in ids
            ]
            await connection.execute(insert(matches), played)
            seated = [
                {
                    "match_id": number,
                    "seat": seat,
                    "user_id": alice_id if seat == 0 or number % 10 == 0 else BOB_ID,
                    "rank": seat + 1,
                    "points": 0,
                }
                for number in ids
                for seat in (0, 1)
            ]
            await connection.execute(insert(seats), seated)
