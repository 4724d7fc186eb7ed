"""Write noiseless.yaml: the direct dependencies at the versions of requirements.lock, for conda."""

import re
import tomllib
from itertools import chain
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def render_environment() -> str:
    """Render the conda environment file that pins direct dependencies to the lock's versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==([^\s\\;]+)", lock, flags=re.MULTILINE))
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *chain(*extras.values())]
    found = [re.match(r"[\w.-]+(\[\w+\])?", each).group() for each in wanted]
    # An extra may list another extra of the project, which is no package.
    names = dict.fromkeys(name for name in found if name.split("[")[0] != project["name"])
    pins = [f"{name}=={locked[name.split('[')[0]]}" for name in names]
    lines = [
        "# Written by `make lock`: the direct dependencies at the versions of requirements.lock.",
        "name: noiseless",
        "channels: [conda-forge]",
        "dependencies:",
        "  - python=3.11",
        "  - pip",
        "  - pip:",
        *(f"      - {pin}" for pin in pins),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (HERE / "noiseless.yaml").write_text(render_environment(), encoding="utf-8")
