"""The quantized meter as a step of NILMTK (extra ``nilm``)."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from nilmtk.node import Node

from noiseless.errors import ConfigError
from noiseless.mechanisms.families.quantizer import Quantizer


class QuantizedMeter(Node):
    """Reports the power of a meter as the mid-points of public bins.

    A preprocessing node: what comes after it sees a meter that reports in bins.

    Parameters
    ----------
    upstream : ElecMeter or Node, optional
        Where chunks come from; ``ElecMeter.load`` sets it.
    generator : iterator, optional
        The chunks of the node before, as for every node of NILMTK.
    quantizer : Quantizer
        The quantizer of powers in W, whose range is public; with ``clip`` set, a larger power is
        reported in the last bin, and without, it is an error.

    Raises
    ------
    ConfigError
        If no quantizer is given.

    Examples
    --------
    Four levels on [0, 4,000] W, two bits a reading.  With a meter of a dataset, this is
    ``meter.load(preprocessing=[QuantizedMeter(quantizer=quantizer)])``.

    >>> quantizer = Quantizer(0, 4_000, 4, clip=True)
    >>> chunk = pd.DataFrame({("power", "active"): [120.0, 1_450.0, 9_000.0]})
    >>> source = Node(generator=iter([chunk]))
    >>> next(QuantizedMeter(source, quantizer=quantizer).process())["power"]["active"].tolist()
    [500.0, 1500.0, 3500.0]
    """

    postconditions: ClassVar[dict[str, Any]] = {"preprocessing_applied": {"quantize": {}}}

    def __init__(
        self,
        upstream: Any = None,
        generator: Iterator[pd.DataFrame] | None = None,
        *,
        quantizer: Quantizer | None = None,
    ) -> None:
        if quantizer is None:
            raise ConfigError(
                "a quantized meter needs a quantizer: give `quantizer=Quantizer(0, 10_000, 4)`, "
                "its range in W."
            )
        self.quantizer = quantizer
        super().__init__(upstream, generator)

    def process(self) -> Iterator[pd.DataFrame]:
        """The chunks of the meter, every column of power in bins; a missing reading stays missing.

        Raises
        ------
        DataError
            If a power lies outside the public range and the quantizer does not clip.
        """
        for chunk in self.upstream.process():
            released = chunk.astype(
                {column: np.float64 for column in chunk.columns if _is_power(column)}
            )
            for place, column in enumerate(chunk.columns):
                if _is_power(column):
                    power = released.iloc[:, place].to_numpy(copy=True)
                    is_there = ~np.isnan(power)
                    power[is_there] = self.quantizer.release(power[is_there])
                    released.isetitem(place, power)
            # NILMTK keeps these beside the table.
            for attribute in ("timeframe", "look_ahead"):
                if hasattr(chunk, attribute):
                    object.__setattr__(released, attribute, getattr(chunk, attribute))
            yield released

    def dry_run_metadata(self) -> dict[str, Any]:
        """What the data will be like, the quantizer's settings included."""
        state = super().dry_run_metadata()
        state["preprocessing_applied"]["quantize"] = {
            "lower_w": self.quantizer.lower,
            "upper_w": self.quantizer.upper,
            "levels": self.quantizer.levels,
        }
        return state


def _is_power(column: Any) -> bool:
    """Whether a column of NILMTK, (physical quantity, type), is a power."""
    return isinstance(column, tuple) and column[0] == "power"
