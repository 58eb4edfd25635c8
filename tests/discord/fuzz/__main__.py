"""The command line of the fuzzer."""

from tests.fuzzing import command

from . import __doc__ as described
from .run import FuzzOfPlaces

if __name__ == "__main__":
    command.main(FuzzOfPlaces, described, steps=1000)
