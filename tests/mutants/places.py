"""Where a row of ``mutants.yaml`` changes the code: a piece of a function, found as code.

A piece is an expression, a statement or an item of a dictionary, in a function, method, class or
constant that is found by its dotted name.  Pieces are compared as Python parses them: line breaks,
quotes, comments and needless parentheses make no difference.
"""

import ast
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

# An expression, statements, or the key and the value of an item (no key before ``**``).
Piece = ast.expr | list[ast.stmt] | tuple[ast.expr | None, ast.expr]


class Place(NamedTuple):
    """A field of a node, and where in it, if the field holds a list."""

    parent: ast.AST
    field: str
    index: int | None


def find_module(package: Path, function: str) -> tuple[Path, list[str]]:
    """Return the file of the module that a dotted name begins with, and the names that are left.

    Raises
    ------
    ValueError
        If no module of the package begins the name, or no name is left.
    """
    first, *names = function.split(".")
    if first == package.name:
        for count in range(len(names) - 1, 0, -1):
            path = package.joinpath(*names[:count])
            for file in (path.with_suffix(".py"), path / "__init__.py"):
                if file.is_file():
                    return file, names[count:]
    raise ValueError(f"no module of {package.name} holds {function}")


def change(source: str, names: list[str], expression: str, becomes: str) -> str:
    """Return a module's source with one piece of one definition replaced, without comments.

    Parameters
    ----------
    source : str
        Of the module.
    names : list of str
        Of the definition, the outermost first: a class and its method.
    expression, becomes : str
        The piece, and what it becomes; several statements may follow from one.

    Raises
    ------
    ValueError
        If the definition is not there once, or the piece is not in it once, or either is no piece,
        or they are the same, or of different kinds.
    """
    tree = ast.parse(source)
    definition, old, new = _definition(tree, names), _parse(expression), _parse(becomes)
    if _kind(old) != _kind(new):
        raise ValueError(f"`{expression}` is {_kind(old)}, and `{becomes}` is {_kind(new)}")
    if _dump(old) == _dump(new):
        raise ValueError(f"`{expression}` and `{becomes}` are the same code")
    found = list(_places(definition, old))
    if len(found) != 1:
        raise ValueError(f"`{expression}` stands there {len(found)} times, and must stand once")
    _put(found[0], new)
    return ast.unparse(tree) + "\n"


def _parse(piece: str) -> Piece:
    with suppress(SyntaxError):
        return ast.parse(f"({piece}\n)", mode="eval").body
    with suppress(SyntaxError):
        return ast.parse(piece).body
    with suppress(SyntaxError):
        match ast.parse(f"{{{piece}\n}}", mode="eval").body:
            case ast.Dict([key], [value]):
                return key, value
    raise ValueError(f"`{piece}` is no expression, no statement and no item of a dictionary")


def _kind(piece: Piece) -> str:
    match piece:
        case ast.expr():
            return "an expression"
        case list():
            return "a statement"
        case tuple():
            return "an item of a dictionary"


def _definition(tree: ast.Module, names: list[str]) -> ast.AST:
    here: ast.AST = tree
    for name in names:
        found = [each for each in getattr(here, "body", []) if name in _bound(each)]
        if len(found) != 1:
            raise ValueError(f"`{name}` is defined there {len(found)} times, and must be once")
        (here,) = found
    return here


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a statement defines."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {statement.name}
        case ast.Assign(targets=targets):
            nodes = [node for target in targets for node in ast.walk(target)]
            return {node.id for node in nodes if isinstance(node, ast.Name)}
        case ast.AnnAssign(target=ast.Name(name)):
            return {name}
    return set()


def _places(definition: ast.AST, piece: Piece) -> Iterator[Place]:
    """Find where a definition holds a piece."""
    looked_for = _dump(piece)
    for parent in ast.walk(definition):
        if isinstance(parent, ast.Dict):
            for index, item in enumerate(zip(parent.keys, parent.values, strict=True)):
                if _dump(item) == looked_for:
                    yield Place(parent, "items", index)
        for field, value in ast.iter_fields(parent):
            if isinstance(value, list):
                for index, each in enumerate(value):
                    if _dump([each] if isinstance(each, ast.stmt) else each) == looked_for:
                        yield Place(parent, field, index)
            elif _dump(value) == looked_for:
                yield Place(parent, field, None)


def _dump(piece: object) -> object:
    if isinstance(piece, list | tuple):
        return type(piece)(map(_dump, piece))
    return ast.dump(piece) if isinstance(piece, ast.AST) else None


def _put(place: Place, piece: Piece) -> None:
    """Put a piece where one of its kind is."""
    parent, field, index = place
    if isinstance(piece, tuple):
        parent.keys[index], parent.values[index] = piece
    elif isinstance(piece, list):
        getattr(parent, field)[index : index + 1] = piece
    elif index is None:
        setattr(parent, field, piece)
    else:
        getattr(parent, field)[index] = piece
