"""The process from which tests fork others, once it has imported all that these need.

Each process that runs tests has one, which begins with the first test that needs it. So what it
imports is the same for all.
"""

PRELOADED = [
    "bot.workers.child",
    "bot.workers.search_worker",
    "bot.pictures.worker",
    "bot.pictures.frames",
    "bot.pictures.chart",
    "tests.bot.db.dying",
    "tests.bot.engines",
    "tests.bot.prompt",
]
