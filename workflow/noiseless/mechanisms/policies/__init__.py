"""Blurring policies by name.

Each is a module of this folder with the class ``POLICY``, a
:class:`~noiseless.mechanisms.blurring.Blurring`; nothing else lists it.  Experiments and figures
take them from here.
"""

import sys
from functools import cache
from typing import TYPE_CHECKING

from noiseless.mechanisms.discovery import load_classes

if TYPE_CHECKING:
    from noiseless.mechanisms.blurring import Blurring


@cache
def load_blurring_policies() -> dict[str, type["Blurring"]]:
    """Load the blurring policies by name, in the order of tables."""
    return load_classes(sys.modules[__name__], "POLICY")
