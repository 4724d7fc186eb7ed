"""Write the table of keys in config/README.md from the schema and the two configurations."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "config" / "README.md"
START, END = "<!-- keys: written by `make docs` -->\n", "<!-- end of keys -->\n"


def read(path: str) -> Any:
    """Contents of a YAML file of the project."""
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def keys(part: dict[str, Any], schema: dict[str, Any], prefix: str = "") -> Iterator[tuple]:
    """Full name and schema of every key, depth first."""
    part = resolved(part, schema)
    for key, inner in part.get("properties", {}).items():
        if inner is not True:  # described where the key decides about the others
            yield f"{prefix}{key}", resolved(inner, schema)
            yield from keys(inner, schema, f"{prefix}{key}.")
    if set(part.get("additionalProperties") or {}) == {"$ref"}:
        yield f"{prefix}NAME", resolved(part["additionalProperties"], schema)
        yield from keys(part["additionalProperties"], schema, f"{prefix}NAME.")
    for case in part.get("allOf", []):
        [(key, value)] = case["if"]["properties"].items()
        for name, inner in keys(case["then"], schema, prefix):
            described = f"({key} {value['const']}) {inner['description']}"
            yield name, inner | {"description": described}


def resolved(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A part of the schema with what it refers to."""
    return schema["$defs"].get(part.get("$ref", "").split("/")[-1], {}) | part


def value_at(config: Any, name: str) -> str:
    """Value of a key as one writes it in YAML; nothing for one with others below, or absent."""
    for part in name.split("."):
        if config is None or part == "NAME":
            return ""
        config = config[part]
    return "" if isinstance(config, dict) else f"`{json.dumps(config)}`"


def table() -> str:
    """The table of keys, in Markdown."""
    schema = read("workflow/noiseless/schemas/config.schema.yaml")
    paper, smoke = read("config/config.yaml"), read("config/smoke.yaml")
    rows = [
        f"| `{name}` | {part['description']} | {value_at(paper, name)} | {value_at(smoke, name)} |"
        for name, part in keys(schema, schema)
    ]
    head = ["| key | meaning and unit | `config.yaml` | `smoke.yaml` |", "|---|---|---|---|"]
    return "\n".join(head + rows) + "\n"


def updated_readme() -> str:
    """config/README.md with its table of keys made anew."""
    before, rest = README.read_text(encoding="utf-8").split(START)
    _, after = rest.split(END)
    return before + START + table() + END + after


if __name__ == "__main__":
    README.write_text(updated_readme(), encoding="utf-8")
