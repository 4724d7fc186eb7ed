"""Labels of mechanisms, adversaries and other keys in figures, and their order.

The labels of mechanisms, adversaries and accounting are defined beside these, in
:mod:`noiseless.mechanisms.labels`, :mod:`noiseless.adversaries.labels` and
:mod:`noiseless.accounting.labels`, so that one thing has one name in all figures and captions.  The
keys are those of the tables; a key without a label is shown as it is, after all keys with a label.
"""

from collections.abc import Iterable, Mapping


def get_label(names: Mapping[str, str], key: str) -> str:
    """Return the label of a key, or the key itself if it has no label."""
    return names.get(key, key)


def sort_by_label(names: Mapping[str, object], keys: Iterable[str]) -> list[str]:
    """Sort distinct keys in the order of the labels; keys without a label come last."""
    present = dict.fromkeys(keys)
    return [
        *(key for key in names if key in present),
        *(key for key in present if key not in names),
    ]
