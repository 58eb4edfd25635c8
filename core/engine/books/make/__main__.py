"""Make the books whose labels are given, or all."""

import sys

from core.engine.books.make.generator import main

main(sys.argv[1:])
