"""``python -m core.match FILE``: read a record, and print the match."""

from core.match.printout import main

raise SystemExit(main())
