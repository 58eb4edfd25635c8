"""The settings, read once from the environment or a `.env` file. `.env.example` explains them."""

import logging
import re
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import aiohttp
import yarl
from pydantic import (
    AfterValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    NoDecode,
    SettingsConfigDict,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.host_errors import LastingError
from bot.shards import Shards

# The most rated matches a day between two members, unless the host sets another number.
RATED_A_DAY = 10
_DRIVERS = ("sqlite", "sqlite+aiosqlite", "postgres", "postgresql", "postgresql+asyncpg")
_PORTS = 65_535
_ID = re.compile("[0-9]{15,18}|[1-8][0-9]{18}")  # as developer mode copies it
_NO_FILE = (None, "", ":memory:")  # each connection would have its own database in memory


def _checked_web_address(value: str) -> str:
    """Return an address that members can open; Discord links no other kind in a text."""
    if not re.fullmatch(r"https?://[^\s()<>]+", value):
        raise ValueError("not an address such as https://example.org/page")
    return value


def _checked_host(value: str) -> str:
    """Return the address or the name of a machine; an empty text would open a port to everybody."""
    try:
        ip_address(value)
    except ValueError as error:
        if not re.fullmatch(r"[\w-]{1,63}(\.[\w-]{1,63})*", value, re.ASCII):
            raise ValueError("not an address such as 127.0.0.1, nor a machine's name") from error
    return value


def _checked_proxy(value: str) -> str:
    """Return the address of an HTTP proxy; discord.py knows no other kind."""
    pattern = r"https?://([^\s/?#@\[\]\\]+@)?([\w.-]+|\[[\da-fA-F:]+\])(:(?P<port>\d+))?/?"
    found = re.fullmatch(pattern, value, re.ASCII)
    if found is None or not 0 < int(found["port"] or 80) <= _PORTS:
        raise ValueError("not an address such as http://proxy.example.org:3128")
    try:
        _authorization(yarl.URL(value))
    except ValueError as error:
        raise ValueError("a character of its user or password can't be sent to a proxy") from error
    return value


def _authorization(proxy: yarl.URL) -> str | None:
    """Return a proxy's user and password as aiohttp sends them, None if there are none.

    Raises ValueError for characters beyond Latin-1, and for a colon in the user.
    """
    given = aiohttp.BasicAuth.from_url(proxy)
    return given.encode().removeprefix("Basic ") if given else None


WebAddress: TypeAlias = Annotated[str, Field(max_length=300), AfterValidator(_checked_web_address)]


class Settings(BaseSettings):
    """The settings. Making them raises pydantic's ValidationError, which names the variable."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore")

    discord_token: SecretStr | None = None
    discord_proxy: Annotated[str, AfterValidator(_checked_proxy)] | None = None
    database_url: str = "sqlite:///rowbot.db"
    database_pool_size: Annotated[int, Field(ge=1, le=100)] = 5
    database_pool_overflow: Annotated[int, Field(ge=0, le=100)] = 10
    database_connect_seconds: Annotated[int, Field(ge=1, le=60)] = 5
    database_statement_seconds: Annotated[int, Field(ge=1, le=600)] = 10
    backup_dir: Path | None = None
    backup_keep: Annotated[int, Field(ge=1, le=365)] = 7
    backup_hour: Annotated[int, Field(ge=0, le=23)] = 3
    shards: Annotated[Shards | None, NoDecode] = None
    blocked: Annotated[frozenset[int], NoDecode] = frozenset()
    challenge_minutes: Annotated[int, Field(ge=1, le=60 * 24 * 30)] = 15
    rated_a_day: Annotated[int, Field(ge=0, le=1000)] = RATED_A_DAY
    erase_after_days: Annotated[int, Field(ge=1, le=3650)] = 30
    engine_processes: Annotated[int, Field(ge=1, le=64)] = 1
    engine_seconds: Annotated[int, Field(ge=1, le=60)] = 10
    privacy_url: WebAddress | None = None
    terms_url: WebAddress | None = None
    preview_port: Annotated[int, Field(ge=0, le=65535)] = 0
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_port: Annotated[int | None, Field(ge=0, le=65535)] = None
    metrics_host: Annotated[str, AfterValidator(_checked_host)] = "127.0.0.1"
    sentry_dsn: SecretStr | None = None

    def secrets(self) -> list[str]:
        """Return the values that no line of the log may show."""
        hidden = [s.get_secret_value() for s in (self.discord_token, self.sentry_dsn) if s]
        passwords = {make_url(self.database_url).password}
        if self.discord_proxy is not None:  # aiohttp's errors show it as written and as sent
            proxy = yarl.URL(self.discord_proxy)
            passwords |= {proxy.password, proxy.raw_password, _authorization(proxy)}
            if not proxy.password:  # a service may take a key as the user
                passwords |= {proxy.user, proxy.raw_user}
        return hidden + sorted(filter(None, passwords))

    @field_validator("*", mode="before")
    @classmethod
    def _none_if_empty(cls, value: object, known: ValidationInfo) -> object:
        empty = isinstance(value, str) and not value.strip()
        return None if empty and cls.model_fields[str(known.field_name)].default is None else value

    @field_validator("discord_token")
    @classmethod
    def _checked_token(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not value.get_secret_value().strip().isprintable():
            raise ValueError("a line break or another invisible character is in it")
        return value

    @field_validator("shards", mode="before")
    @classmethod
    def _parse_shards(cls, value: object, known: ValidationInfo) -> object:
        shards = Shards.parse(value) if isinstance(value, str) and value.strip() else value
        in_a_file = str(known.data.get("database_url")).startswith("sqlite")
        if isinstance(shards, Shards) and not shards.are_all and in_a_file:
            raise ValueError("the processes of a bot share a PostgreSQL database, not a file")
        return shards

    @field_validator("blocked", mode="before")
    @classmethod
    def _parse_blocked(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        ids = [one.strip() for one in value.split(",")] if value.strip() else []
        if wrong := [one for one in ids if not _ID.fullmatch(one)]:
            raise ValueError(f"not an id of Discord's, such as 80351110224678912: {wrong[0]!r}")
        return frozenset(map(int, ids))

    @field_validator("database_url")
    @classmethod
    def _checked_database_url(cls, value: str) -> str:
        try:
            url = make_url(value)
            (url.host or "").encode("idna")  # as a connection will
        except (ArgumentError, ValueError) as error:
            raise ValueError("not a database URL, such as sqlite:///rowbot.db") from error
        if url.drivername not in _DRIVERS or url.database in _NO_FILE or "\0" in url.database:
            raise ValueError("names no SQLite file and no PostgreSQL database")
        if "@" in (url.host or ""):  # of a password with an @, which ends at the first one
            raise ValueError("an @ in its password is written %40")
        if url.port is not None and not 0 < url.port <= _PORTS:
            raise ValueError(f"its port is not from 1 to {_PORTS}")
        named_oddly = url.query or url.database.startswith("file:")
        if named_oddly and url.get_backend_name() == "sqlite":
            raise ValueError(
                "an SQLite file is named by its path alone, such as sqlite:///rowbot.db"
            )
        return value


def read_settings() -> Settings:
    """Return the settings; raise ValidationError, or LastingError."""
    # python-dotenv logs lines that it can't parse in `doubtful`, once the log is set up.
    logging.getLogger("dotenv").setLevel(logging.ERROR)
    try:
        return Settings()
    except (UnicodeDecodeError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it isn't text in UTF-8"
        raise LastingError(f".env can't be read: {reason}.") from error


def wrong_values(error: ValidationError) -> str:
    """Return a line for each wrong value: its variable, and the rule that it breaks."""
    return "\n".join(
        f"{str(wrong['loc'][0]).upper()}: {_expected(wrong)} (see .env.example)"
        for wrong in error.errors()
    )


def _expected(wrong: ErrorDetails) -> str:
    rules = Settings.model_fields[str(wrong["loc"][0])].metadata
    match [getattr(rule, "ge", getattr(rule, "le", None)) for rule in rules]:
        case [int(least), int(most)]:
            return f"not a whole number from {least} to {most}"
    return wrong["msg"].removeprefix("Value error, ")


# An unknown variable at least this similar to a setting, from 0 to 1, counts as misspelt. The limit
# is higher in the environment, where every program leaves variables.
_ALIKE_IN_FILE, _ALIKE_IN_ENVIRONMENT = 0.55, 0.8


def doubtful() -> list[str]:
    """Return a sentence for each variable that isn't a setting, but resembles one.

    The lines of `.env` that set nothing are logged by python-dotenv.
    """
    logging.getLogger("dotenv").setLevel(logging.NOTSET)
    sources = (
        (DotEnvSettingsSource(Settings), ".env", _ALIKE_IN_FILE),
        (EnvSettingsSource(Settings), "the environment", _ALIKE_IN_ENVIRONMENT),
    )
    return [
        f"{name.upper()} in {place} is no setting; did you mean {nearest.upper()}?"
        for source, place, alike in sources
        for name in source.env_vars
        if name not in Settings.model_fields
        for nearest in get_close_matches(name, Settings.model_fields, 1, alike)
    ]
