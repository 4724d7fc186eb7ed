"""A statement of a paper is a function beside its words.

1. :mod:`.registry`: how a section of a paper says what is printed, and which function decides it.
2. :mod:`.findings`: what such a function returns: ``for_all``, ``equals``, ``bounded``, ``rises``,
   ``falls``, ``within``, ``as_printed``.
3. :mod:`.running`: a paper's statements, run; what they found as a file.
4. :mod:`.verdicts`: findings of a paper, judged together; the typed ledger.
5. :mod:`.sentences`: what becomes of a printed sentence, from the verdicts on its readings.
6. :mod:`.words`: the words for all of these, in one table each.
7. :mod:`.counts`: how many cases each statement had, and how many could have failed.
"""

from noiseless.statements.cells import list_estimates, select, widen
from noiseless.statements.findings import (
    Estimate,
    Finding,
    Margin,
    PrintedTable,
    agrees,
    all_of,
    as_printed,
    at_most,
    bounded,
    equal,
    equals,
    falls,
    find_some,
    for_all,
    hold,
    holds,
    less,
    rises,
    within,
)
from noiseless.statements.registry import (
    Category,
    DataUse,
    Drawn,
    Kind,
    Limit,
    Paper,
    Part,
    Sets,
    Source,
    corrects,
    draw,
    parse_data,
    table,
    table_of_each,
    universe,
)

__all__ = [
    "Category",
    "DataUse",
    "Drawn",
    "Estimate",
    "Finding",
    "Kind",
    "Limit",
    "Margin",
    "Paper",
    "Part",
    "PrintedTable",
    "Sets",
    "Source",
    "agrees",
    "all_of",
    "as_printed",
    "at_most",
    "bounded",
    "corrects",
    "draw",
    "equal",
    "equals",
    "falls",
    "find_some",
    "for_all",
    "hold",
    "holds",
    "less",
    "list_estimates",
    "parse_data",
    "rises",
    "select",
    "table",
    "table_of_each",
    "universe",
    "widen",
    "within",
]
