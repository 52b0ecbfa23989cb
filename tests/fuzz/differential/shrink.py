"""The smallest program that still shows a difference of the same kind."""

import ast
import contextlib
import copy


def children(node):
    return [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]


def smaller(tree):
    """Programs with one statement or expression less, as functions that change a copy of the tree."""
    for at, node in enumerate(ast.walk(tree)):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            for i, statement in enumerate(block):
                if len(block) > 1 or field == "orelse":
                    yield at, field, i, []
                if hasattr(statement, "body") and not isinstance(statement, ast.FunctionDef):
                    yield at, field, i, statement.body
                    if getattr(statement, "orelse", None):
                        yield at, field, i, statement.orelse
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(getattr(value, "ctx", None), ast.Store):
                for child in children(value):
                    if not isinstance(getattr(child, "ctx", None), ast.Store):
                        yield at, field, None, child
            if isinstance(value, list) and field in ("elts", "args", "values", "keywords", "generators"):
                for i, each in enumerate(value):
                    if len(value) > 1 or field in ("elts", "keywords"):
                        yield at, field, i, []
                    if isinstance(each, ast.expr):
                        for child in children(each):
                            yield at, field, i, [child]
            if isinstance(value, list) and field == "defaults":
                for i, each in enumerate(value):
                    for child in children(each):
                        yield at, field, i, [child]


def changed(tree, change):
    at, field, i, value = change
    made = copy.deepcopy(tree)
    node = next(each for j, each in enumerate(ast.walk(made)) if j == at)
    if i is None:
        setattr(node, field, copy.deepcopy(value))
    else:
        getattr(node, field)[i : i + 1] = copy.deepcopy(value)
    return made


def smallest(text, still_differs, most=400):
    """Tries changes, one after another, and begins anew until none is left that keeps the difference."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    if not still_differs(ast.unparse(tree) + "\n"):
        return text
    length, tries, found = len(ast.unparse(tree)), 0, True
    while found and tries < most:
        found = False
        at = 0
        changes = list(smaller(tree))
        while at < len(changes) and tries < most:
            candidate = ""
            with contextlib.suppress(Exception):
                candidate = ast.unparse(changed(tree, changes[at]))
                ast.parse(candidate)
            at += 1
            if not candidate or len(candidate) >= length:
                continue
            tries += 1
            if still_differs(candidate + "\n"):
                tree, length, found = ast.parse(candidate), len(candidate), True
                changes = list(smaller(tree))
    return ast.unparse(tree) + "\n"
