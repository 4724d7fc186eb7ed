"""Damage to a file: bytes changed, put in, doubled or cut off, but for what nobody could notice.

A number whose digits are exchanged for others is a number still, and a piece that is lost between
two numbers can make one of them.  No reader can tell, where the format has no checksum.  So within
the cells that count, a byte is not changed into one that a number may have (a digit, a sign, a
point, an exponent) nor into a blank or line end, which would shorten it; nothing of that kind is
put in; and nothing is taken out of the middle of the file.  Nor is a separator changed where
another comes in: in one line, both leave as many cells as before, with a number cut in two.  A cut
at the end of a line leaves a shorter file, which is what its readings are compared with.
"""

from hypothesis import strategies as st

NUMERIC = b"0123456789+-.eE \t\r\n"
SEPARATORS = b",;"
INSERTED = [
    b",",
    b'"',
    b",7",
    b'",',
    b'"\n',
    b'""',
    b";",
    b"x",
    b"\x00",
    b"\xff",
    b"\n",
    b"\r",
    b"<",
]

# Often near the end, where a cut leaves all days but one complete.
places = st.integers(0, 10**9) | st.integers(-40, -1)
damages = st.lists(
    st.one_of(
        st.tuples(st.just("change"), places, st.integers(0, 255)),
        st.tuples(st.just("insert"), places, st.sampled_from(INSERTED)),
        st.tuples(st.just("repeat line"), places, places),
        st.tuples(st.just("cut"), places, st.none()),
    ),
    min_size=1,
    max_size=3,
)


def draw_damages(rng):
    """One to three damages as ``damages`` has them, drawn by a generator."""
    for kind in rng.choice(["change", "insert", "repeat line", "cut"], rng.integers(1, 4)):
        place = int(rng.integers(-40, 0) if rng.random() < 0.2 else rng.integers(10**9))
        details = {
            "change": int(rng.integers(256)),
            "insert": INSERTED[rng.integers(len(INSERTED))],
            "repeat line": int(rng.integers(10**9)),
            "cut": None,
        }
        yield str(kind), place, details[kind]


def flip_bits(content, rng):
    """A copy with one to three bits flipped, which is cut off once in five times."""
    spoiled = bytearray(content)
    for place in rng.integers(len(content), size=rng.integers(1, 4)):
        spoiled[place] ^= 1 << rng.integers(8)
    return bytes(spoiled[: rng.integers(len(content)) if rng.random() < 0.2 else None])


def spoil(content, protected, what):
    """A damaged copy.

    Parameters
    ----------
    content : bytes
    protected : set of int
        Positions within the cells that count.
    what : list
        From ``damages``.
    """
    spoiled = bytearray(content)
    lines = content.splitlines(keepends=True)
    new = b"".join(
        detail if kind == "insert" else bytes([detail])
        for kind, _, detail in what
        if kind in ("insert", "change")
    )
    kept = SEPARATORS if set(new) & set(SEPARATORS) else b""
    ordered = sorted(what, key=lambda each: each[1] % len(content), reverse=True)
    for kind, place, detail in ordered:
        position = min(place % len(content), len(spoiled) - 1)
        if position < 0:
            break
        if kind == "change":
            hidden = spoiled[position] in kept or (position in protected and detail in NUMERIC)
            if not hidden:
                spoiled[position] = detail
        elif kind == "insert":
            spoiled[position:position] = detail
        elif kind == "repeat line":
            start = content.rfind(b"\n", 0, position) + 1
            spoiled[start:start] = lines[detail % len(lines)]
        else:
            del spoiled[position:]
    return bytes(spoiled)


def cells(content, columns, first_line=1):
    """Positions of the cells in some columns, the place behind each included."""
    found, start = set(), 0
    for number, line in enumerate(content.splitlines(keepends=True)):
        at = start
        for column, cell in enumerate(line.rstrip(b"\r\n").split(b",")):
            if number >= first_line and column in columns:
                found |= set(range(at, at + len(cell) + 1))
            at += len(cell) + 1
        start += len(line)
    return found
