"""Write docs/api.md: every public name with its signature, parameters, results, errors, examples.

1. The groups below put the names in an order; a name without a group stops the page.
2. A signature has the types as the code has them.
3. Docstrings are read as numpydoc's, and written as Markdown, so that a git host shows them.
4. A class shows the members that it defines itself, and names the class that it has others from.
"""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

import noiseless  # noqa: E402

PAGE = ROOT / "docs" / "api.md"
GROUPS = {
    "Mechanisms without noise": """Quantizer compute_local_levels compute_printed_levels
        compute_exact_levels PublicRange build_polynomial_threshold CollapseBlurring StretchBlurring
        OverlayBlurring OddsBlurring compute_min_mean_change release_all release_for_thresholds""",
    "Mechanisms with noise": """LaplaceMechanism GaussianMechanism OneBitMechanism
        PlanarLaplaceMechanism""",
    "Leakage and games": """leakage_bits maximin_information_bits maximal_leakage_bits unique_share
        k_anonymous_share Homes play_membership_game play_released_membership_game bound_advantage
        compute_homes_needed compute_normal_advantage bound_mean_advantage compare""",
    "Risk and epsilon": """choose_epsilon risk build_risk_table ThresholdHypothesis FScore Advantage
        RecordHypothesis TableLaw ChainLaw ExchangeableLaw BlockLaw compute_joint_epsilon
        bound_least_constant""",
    "Accounting of answers": """Box FiniteDomain LinearQuery LogisticQuery TableQuery
        bound_realized_loss BayesianFilter SafeFilter OutputDependentFilter answer_queries UserError
        ConfigError DataError""",
    "Mechanisms and adversaries of your own": """Mechanism NoisyMechanism Domain BitsOfRange
        NatsOfDifferentialPrivacy Adversary MembershipView RawSeries Training MeterReports
        MeterRelease Recording ApplianceTraining Guess LinkageView LinkageTraining
        find_best_threshold use_plugins""",
    "Arguments and results": "EpsilonChoice Comparison",
}
HEAD = """# Public names

<!-- written by `make docs` from the docstrings -->

Every public name of the library: `import noiseless as nl`. Names that are not listed may change
without notice. The workflow's tables have [a page of their own](tables.md).
"""
_BELOW = {
    "Mechanisms and adversaries of your own": "Base classes of your own classes, and the types "
    "that they receive and return ([plugins](plugins.md)).",
}
_LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises")
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_ROLE = re.compile(r":\w+:`~?([^`]+)`")


def list_names() -> dict[str, list[str]]:
    """List the public names of each group.

    Raises
    ------
    SystemExit
        If a public name has no group, or a group names what is not public.
    """
    groups = {title: names.split() for title, names in GROUPS.items()}
    listed = [name for names in groups.values() for name in names]
    if wrong := sorted(set(listed) ^ set(noiseless.__all__)):
        sys.exit(f"GROUPS of {Path(__file__).name} and noiseless.__all__ differ: {wrong}")
    return groups


def render_page() -> str:
    """Render the page."""
    groups = list_names()
    lines = [HEAD]
    for title, names in groups.items():
        anchor = re.sub(r"[^\w -]", "", title).lower().replace(" ", "-")
        inside = ", ".join(f"[`{name}`](#{name.lower()})" for name in names)
        lines.append(f"- [{title}](#{anchor}): {inside}")
    for title, names in groups.items():
        lines.append(f"\n## {title}")
        if title in _BELOW:
            lines.append(f"\n{_BELOW[title]}")
        lines += [part for name in names for part in _render_name(name)]
    return "\n".join(lines) + "\n"


def _render_name(name: str) -> Iterator[str]:
    """Render a public name, and the members of a class."""
    entry = getattr(noiseless, name)
    yield f"\n### {name}"
    if not inspect.isclass(entry):
        yield from _render_function(name, entry)
        return
    if not issubclass(entry, Exception):
        yield f"\n```python\n{_format_call(name, entry.__init__, entry)}\n```"
    yield from _render_docstring(inspect.getdoc(entry) or "")
    for member, value in vars(entry).items():
        if member.startswith("_") or not inspect.getdoc(value):
            continue
        if isinstance(value, property):
            yield f"\n**`{name}.{member}`** (property)"
            yield from _render_docstring(inspect.getdoc(value) or "", deeper=True)
        elif callable(inner := getattr(value, "__func__", value)):
            yield from _render_function(f"{name}.{member}", inner, deeper=True)
    bases = [base.__name__ for base in entry.__mro__[1:] if base.__name__ in noiseless.__all__]
    if bases:
        yield f"\nFurther members: those of {', '.join(f'[`{b}`](#{b.lower()})' for b in bases)}."


def _render_function(name: str, function: Any, *, deeper: bool = False) -> Iterator[str]:
    """Render a function or a method: its signature and its docstring."""
    yield f"\n```python\n{_format_call(name, function)}\n```"
    yield from _render_docstring(inspect.getdoc(function) or "", deeper=deeper)


def _format_call(name: str, function: Any, owner: type | None = None) -> str:
    """Return the call of a function as a reader writes it, with the types that the code has."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body[0]
    except (OSError, TypeError):  # made by a decorator, as the constructor of a dataclass
        tree = None
    if isinstance(tree, ast.FunctionDef) and "__create_fn__" not in tree.name:
        words = _spell_arguments(tree.args)
        gives = f" -> {ast.unparse(tree.returns)}" if tree.returns and owner is None else ""
    else:
        words = list(_spell_fields(owner)) if owner is not None else ["..."]
        gives = ""
    flat = f"{name}({', '.join(words)}){gives}"
    if len(flat) <= 96:
        return flat
    return f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){gives}"


def _spell_arguments(arguments: ast.arguments) -> list[str]:
    """Return the arguments of a function but ``self``, each with its type and default."""
    words = []
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + [*arguments.defaults]
    for argument, default in zip(positional, defaults, strict=True):
        if argument.arg not in ("self", "cls"):
            words.append(_spell_argument(argument, default))
    if arguments.vararg:
        words.append("*" + _spell_argument(arguments.vararg, None))
    elif arguments.kwonlyargs:
        words.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        words.append(_spell_argument(argument, default))
    if arguments.kwarg:
        words.append("**" + _spell_argument(arguments.kwarg, None))
    return words


def _spell_argument(argument: ast.arg, default: ast.expr | None) -> str:
    """Return one argument with its type and default."""
    kind = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
    if default is None:
        return f"{argument.arg}{kind}"
    return f"{argument.arg}{kind}{' = ' if kind else '='}{ast.unparse(default)}"


def _spell_fields(owner: type) -> Iterator[str]:
    """Yield what a class without a constructor of its own takes: the fields of a dataclass."""
    texts = {}
    for base in reversed(owner.__mro__):
        if base.__module__.startswith("noiseless"):
            tree = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
            for line in getattr(tree, "body", ()):
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    texts[line.target.id] = ast.unparse(line.annotation)
    for name, parameter in inspect.signature(owner).parameters.items():
        sign = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        kind = f": {texts[name]}" if name in texts else ""
        default = parameter.default
        if default is parameter.empty:
            yield f"{sign}{name}{kind}"
        else:
            shown = (
                repr(default) if isinstance(default, str | int | float | tuple | None) else "..."
            )
            yield f"{sign}{name}{kind}{' = ' if kind else '='}{shown}"


def _render_docstring(text: str, *, deeper: bool = False) -> Iterator[str]:
    """Render a docstring as Markdown; of one ``deeper``, a member's, without its examples."""
    beginning, *rest = _SECTION.split(text)
    yield f"\n{_render_prose(beginning)}"
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        if title in _LISTS:
            yield f"\n{title}:\n"
            yield from _render_list(body, is_named=title not in ("Returns", "Yields"))
        elif title == "Examples" and deeper:
            continue
        elif title == "Examples":
            yield from _render_examples(body)
        else:
            yield f"\n{title}: {_render_prose(body)}"


def _render_list(body: str, *, is_named: bool) -> Iterator[str]:
    """Render entries, each a line with an indented text below, as a list."""
    for entry in re.split(r"\n(?=\S)", body.strip("\n")):
        first, _, below = entry.partition("\n")
        name, colon, kind = first.partition(" : ")
        told = _render_prose(textwrap.dedent(below))
        if not is_named and not colon:
            head = _render_prose(first)
        else:
            head = f"`{name}`" + (f" ({_render_prose(kind)})" if colon else "")
        yield f"- {head}{': ' if told else ''}{told}"


def _render_examples(body: str) -> Iterator[str]:
    """Render examples with their prompts as blocks of code, and what stands between as prose."""
    for part in re.split(r"\n\s*\n", body.strip("\n")):
        if part.lstrip().startswith(">>>"):
            yield f"\n```python\n{part}\n```"
        elif part.strip():
            yield f"\n{_render_prose(part)}"


def _render_prose(text: str) -> str:
    """Render reStructuredText as Markdown: a line for each paragraph, names in backquotes."""

    def format_name(match: re.Match[str]) -> str:
        last = match[1].rpartition(".")[2]
        return f"[`{last}`](#{last.lower()})" if last in noiseless.__all__ else f"`{last}`"

    text = re.sub(r"``([^`]+)``", r"`\1`", _ROLE.sub(format_name, text.strip()))
    paragraphs = [" ".join(each.split()) for each in re.split(r"\n\s*\n", text)]
    return "\n\n".join(paragraphs)


if __name__ == "__main__":
    PAGE.write_text(render_page(), encoding="utf-8")
