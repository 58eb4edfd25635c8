"""Migrations of the rows of earlier versions."""

import logging
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text

from bot.db.database import open_database
from tests.bot.db.migrating import made_at


class Earlier(NamedTuple):
    """Rows of a version, and a statement with its expected result once they are migrated."""

    law: str
    revision: str
    rows: tuple[str, ...]
    asked: str
    told: list[tuple[Any, ...]]


_MATCH = "INSERT INTO matches (guild_id, game, options, start, moves, computer_due, started_at,"
_OF = "(10, 'tictactoe', '{}', '', '', false, 1000,"

EARLIER = [
    Earlier(
        # One that is over, one against the computer, one with a clock and one without.
        "a match against the computer is at most as idle as it seems, so nobody loses a channel",
        "0007",
        (
            f"""{_MATCH} id, channel_id, ended_at, deadline, due_at) VALUES
            {_OF} 1, 1, 2000, NULL, NULL), {_OF} 2, 2, NULL, NULL, 9000 + 7 * 86400),
            {_OF} 3, 3, NULL, 700000, 699940), {_OF} 4, 4, NULL, NULL, NULL)""",
        ),
        "SELECT moved_at FROM matches WHERE id < 10 ORDER BY id",
        [(2000,), (9000,), (1000,), (1000,)],
    ),
    Earlier(
        "a match without a result loses its ranks; those of others stay, and so do offers",
        "0011",
        (
            f"""{_MATCH} id, channel_id, ended_at, ending) VALUES
            {_OF} 11, 11, 2, 'called_off'), {_OF} 12, 12, 2, 'abandoned'),
            {_OF} 13, 13, 2, 'agreement'), {_OF} 14, 14, 2, NULL)""",
            """INSERT INTO seats (match_id, seat, user_id, rank)
            VALUES (11, 0, 7, 1), (12, 0, 7, 1), (13, 0, 7, 1), (14, 0, 7, 1)""",
            "INSERT INTO offers (match_id, kind, seat, ply) VALUES (14, 'rematch', 0, 0)",
        ),
        """SELECT seats.match_id, rank, kind FROM seats
        LEFT JOIN offers ON offers.match_id = seats.match_id WHERE seats.match_id < 20
        ORDER BY seats.match_id""",
        [(11, None, None), (12, None, None), (13, 1, None), (14, 1, "rematch")],
    ),
    Earlier(
        "whatever boards were to be removed still are",
        "0020",
        (
            f"""{_MATCH} id, channel_id, ended_at, ending, old_boards) VALUES
            {_OF} 21, 21, 2, 'agreement', ' 1456074443980800045 46'),
            {_OF} 22, 22, 2, 'agreement', '47'), {_OF} 23, 23, 2, 'agreement', '')""",
        ),
        "SELECT message_id, match_id FROM old_boards ORDER BY message_id",
        [(46, 21), (47, 22), (1456074443980800045, 21)],
    ),
    Earlier(
        # That message was sent at 1767225600.
        "a match that changed after its board was sent has a board of an earlier state",
        "0032",
        (
            f"""{_MATCH} id, channel_id, board_id, moved_at) VALUES
            {_OF} 31, 31, 1456074443980800045, 1767225601),
            {_OF} 32, 32, 1456074443980800045, 1767225600)""",
        ),
        "SELECT id FROM matches WHERE shown < revision AND board_id IS NOT NULL",
        [(31,)],
    ),
    Earlier(
        "the solvers of a puzzle are counted, also if its post has told of fewer",
        "0035",
        (
            """INSERT INTO puzzles (id, guild_id, game, difficulty, start, line, day, told)
            VALUES (1, 10, 'tictactoe', 'easy', '', '', 9, 1),
                   (2, 11, 'tictactoe', 'easy', '', '', 9, 1)""",
            """INSERT INTO puzzle_tries (puzzle_id, user_id, guild_id, opened_at, solved) VALUES
            (1, 1, 10, 1, true), (1, 2, 10, 1, false), (2, 1, 11, 1, true), (2, 2, 11, 1, true)""",
        ),
        "SELECT id, told, solvers FROM puzzles ORDER BY id",
        [(1, 1, 1), (2, 1, 2)],
    ),
    Earlier(
        "a match that is stored anew keeps its series and its seats",
        "0037",
        (
            f"""{_MATCH} id, channel_id, series_id) VALUES
            {_OF} 41, 41, NULL), {_OF} 42, 42, 41)""",
            "INSERT INTO seats (match_id, seat, user_id) VALUES (41, 0, 7), (42, 0, 8)",
        ),
        """SELECT match_id, series_id, user_id FROM matches JOIN seats ON match_id = id
        WHERE id IN (41, 42) ORDER BY id""",
        [(41, None, 7), (42, 41, 8)],
    ),
    Earlier(
        # In 51 another ply has come since, and the draw was asked for twice; in 52 a draw has only
        # the question of another seat, and the question for a restart has no offer.
        "an offer has its last question; other questions still lose their buttons",
        "0040",
        (
            f"{_MATCH} id, channel_id) VALUES {_OF} 51, 51), {_OF} 52, 52)",
            """INSERT INTO offers (match_id, kind, seat, ply, agreeing) VALUES
            (51, 'draw', 0, 3, true), (51, 'draw', 2, 3, false), (51, 'draw', 1, 2, false),
            (51, 'undo', 1, 3, false), (52, 'draw', 0, 1, false)""",
            """INSERT INTO questions (match_id, message_id, kind, seat) VALUES
            (51, 6, 'draw', 2), (51, 7, 'draw', 1), (51, 8, 'draw', 2), (51, 9, 'undo', 1),
            (52, 4, 'draw', 1), (52, 5, 'restart', 0)""",
        ),
        """SELECT match_id, kind, ply, wanting, message_id FROM offers WHERE match_id > 50
        ORDER BY match_id, kind, coalesce(message_id, 0)""",
        [
            (51, "draw", None, "2", 6),
            (51, "draw", None, "1", 7),
            (51, "draw", 3, "20", 8),
            (51, "undo", 3, "1", 9),
            (52, "draw", 1, "0", None),
            (52, "draw", None, "1", 4),
            (52, "restart", None, "0", 5),
        ],
    ),
    Earlier(
        "a member keeps all of their own settings",
        "0042",
        (
            "INSERT INTO member_settings (user_id, board) VALUES (61, 'words'), (62, 'picture')",
            "INSERT INTO member_everywhere (user_id, shown) VALUES (61, 'hidden'), (63, 'named')",
            "INSERT INTO member_challenges (user_id, challengers) VALUES (61, 'nobody')",
        ),
        """SELECT user_id, board, shown, challengers FROM member_settings WHERE user_id > 60
        ORDER BY user_id""",
        [
            (61, "words", "hidden", "nobody"),
            (62, "picture", None, None),
            (63, None, "named", None),
        ],
    ),
    Earlier(
        "an invitation was made long ago",
        "0044",
        (
            """INSERT INTO invitations (id, guild_id, channel_id, owner_id, owner_name, game,
            options, status, expires_at, revision, pressable)
            VALUES (71, 1, 71, 1, 'Ada', 'tictactoe', '{}', 'open', 900, 0, true)""",
        ),
        "SELECT created_at, expires_at FROM invitations WHERE id = 71",
        [(0, 900)],
    ),
    Earlier(
        # One without a clock, one with a clock, one of a player alone, one archived, one over.
        "a match between members without a clock is archived a month after its last move",
        "0047",
        (
            f"""{_MATCH} id, channel_id, moved_at, clock, deadline, due_at, put_away_at, ended_at)
            VALUES {_OF} 81, 81, 7201, NULL, NULL, NULL, NULL, NULL),
            {_OF} 82, 82, 7201, 60, 7261, 7261, NULL, NULL),
            {_OF} 83, 83, 7201, NULL, NULL, 612000, NULL, NULL),
            {_OF} 84, 84, 7201, NULL, NULL, NULL, 9000, NULL),
            {_OF} 85, 85, 7201, NULL, NULL, NULL, NULL, 7201)""",
        ),
        "SELECT id, due_at FROM matches WHERE id > 80 ORDER BY id",
        [(81, 10800 + 30 * 86400), (82, 7261), (83, 612000), (84, None), (85, None)],
    ),
    Earlier(
        "members who have a role had joined by now, and a role that isn't confirmed stays so",
        "0051",
        (
            """INSERT INTO given_roles (guild_id, role_id, user_id, held)
            VALUES (1, 1, 91, true), (1, 1, 92, false)""",
        ),
        "SELECT user_id, joined_at > 1750000000 FROM given_roles ORDER BY user_id",
        [(91, True), (92, None)],
    ),
]


async def test_earlier_rows(url: str, caplog: pytest.LogCaptureFixture) -> None:
    """Each of the statements holds; the database is migrated only once, and the log says so."""
    for one in EARLIER:
        await made_at(url, one.revision, *one.rows)
    caplog.set_level(logging.INFO, "bot")
    for _ in range(2):
        async with open_database(url) as engine, engine.connect() as connection:
            told = {
                one.law: [tuple(row) for row in await connection.execute(text(one.asked))]
                for one in EARLIER
            }
            newest = await connection.execute(text("SELECT version_num FROM alembic_version"))
    assert told == {one.law: one.told for one in EARLIER}
    assert caplog.messages == [
        "the database is being brought up to date"
        f" (migrations: {int(newest.scalar_one()) - int(EARLIER[-1].revision)})"
    ]
