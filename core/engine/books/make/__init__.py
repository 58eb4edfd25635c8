"""The makers of the books of first moves. Nothing here is imported at run time.

    python -m core.engine.books.make            makes every book anew
    python -m core.engine.books.make LABEL ...  makes these, such as classic-4-5x5

It takes a C compiler (`cc`). Most books take seconds or minutes, classic-4-6x6 half an hour and 1.3
GB of memory.
"""
