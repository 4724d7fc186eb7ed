"""Write config/config.yaml and the table of keys in config/README.md from the model of the keys."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from noiseless.pipeline.configuration import SCHEMA, defaults, described
from noiseless.settings import Schema, load_yaml

CONFIG = Path(__file__).resolve().parents[2] / "config"
START, END = "<!-- keys: written by `make docs` -->\n", "<!-- end of keys -->\n"
WIDTH = 100
HEAD = """\
# Paper scale. Written by `make docs` from the settings.py of each paper, where the defaults are;
# every key with its meaning and unit: config/README.md. To change some keys for a run, put them
# into a file of your own, and pass it: make paper CONFIG=my.yaml
"""


def configuration() -> str:
    """Every key with its default, and the first sentence of its meaning where there is room."""
    return HEAD + "".join(f"{line}\n" for line in lines(SCHEMA, defaults()))


def lines(schema: Schema, values: dict[str, Any], indent: str = "") -> Iterator[str]:
    """Lines of YAML of a section."""
    for name, key in schema["properties"].items():
        if not indent:
            yield ""
        if "properties" in key and not is_short(key):
            yield commented(f"{indent}{name}:", key)
            yield from lines(key, values[name], f"{indent}  ")
        else:
            yield commented(f"{indent}{name}: {flow(values[name])}", key)


def is_short(section: Schema) -> bool:
    """Whether a section stands on one line: a grid, or the like."""
    return set(section["properties"]) == {"lowest", "highest", "points"}


def commented(line: str, key: Schema) -> str:
    """A line, and a comment behind it if that fits."""
    sentence = re.split(r"(?<!Fig)(?<!Figs)\. ", key["description"])[0].removesuffix(".")
    both = f"{line} # {sentence}"
    return both if len(both) <= WIDTH else line


def flow(value: Any) -> str:
    """A value as one writes it in YAML, on one line."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10**6, sort_keys=False)
    return text.removesuffix("\n...\n").strip()


def value_at(config: Any, name: str) -> str:
    """Value of a key; nothing for one with others below, or absent."""
    for part in name.split("."):
        if not isinstance(config, dict) or part not in config:
            return ""
        config = config[part]
    return "" if isinstance(config, dict) else f"`{json.dumps(config)}`"


def table() -> str:
    """The table of keys, in Markdown."""
    paper, smoke = defaults(), load_yaml(CONFIG / "smoke.yaml")
    rows = [
        f"| `{name}` | {meaning} | {value_at(paper, name)} | {value_at(smoke, name)} |"
        for name, meaning in described()
    ]
    head = ["| key | meaning and unit | default | `smoke.yaml` |", "|---|---|---|---|"]
    return "\n".join(head + rows) + "\n"


def updated_readme() -> str:
    """config/README.md with its table of keys made anew."""
    before, rest = (CONFIG / "README.md").read_text(encoding="utf-8").split(START)
    _, after = rest.split(END)
    return before + START + table() + END + after


if __name__ == "__main__":
    (CONFIG / "config.yaml").write_text(configuration(), encoding="utf-8")
    (CONFIG / "README.md").write_text(updated_readme(), encoding="utf-8")
