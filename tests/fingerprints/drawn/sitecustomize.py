"""Notes the numbers that every saved figure shows, for a run with this folder on PYTHONPATH.

They go to ``$DRAWN/<folder>/<figure>.json``: the coordinates of all lines, points, bars, patches
and pictures, to six digits, sorted.  Words, colours and layout are not noted.
"""

import importlib.abc
import importlib.machinery
import json
import os
import sys
from pathlib import Path


def _shown(figure) -> list[str]:
    import numpy as np

    def row(kind, *arrays):
        arrays = [np.ma.filled(np.ma.asarray(array, dtype=float), np.nan) for array in arrays]
        return " ".join([kind, *(f"{x:.5e}" for array in arrays for x in array.ravel())])

    rows = []
    for axis in figure.get_axes():
        rows += [row("line", *line.get_data()) for line in axis.lines]
        rows += [
            row("patch", patch.get_path().vertices, patch.get_patch_transform().get_matrix())
            for patch in axis.patches
        ]
        for collection in axis.collections:
            rows.append(row("paths", *(path.vertices for path in collection.get_paths())))
            rows.append(row("places", collection.get_offsets()))
            if collection.get_array() is not None:
                rows.append(row("values", collection.get_array()))
        rows += [row("picture", image.get_array()) for image in axis.images]
    return sorted(rows)


class _Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "matplotlib.figure":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            save = module.Figure.savefig

            def savefig(self, target, **settings):
                target = Path(target)
                if target.suffix == ".png":
                    name = target.name.removeprefix(".").split(".")[0]
                    note = Path(os.environ["DRAWN"]) / target.parent.name / f"{name}.json"
                    note.parent.mkdir(parents=True, exist_ok=True)
                    note.write_text(json.dumps(_shown(self)))
                return save(self, target, **settings)

            module.Figure.savefig = savefig

        spec.loader.exec_module = exec_module
        return spec


if "DRAWN" in os.environ:
    sys.meta_path.insert(0, _Watch())
