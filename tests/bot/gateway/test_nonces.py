"""Nonces, by which Discord makes only one message of a message that is sent twice."""

from hypothesis import given
from hypothesis import strategies as st

from bot.gateway.channels import nonce_of
from tests.texts import ANY

SUBJECTS = st.lists(st.text(ANY) | st.integers() | st.tuples(st.integers()), min_size=1)


@given(about=SUBJECTS)
def test_discord_takes_a_nonce(about: list[object]) -> None:
    """A nonce is a number above 0, with at most the 25 digits that Discord takes."""
    assert nonce_of(*about) > 0
    assert len(str(nonce_of(*about))) <= 25


@given(about=SUBJECTS, other=SUBJECTS)
def test_a_nonce_stands_for_the_subject_of_its_message(
    about: list[object], other: list[object]
) -> None:
    """The same subject gives the same nonce, and another subject another one."""
    assert (nonce_of(*about) == nonce_of(*other)) == (about == other)
