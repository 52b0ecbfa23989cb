"""The tree that Python's own parser makes of a program, written as tests/engine/support/tree_text.h writes the engine's."""
import ast

SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
         ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
         ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
         ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.USub: "-", ast.UAdd: "+", ast.Invert: "~",
         ast.Not: "not"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict", ast.GeneratorExp: "generator"}


def parameters_of(arguments):
    return [each for each in [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs,
                              arguments.kwarg] if each]


def evaluated_around(node):
    """What of a def, class or lambda is evaluated in the scope around it, types aside."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *(each.value for each in node.keywords)]
    around = [*node.args.defaults, *(each for each in node.args.kw_defaults if each)]
    return around if isinstance(node, ast.Lambda) else [*node.decorator_list, *around]


def within(nodes, in_refused=False):
    """The nodes below these that belong to the same scope, apart from types and, unless asked for, what is refused."""
    for node in nodes:
        yield node
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield from within(evaluated_around(node), in_refused)
        elif isinstance(node, ast.AnnAssign):
            yield from within(filter(None, [node.target, node.value]), in_refused)
        elif in_refused or not isinstance(node, (ast.Match, ast.TryStar)):
            yield from within(ast.iter_child_nodes(node), in_refused)


class Tree:
    def __init__(self, text):
        self.text = text
        self.private = ""  # the class around
        self.scopes = []   # (name, line, locals) of each

    def program(self):
        return self.block(ast.parse(self.text).body)

    def mangled(self, name):
        is_private = self.private and name.startswith("__") and not name.endswith("__")
        return "_" + self.private + name if is_private else name

    def scope(self, node, name, first, body):
        """The locals of a scope whose parameters come first."""
        bound, elsewhere = list(first), []
        in_comprehension = set()
        for each in within(body):
            if type(each) in COMPREHENSIONS:
                for clause in each.generators:
                    in_comprehension.update(id(target) for target in ast.walk(clause.target))
            if isinstance(each, (ast.Global, ast.Nonlocal)):
                elsewhere += each.names
            elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
                if id(each) not in in_comprehension:
                    bound.append(each.id)
            elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                bound.append(each.name)
            elif isinstance(each, (ast.Import, ast.ImportFrom)):
                bound += [(alias.asname or alias.name).split(".")[0] if isinstance(each, ast.Import)
                          else alias.asname or alias.name for alias in each.names]
            elif isinstance(each, ast.ExceptHandler) and each.name:
                bound.append(each.name)
        all_names = {self.mangled(each) for each in bound} - {self.mangled(each) for each in elsewhere}
        self.scopes.append((name, node.lineno, all_names))
        declared = {self.mangled(name) for each in within(body) if isinstance(each, ast.Global) for name in each.names}
        return "{" + " ".join(sorted(all_names)) + (" global " + " ".join(sorted(declared)) if declared else "") + "}"

    # Statements

    def block(self, statements):
        return "; ".join(self.of(each) for each in statements)

    def of(self, node):
        return "-" if node is None else getattr(self, type(node).__name__)(node)

    def several(self, nodes):
        return " ".join(self.of(each) for each in nodes)

    def part(self, word, statements):
        return f" {word} {self.block(statements)}" if statements else ""

    def Expr(self, node): return self.of(node.value)
    def Assign(self, node): return f"(= {self.several(node.targets)} {self.of(node.value)})"
    def AnnAssign(self, node): return f"(: {self.of(node.target)} {self.of(node.value)})"
    def AugAssign(self, node): return f"({SIGNS[type(node.op)]}= {self.of(node.target)} {self.of(node.value)})"
    def Return(self, node): return f"(return {self.of(node.value)})"

    def If(self, node):
        branches = ""
        while True:
            branches += f" {self.of(node.test)} then {self.block(node.body)}"
            following = node.orelse
            # Python's tree does not tell elif from an if within else, but their columns do.
            is_elif = len(following) == 1 and isinstance(following[0], ast.If) and self.is_elif(following[0])
            if not is_elif:
                return f"(if{branches}{self.part('else', following)})"
            node = following[0]

    def is_elif(self, node):
        return self.lines()[node.lineno - 1].encode()[node.col_offset:].startswith(b"elif")

    def lines(self):
        if not hasattr(self, "all_lines"):
            self.all_lines = self.text.replace("\f", " ").split("\n")
        return self.all_lines

    def While(self, node):
        return f"(while {self.of(node.test)}{self.part('do', node.body)}{self.part('else', node.orelse)})"

    def For(self, node):
        return (f"(for {self.of(node.target)} in {self.of(node.iter)}{self.part('do', node.body)}"
                f"{self.part('else', node.orelse)})")

    def decorators(self, node): return "".join(f"@{self.of(each)} " for each in node.decorator_list)

    def FunctionDef(self, node):
        around = self.decorators(node)
        return f"({around}def {self.function(node, node.name, node.body)})"

    AsyncFunctionDef = FunctionDef

    def Lambda(self, node): return f"({self.function(node, '<lambda>', [node.body])})"

    def function(self, node, name, body):
        arguments = node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
        marked = [("", *each) for each in zip(plain, defaults)]
        marked += [("*", arguments.vararg, None)] if arguments.vararg else []
        marked += [("-", *each) for each in zip(arguments.kwonlyargs, arguments.kw_defaults)]
        marked += [("**", arguments.kwarg, None)] if arguments.kwarg else []
        shown = " ".join(mark + self.mangled(each.arg) + (f"={self.of(default)}" if default else "")
                         for mark, each, default in marked)
        scope = self.scope(node, name.strip("<>"), [each.arg for each in parameters_of(arguments)], body)
        inner = f"(return {self.of(body[0])})" if isinstance(node, ast.Lambda) else self.block(body)
        if isinstance(node, ast.AsyncFunctionDef):
            inner = "<async def>"
        elif any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in within(body, True)):
            inner = "<yield>"
        return f"{name}({shown}) {scope} {inner}"

    def ClassDef(self, node):
        around = self.decorators(node)
        bases = self.arguments(node.bases, node.keywords)
        before, self.private = self.private, node.name.lstrip("_")
        shown = f"({around}class {node.name}({bases}) {self.scope(node, node.name, [], node.body)} {self.block(node.body)})"
        self.private = before
        return shown

    def Import(self, node):
        def bound(alias):
            first = alias.name.split(".")[0]
            return f"{alias.name} as {self.mangled(alias.asname)}" if alias.asname else f"{first} as {self.mangled(first)}"
        return f"(import {' '.join(bound(each) for each in node.names)})"

    def ImportFrom(self, node):
        package = "." * node.level + (node.module or "")
        names = ((each.name, "-" if each.name == "*" else self.mangled(each.asname or each.name)) for each in node.names)
        return f"(import {' '.join(f'{package}:{member} as {name}' for member, name in names)})"

    def Delete(self, node): return f"(del {self.several(node.targets)})"
    def Assert(self, node): return f"(assert {self.of(node.test)} {self.of(node.msg)})"
    def Raise(self, node): return f"(raise {self.of(node.exc)})"

    def Try(self, node):
        shown = "(try " + self.block(node.body)
        for each in node.handlers:
            shown += f" except {self.of(each.type)}" + (f" as {self.mangled(each.name)}" if each.name else "")
            shown += self.part("do", each.body)
        return shown + self.part("else", node.orelse) + self.part("finally", node.finalbody) + ")"

    def TryStar(self, node): return "<except*>"
    def Match(self, node): return "<match>"

    def With(self, node):
        items = "".join(" " + self.of(each.context_expr) +
                        (f" as {self.of(each.optional_vars)}" if each.optional_vars else "") for each in node.items)
        return f"(with{items}{self.part('do', node.body)})"

    AsyncFor, AsyncWith = For, With  # of a function that is not shown

    def Pass(self, node): return "pass"
    Global = Nonlocal = Pass
    def Break(self, node): return "break"
    def Continue(self, node): return "continue"

    # Expressions

    def Constant(self, node):
        value = node.value
        if isinstance(value, str): return f"'{value}'"
        if isinstance(value, bytes): return '<b"…">'
        if isinstance(value, complex): return "<number>"
        if isinstance(value, float): return ("∞" if value == float("inf") else f"{value:.15g}") + "f"
        if value is Ellipsis: return "..."
        if isinstance(value, int) and abs(value) >= 2 ** 63: return "<number>"
        return str(value)

    def JoinedStr(self, node):
        if not any(isinstance(each, ast.FormattedValue) for each in node.values):
            return "'" + "".join(each.value for each in node.values) + "'"
        return f"(f {self.several(node.values)})"

    def FormattedValue(self, node):
        is_bare = node.conversion == -1 and node.format_spec is None
        if is_bare and isinstance(node.value, ast.Constant) and self.of(node.value)[0] != "<": return self.of(node.value)
        conversion = "" if node.conversion == -1 else "!" + chr(node.conversion)
        return "{" + self.of(node.value) + conversion + (":" + self.of(node.format_spec) if node.format_spec else "") + "}"

    def Name(self, node): return self.mangled(node.id)
    def Tuple(self, node): return f"(, {self.several(node.elts)})"
    def List(self, node): return f"[{self.several(node.elts)}]"
    def Set(self, node): return f"(set {self.several(node.elts)})"

    def Dict(self, node):
        return "(dict " + " ".join((self.of(key) + ":" if key else "**") + self.of(value)
                                   for key, value in zip(node.keys, node.values)) + ")"

    def Starred(self, node): return "*" + self.of(node.value)

    def comprehension_node(self, node):
        shown = [f"for {self.of(each.target)} in {self.of(each.iter)}" + "".join(f" if {self.of(test)}" for test in each.ifs)
                 for each in node.generators]
        targets = {self.mangled(each.id) for clause in node.generators for each in ast.walk(clause.target)
                   if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        kind = COMPREHENSIONS[type(node)]
        self.scopes.append(({"generator": "genexpr"}.get(kind, kind + "comp"), node.lineno, targets))
        if any(each.is_async for each in node.generators): return "<async for>"
        item = f"{self.of(node.key)}:{self.of(node.value)}" if kind == "dict" else self.of(node.elt)
        return f"({kind} {{{' '.join(sorted(targets))}}} {item} {' '.join(shown)})"

    ListComp = SetComp = DictComp = GeneratorExp = comprehension_node

    def NamedExpr(self, node): return f"(:= {self.of(node.target)} {self.of(node.value)})"
    def UnaryOp(self, node): return f"({SIGNS[type(node.op)]} {self.of(node.operand)})"
    def BinOp(self, node): return f"({SIGNS[type(node.op)]} {self.of(node.left)} {self.of(node.right)})"

    def BoolOp(self, node):
        shown = self.of(node.values[0])
        for each in node.values[1:]:
            shown = f"({'or' if isinstance(node.op, ast.Or) else 'and'} {shown} {self.of(each)})"
        return shown

    def Compare(self, node):
        return f"({self.of(node.left)}" + "".join(f" {SIGNS[type(op)]} {self.of(right)}"
                                                  for op, right in zip(node.ops, node.comparators)) + ")"

    def IfExp(self, node): return f"(if {self.of(node.test)} {self.of(node.body)} {self.of(node.orelse)})"
    def Call(self, node): return f"{self.of(node.func)}({self.arguments(node.args, node.keywords)})"

    def arguments(self, plain, named):
        def shown(each):
            if not isinstance(each, ast.keyword): return self.of(each)
            return (each.arg + "=" if each.arg else "**") + self.of(each.value)
        in_order = sorted([*plain, *named], key=lambda each: (each.lineno, each.col_offset))
        return " ".join(map(shown, in_order))

    def Attribute(self, node): return f"{self.of(node.value)}.{self.mangled(node.attr)}"
    def Slice(self, node): return f"{self.of(node.lower)}:{self.of(node.upper)}:{self.of(node.step)}"

    def Subscript(self, node):
        index = node.slice
        if isinstance(index, ast.Tuple) and not self.is_in_parentheses(index):
            return f"{self.of(node.value)}[, {self.several(index.elts)}]"
        return f"{self.of(node.value)}[{self.of(index)}]"

    def is_in_parentheses(self, node):
        """Whether the first bracket of a tuple's text closes at its end; texts with brackets in them are left out."""
        text = ast.get_source_segment(self.text, node)
        depth = 0
        for at, each in enumerate(text):
            depth += (each in "([{") - (each in ")]}")
            if depth == 0: return at == len(text) - 1 and at > 0
        return False

    def Yield(self, node): return "<yield>"
    YieldFrom = Yield
    def Await(self, node): return "<await>"
