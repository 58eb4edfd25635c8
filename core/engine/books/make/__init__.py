"""The makers of the books and tablebases. Nothing here is imported at run time.

    python -m core.engine.books.make           makes every file anew
    python -m core.engine.books.make FILE ...  makes these, such as classic-4-5x5.book

Books take a C compiler (`cc`). Most take seconds or minutes, classic-4-6x6 half an hour and 1.3 GB
of memory, drops-4-6x7 ten minutes and 2.5 GB; a tablebase takes a tenth of a second.
"""
