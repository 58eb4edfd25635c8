"""The pages of a list, which are numbered from 0."""


def page_of(number: int, count: int, size: int) -> tuple[int, int]:
    """Return the page of `size` lines that a number stands for, and how many pages there are.

    It is the last page if the number is too great. A list of `count` lines has at least one page.
    """
    pages = max(1, -(-count // size))
    return min(number, pages - 1), pages
