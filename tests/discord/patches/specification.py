"""The bodies of the bot's requests, held against Discord's own specification.

simcord accepts much that Discord refuses, such as a nonce of 27 characters. Discord publishes an
OpenAPI specification of its API, <https://github.com/discord/discord-api-spec>, under the licence
beside our excerpt of it, `tests/golden/discord/requests.json`. To renew the excerpt from a newer
`specs/openapi.json`:

    python -m tests.discord.patches.specification openapi.json
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeAlias

from jsonschema_rs import Draft202012Validator, ValidationError
from simcord.http import router

Json: TypeAlias = Any

_PATH = Path(__file__).parents[2] / "golden" / "discord" / "requests.json"
_REQUESTS = (
    ("POST", "/channels/{channel_id}/messages"),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"),
    ("POST", "/channels/{channel_id}/threads"),
    ("PATCH", "/channels/{channel_id}"),
    ("POST", "/users/@me/channels"),
    ("POST", "/interactions/{interaction_id}/{interaction_token}/callback"),
    ("POST", "/webhooks/{webhook_id}/{webhook_token}"),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original"),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"),
    ("PUT", "/applications/{application_id}/commands"),
)
# What Discord accepts although its specification doesn't say so: ids as numbers, which discord.py
# sends, and media channels.
_ALSO = {
    "SnowflakeType": {"type": "integer"},
    "ChannelTypes": {"const": 16},
}
_PROSE = ("description", "title")
# The line breaks within a schema: the excerpt has each schema on one line.
_WITHIN = re.compile(r"\n(?: {4,}| {3}(?=[]}]))")


class Specification:
    """Discord's specification of the bodies of requests; it collects what was found wrong."""

    def __init__(self, path: Path):
        self._path = path
        self._found: list[str] = []
        self._commands: Json = None

    def check(self, method: str, path: str, body: Json) -> None:
        """Note what Discord would refuse in the body of a request.

        The bots of nearly all tests send the same commands, and these are checked once.
        """
        if body in (None, self._commands) or (validator := self._validator(method, path)) is None:
            return
        if isinstance(body, list) and validator.is_valid(body):
            self._commands = body
        for error in validator.iter_errors(body):
            for one in _innermost(error):
                where = "/".join(str(step) for step in one.instance_path)
                self._found.append(f"{method} {path}: {where}: {one.message[:200]}")

    def found(self) -> list[str]:
        """Return what was found wrong since the last call."""
        found, self._found = self._found, []
        return found

    def _validator(self, method: str, path: str) -> Draft202012Validator | None:
        for number, (of_method, template) in enumerate(_REQUESTS):
            if of_method == method and _pattern(template).fullmatch(path):
                return self._validators[number]
        return None

    @cached_property
    def _validators(self) -> Sequence[Draft202012Validator]:
        excerpt = json.loads(self._path.read_text())
        components = excerpt["components"]
        bodies = (excerpt["bodies"][f"{method} {path}"] for method, path in _REQUESTS)
        return [Draft202012Validator({**body, "components": components}) for body in bodies]


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/@]+", template))


def _innermost(error: ValidationError) -> Iterator[ValidationError]:
    """Yield the errors of the alternative that was probably meant, if none of several fits."""
    alternatives: Sequence[Sequence[ValidationError]] = getattr(error.kind, "context", ())
    if not alternatives:
        yield error
        return
    for one in min(alternatives, key=_unlikely):
        yield from _innermost(one)


def _unlikely(errors: Sequence[ValidationError]) -> tuple[bool, int]:
    """Return how unlikely it is that an alternative with these errors was meant."""
    paths = [list(error.instance_path) for error in errors]
    of_another_type = any(error.kind.name == "type" for error in errors)
    return of_another_type or any(path[-1:] == ["type"] for path in paths), -max(map(len, paths))


def excerpt_of(specification: Json) -> Json:
    """Return the bodies of our requests, and the schemas that they refer to."""
    bodies = {
        f"{method} {path}": _plain(
            specification["paths"][path][method.lower()]["requestBody"]["content"]
        )["application/json"]["schema"]
        for method, path in _REQUESTS
    }
    schemas: dict[str, Json] = {}
    ahead = list(_references(bodies))
    while ahead:
        name = ahead.pop()
        if name not in schemas:
            schema = _plain(specification["components"]["schemas"][name])
            schemas[name] = {"anyOf": [schema, _ALSO[name]]} if name in _ALSO else schema
            ahead += _references(schema)
    return {
        "bodies": bodies,
        "components": {"schemas": schemas},
        "licence": "MIT License, Copyright 2023 Discord",
        "source": "https://github.com/discord/discord-api-spec",
    }


def _plain(node: Json) -> Json:
    """Return a part of the specification without prose; properties called like prose stay."""
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _plain(value)
        for key, value in node.items()
        if not (key in _PROSE and isinstance(value, str))
    }


def _references(node: Json) -> Iterator[str]:
    """Yield the names of the schemas to which a part refers."""
    if isinstance(node, dict):
        if isinstance(name := node.get("$ref"), str):
            yield name.rpartition("/")[2]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for item in node:
            yield from _references(item)


SPECIFICATION = Specification(_PATH)


def checking(dispatch: Callable[..., Any]) -> Callable[..., Any]:
    """Return simcord's `dispatch`, which now checks the body of each request first."""

    def checked(backend: Any, method: str, path: str, **sent: Any) -> Any:
        SPECIFICATION.check(method, path, sent.get("json"))
        return dispatch(backend, method, path, **sent)

    return checked


def install() -> None:
    """Check what is sent to simcord."""
    vars(router)["dispatch"] = checking(router.dispatch)


if __name__ == "__main__":
    written = excerpt_of(json.loads(Path(sys.argv[1]).read_text()))
    _PATH.write_text(_WITHIN.sub("", json.dumps(written, indent=1, sort_keys=True)) + "\n")
