"""How Sphinx builds the site: `make site`.

1. Pages that are made: the gallery of examples; one page for each public name, and for each type
   in their signatures; and one for each page of another folder, such as ``data/README.md``.
2. Links between pages work on the site as in the repository: those to a README lead to the page
   that begins with it, and those to a file that is no page become its name; those to a line of
   code, the name of its module and the line.
3. Types in signatures lead to the page of a public name, or to the documentation of Python, NumPy
   or pandas.
4. Pages lead to their source, and to where it is edited if the build knows the repository
   (``GITHUB_REPOSITORY``, which a workflow of GitHub's sets).
5. Formulas are MathML, and nothing is asked of another host.
"""

import builtins
import inspect
import os
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import numpy.typing as npt
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import stringify_annotation
from sphinx.writers.html5 import HTML5Translator

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT / "workflow"))

import noiseless  # noqa: E402

project = "noiseless"
author = copyright = "the noiseless authors"
version = release = noiseless.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "tutorials", "reference"]
suppress_warnings = ["config.cache"]  # the gallery's settings hold a function
nitpicky = False

html_theme = "furo"
html_title = "noiseless"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
if "GITHUB_REPOSITORY" in os.environ:
    host = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    html_theme_options = {
        "source_repository": f"{host}/{os.environ['GITHUB_REPOSITORY']}/",
        "source_branch": os.environ.get("GITHUB_REF_NAME", "main"),
        "source_directory": "docs/",
    }
html_show_sphinx = False
html_math_renderer = "mathml"

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
autosummary_generate = True
templates_path = ["_templates"]
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": "tutorials",
    "gallery_dirs": "made/tutorials",
    "filename_pattern": r"/tutorial_",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1000,
    "write_computation_times": False,
}

# Pages of the site by what the repository's links to them say.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "made/contributing.md",
    "CHANGELOG.md": "made/changelog.md",
    "SECURITY.md": "made/security.md",
    "config/README.md": "made/configuration.md",
    "data/README.md": "made/data.md",
}
LINK = re.compile(r"\[([^\]\n]+)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
INCLUDED = re.compile(r"```\{include\} ((?:\.\./)+\S+)\n```\n")
KEYS = """
## All keys

```{literalinclude} ../../config/config.yaml
:language: yaml
```
"""
PROOF = re.compile(r"(?<![\w(/])docs/proofs/(\w+)\.md(#[\w-]+)")


def site_links(text: str, folder: Path, page: Path) -> str:
    """Rewrite the links of a page of the repository as links of the site."""

    def link(match: re.Match[str]) -> str:
        said, target, anchor = match[1], match[2], match[3] or ""
        path = (folder / target).resolve()
        try:
            name = path.relative_to(ROOT).as_posix()
        except ValueError:
            return match[0]
        if name in PAGES:
            path = DOCS / PAGES[name]
        elif not path.is_relative_to(DOCS):
            line = re.sub("^#L", ":", anchor) if re.fullmatch(r"#L\d+", anchor) else ""
            return said if "`" in said else f"`{path.name if line else name}{line}`"
        return f"[{said}]({relative(path, page.parent)}{anchor})"

    def proof(match: re.Match[str]) -> str:
        path = relative(DOCS / f"proofs/{match[1]}.md", page.parent)
        return f"[the proof]({path}{match[2]})"

    return PROOF.sub(proof, LINK.sub(link, text))


def relative(path: Path, folder: Path) -> str:
    """Return the path from a folder to a file, with slashes."""
    return Path(os.path.relpath(path, folder)).as_posix()


def read_source(app: Sphinx, name: str, source: list[str]) -> None:
    """Rewrite the links of a page that is read, and include the page of the repository it names."""
    page = Path(app.env.doc2path(name))
    if page.suffix != ".md":
        return
    text, home = source[0], page.parent
    rest = ""
    if (included := INCLUDED.match(text)) is not None:
        file = (page.parent / included[1]).resolve()
        app.env.note_dependency(str(file))
        rest = text[included.end() :]
        text, home = file.read_text(encoding="utf-8"), file.parent
    source[0] = site_links(text, home, page) + rest


NAMES = """# Public names, a page each

With links to the code and to types; [on one page](../api.md).

{groups}
"""


def names_page() -> str:
    """Build the page that leads to the page of each public name, in the groups of docs/api.md."""
    groups = runpy.run_path(str(ROOT / "workflow/schemas/write_api.py"))["list_names"]()
    return NAMES.format(
        groups="\n\n".join(
            f"## {title}\n\n```{{eval-rst}}\n.. currentmodule:: noiseless\n.. autosummary::\n"
            "   :toctree: api\n\n" + "\n".join(f"   {name}" for name in names) + "\n```"
            for title, names in groups.items()
        )
    )


TYPES = """# Types of arguments and results

What [public names](../api.md) take and return. The modules that they are imported from may move.

```{{eval-rst}}
.. autosummary::
   :toctree: types

{names}
```
"""


def types_page() -> str:
    """Build the page of the package's types in the signatures of public names."""
    found = set()
    for name in noiseless.__all__:
        entry = getattr(noiseless, name)
        members = [each for _, each in inspect.getmembers(entry)] if inspect.isclass(entry) else []
        for each in (entry, *members):
            found |= types_in(getattr(each, "fget", each))
    ours = {
        f"{each.__module__}.{each.__name__}"
        for each in found
        if each.__module__.startswith("noiseless.")
        and each.__name__ not in noiseless.__all__
        and each.__name__[0] != "_"
    }
    return TYPES.format(names="\n".join(f"   {name}" for name in sorted(ours)))


def types_in(entry: Callable | None) -> set[type]:
    """Classes in the annotations of a function, a method or a class."""
    try:
        waiting: list[Any] = list(get_type_hints(entry).values())
    except (TypeError, NameError, AttributeError):  # nothing that is annotated
        return set()
    found = set()
    while waiting:
        hint = waiting.pop()
        waiting += get_args(hint)
        if isinstance(hint, type):
            found.add(hint)
    return found


# What NumPy's aliases stand for, which Python has put in their place; the longest first.
ALIASES = {
    stringify_annotation(npt.ArrayLike, "smart"): "~numpy.typing.ArrayLike",
    **{
        stringify_annotation(npt.NDArray[kind], "smart"): f"~numpy.typing.NDArray[~numpy.{name}]"
        for name, kind in {"float64": np.float64, "int64": np.int64, "bool": np.bool_}.items()
    },
}


def short_signature(
    app: Sphinx, what: str, name: str, obj: object, options: object, takes: str, gives: str
) -> tuple[str, str] | None:
    """Replace the types in a signature by their aliases."""
    if takes is None:
        return None
    for long, short in ALIASES.items():
        takes = takes.replace(long, short)
        gives = gives and gives.replace(long, short)
    return takes, gives


def type_link(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.reference | None:
    """Link a type to where it is documented, or to its public name."""
    if node.get("refdomain") != "py":
        return None
    names = node.get("reftarget", "").split(".")
    # A module may have the name of a function that it defines: the last is the public one.
    places = [k for k, name in enumerate(names) if name in noiseless.__all__]
    if names[0] == "noiseless" and places:
        public = places[-1]
        page = app.builder.get_relative_uri(node["refdoc"], f"made/api/noiseless.{names[public]}")
        address = f"{page}#noiseless.{'.'.join(names[public:])}"
        return nodes.reference("", "", content, internal=True, refuri=address)
    address = outside(node.get("reftarget", ""))
    return None if address is None else nodes.reference("", "", content, refuri=address)


def outside(target: str) -> str | None:
    """Where a type of Python, NumPy or pandas is documented."""
    python, numpy = "https://docs.python.org/3/library", "https://numpy.org/doc/stable/reference"
    for start, address in (
        ("collections.abc.", f"{python}/collections.abc.html#{target}"),
        ("pathlib.", f"{python}/pathlib.html#{target}"),
        ("fractions.", f"{python}/fractions.html#{target}"),
        ("numpy.typing.", f"{numpy}/typing.html#{target}"),
        ("numpy.random.", f"{numpy}/random/generator.html"),
        ("pandas.", f"https://pandas.pydata.org/docs/reference/api/pandas.{last_of(target)}.html"),
        ("numpy.", f"{numpy}/generated/{target}.html"),
    ):
        if target.startswith(start):
            return address
    if target in ("None", "True", "False"):
        return f"{python}/constants.html#{target}"
    if hasattr(builtins, target):
        page = "functions" if target in ("float", "int", "bool", "type", "object") else "stdtypes"
        return f"{python}/{page}.html#{target}"
    return None


def last_of(name: str) -> str:
    """Return the last part of a dotted name."""
    return name.rpartition(".")[2]


def without_links_back(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Render a module's code without links back: they take one name for all of its objects."""
    if page.startswith("_modules/") and "body" in context:
        context["body"] = re.sub(r'<a class="viewcode-back".*?</a>\n', "", context["body"])


def visit_math(translator: HTML5Translator, node: nodes.math) -> None:
    """Render an inline formula."""
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def visit_math_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Render a formula on its own lines."""
    translator.body.append(f"<div class='formula'>{tex2mathml(node.astext(), as_block=True)}</div>")
    raise nodes.SkipNode


def write_included_pages() -> None:
    """Write the pages of the site that show a page of another folder, and the keys below theirs."""
    for name, page in PAGES.items():
        if page.startswith("made/") and page.endswith(".md"):
            rest = KEYS if name == "config/README.md" else ""
            text = f"```{{include}} ../../{name}\n```\n{rest}"
            (DOCS / page).write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect the above; a page of links to pages that are made has to be there before."""
    (DOCS / "made").mkdir(exist_ok=True)
    write_included_pages()
    (DOCS / "made/names.md").write_text(names_page(), encoding="utf-8")
    (DOCS / "made/types.md").write_text(types_page(), encoding="utf-8")
    app.connect("source-read", read_source)
    app.connect("autodoc-process-signature", short_signature)
    app.connect("missing-reference", type_link)
    app.connect("html-page-context", without_links_back)
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
