"""Nonces, by which Discord makes only one message of a message that is sent twice."""

from hypothesis import given
from hypothesis import strategies as st

from bot.gateway.channels import nonce_of
from tests.texts import ANY

SUBJECTS = st.lists(st.text(ANY) | st.integers() | st.tuples(st.integers()), min_size=1)


@given(about=SUBJECTS)
def test_discord_takes_it(about: list[object]) -> None:
    """A nonce is a number above 0, with at most the 25 digits that Discord takes."""
    assert nonce_of(*about) > 0
    assert len(str(nonce_of(*about))) <= 25


@given(about=SUBJECTS, other=SUBJECTS)
def test_it_stands_for_what_the_message_is_about(about: list[object], other: list[object]) -> None:
    """The same subject gives the same nonce, and another subject another one."""
    assert (nonce_of(*about) == nonce_of(*other)) == (about == other)
