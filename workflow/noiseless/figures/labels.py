"""How anything with a label is shown and ordered.

The labels of mechanisms, adversaries and accounting stand beside them, in
:mod:`noiseless.mechanisms.labels`, :mod:`noiseless.adversaries.labels` and
:mod:`noiseless.accounting.labels`, so that one thing has one name in all figures and captions.  The
keys are those of the tables; a key without a label is its own, and comes after those that have one.
"""

from collections.abc import Iterable, Mapping


def label(names: Mapping[str, str], key: str) -> str:
    """What a key is called: its label, or the key itself where it has none."""
    return names.get(key, key)


def in_order(names: Mapping[str, object], keys: Iterable[str]) -> list[str]:
    """Different keys, those with a label first and in the order of the labels."""
    present = dict.fromkeys(keys)
    return [
        *(key for key in names if key in present),
        *(key for key in present if key not in names),
    ]
