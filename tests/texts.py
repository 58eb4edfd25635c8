"""Texts of any characters, for laws."""

from hypothesis import strategies as st

# All that UTF-8 can write. Hypothesis's own alphabet is the same, but to make it takes each process
# of a fresh clone a second and a half.
ANY = st.characters(exclude_categories=["Cs"])
