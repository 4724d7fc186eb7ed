"""Tables of text as a loop over their characters and Python's ``float`` read them."""

import math

from hypothesis import strategies as st

# --- What a table of text says ----------------------------------------------------------------


def split_rows(text):
    """Split a text into rows that are not blank: their first lines, cells and line ends.

    A row whose quotation marks are misplaced has no cells, and is the last one.
    """
    rows, cells, cell, state, line, first = [], [], "", "start", 1, 1
    for character in text.replace("\r\n", "\n").replace("\r", "\n"):
        line += character == "\n"
        if state == "quoted":
            state = "closed" if character == '"' else "quoted"
            cell += character if state == "quoted" else ""
        elif character == "\n":
            if cells or state != "start":
                rows.append((first, [*cells, cell], True))
            cells, cell, state, first = [], "", "start", line
        elif character == ",":
            cells, cell, state = [*cells, cell], "", "start"
        elif character == '"' and state in ("start", "closed"):
            cell += '"' if state == "closed" else ""
            state = "quoted"
        elif character == '"' or state == "closed":
            return [*rows, (first, [], True)]
        else:
            cell, state = cell + character, "plain"
    if state == "quoted":
        return [*rows, (first, [], True)]
    if cells or state != "start":
        rows.append((first, [*cells, cell], state == "closed"))
    return rows


def parse_number(cell):
    """Parse a cell as the number that ``float`` reads in ASCII digits; NaN if it is none."""
    plain = cell.strip(" \t")
    if plain.lower() in {sign + word for sign in ("", "+", "-") for word in ("inf", "infinity")}:
        return math.inf
    try:
        return float(plain) if set(plain) <= set("0123456789+-.eE") else math.nan
    except ValueError:
        return math.nan


# --- Cells that are drawn ---------------------------------------------------------------------

NUMBERS = (
    st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.integers(-999, 999).map(str)
    | st.sampled_from(
        ["+1", ".5", "5.", "1e5", "1E-5", " 7 ", "\t8", "-0.0", "0" * 40 + "1", "9" * 40]
    )
)
# Many are numbers to someone: to Python, to a spreadsheet, or to people of another country.
WORDS = st.sampled_from(
    [
        *("1_0", "0x10", "1 0", "+-1", "1e", "1,5", "-nan", "nan", "inf", "-Infinity", "1e999"),
        *("\N{ARABIC-INDIC DIGIT THREE}", "\N{MINUS SIGN}1", "\x0b2", "many", " ", "Null"),
    ]
) | st.text("0123456789.+-eE_ ,xn\x0b\u0663", max_size=6)
