// The tree of each construct of the language, the names of each scope, and where and why a text is refused.
// tests/pytorch/parser_against_python.py compares many more trees with those of Python's own parser.
#include "engine/program/syntax.h"
#include "tests/engine/support/test.h"
#include "tests/engine/support/tree_text.h"

namespace {

std::string refused_text(const std::string& text) {
  return refusal(ErrorCode::program, [&] { program::parse(text); });
}

// The tree of the body of a function, whose names are locals.
std::string tree_in_function(const std::string& body) { return tree_of("def f():\n    " + body + "\n"); }

}  // namespace

TEST_CASE("operators bind as in Python") {
  CHECK(tree_of("a | b ^ c & d << e + f * -g ** h\n") == "(| a (^ b (& c (<< d (+ e (* f (- (** g h))))))))");
  CHECK(tree_of("a - b - c\n") == "(- (- a b) c)");
  CHECK(tree_of("a ** b ** -c\n") == "(** a (** b (- c)))");
  CHECK(tree_of("~a >> +b @ c // d % e\n") == "(>> (~ a) (% (// (@ (+ b) c) d) e))");
  CHECK(tree_of("not a in b and c or d if e else f\n") == "(if e (or (and (not (a in b)) c) d) f)");
  CHECK(tree_of("a < b <= c is not d not in e\n") == "(a < b <= c is not d not in e)");
  CHECK(tree_of("a & b == c\n") == "((& a b) == c)");
}

TEST_CASE("the place of an operation is that of its operator, of a call that of what is called") {
  const auto place_of = [](const std::string& text) {
    const auto program = program::parse(text);
    const program::Place place = std::get<program::Evaluate>(program->body.at(0).node).value->place;
    return std::pair(place.line, place.column);
  };
  CHECK(place_of("a + b\n") == std::pair(1, 3));
  CHECK(place_of("(a\n  @ b)\n") == std::pair(2, 3));
  CHECK(place_of("f.g(1)\n") == std::pair(1, 2));
  CHECK(place_of("a[1]\n") == std::pair(1, 2));
  CHECK(place_of("a if b else c\n") == std::pair(1, 3));
  CHECK(place_of("α + (b < c)\n") == std::pair(1, 3));
  CHECK(place_of("[a, b]\n") == std::pair(1, 1));
}

TEST_CASE("numbers") {
  CHECK(tree_of("1_000, 0x1F, 0b1_01, 0o17, 00\n") == "(, 1000 31 5 15 0)");
  CHECK(tree_of("1e-5, .5, 5., 1_0.2_5E+1\n") == "(, 1e-05f 0.5f 5f 102.5f)");
  CHECK(tree_of("1e999\n") == "∞f");
  CHECK(tree_of("9223372036854775807, 9223372036854775808, 1j, 2.5J\n") ==
        "(, 9223372036854775807 <9223372036854775808> <1j> <2.5j>)");
  CHECK(tree_of("1if a else 2or b\n") == "(if a 1 (or 2 b))");
  CHECK(refused_text("x = 007\n") == "line 1, column 5: a whole number does not begin with 0: write 7.");
  CHECK(refused_text("x = 3x\n") == "line 1, column 6: a name cannot begin with a digit, and * is never left out.");
  CHECK(refused_text("x = 1__0\n").starts_with("line 1, column 6: a name cannot begin with a digit"));
  CHECK(refused_text("x = 0b12\n") == "line 1, column 8: the number 0b1 needs other digits here.");
  CHECK(refused_text("x = 2e+\n") == "line 1, column 5: the number 2e+ has an exponent without digits.");
}

TEST_CASE("texts") {
  CHECK(tree_of("'a' \"b\" '''c\nd''' r'\\n' U'e'\n") == "'abc\nd\\ne'");
  CHECK(tree_of(R"('\n\t\\\'\"\x41\u03b1\U0001f600\101\
!')") == "'\n\t\\'\"Aα😀A!'");
  CHECK(tree_of("'\\d\\_'\n") == "'\\d\\_'");
  CHECK(tree_of("'a\\\r\nb', '''a\r\nb'''\r\n") == "(, 'ab' 'a\nb')");
  CHECK(tree_of("b'a', Rb'\\x', '\\N{DASH}', '\\ud800'\n") == "(, <b\"…\"> <b\"…\"> <\\N> <\\u>)");
  CHECK(tree_of("x = 1; 'a' 'b'\n") == "(= x 1); 'ab'");
  CHECK(refused_text("x = 'a\n") == "line 1, column 5: this text has no end: close it with '.");
  CHECK(refused_text("x = 'a\\x4'\n") ==
        "line 1, column 7: \\x needs 2 hexadecimal digits of a character after it: for a backslash write \\\\.");
  CHECK(refused_text("x = 'a' b'c'\n") ==
        "line 1, column 9: texts with and without b are not joined: write them alike.");
}

TEST_CASE("formatted texts") {
  CHECK(tree_of("f'a{b}c' 'd' f\"{e}\"\n") == "(f 'a' {b} 'cd' {e})");
  CHECK(tree_of("f'{{a}}', f''\n") == "(, '{a}' '')");
  CHECK(tree_of("f'{a!r:>{w}.{p}f}'\n") == "(f {a!r:(f '>' {w} '.' {p} 'f')})");
  CHECK(tree_of("f'{a=} {b = :5} {c=!s}'\n") == "(f 'a=' {a!r} ' b = ' {b:'5'} ' c=' {c!s})");
  CHECK(tree_of("f'{a != b} {a <= b} {d[\"}:!\"]} {a, *b}'\n") ==
        "(f {(a != b)} ' ' {(a <= b)} ' ' {d['}:!']} ' ' {(, a *b)})");
  CHECK(tree_of("f'{f\"{a}\"} {(lambda: 1)()} {x for x in y}'\n") ==
        "(f {(f {a})} ' ' {(<lambda>() {} (return 1))()} ' ' {(generator {x} x for x in y)})");
  CHECK(tree_of("rf'\\{a}\\n', f'\\n{a}'\n") == "(, (f '\\' {a} '\\n') (f '\n' {a}))");
  CHECK(refused_text("x = f'α\\n{y z}'\n") == "line 1, column 13: “z” has no place here.");
  CHECK(refused_text("x = f'''a\n{b +}'''\n") == "line 2, column 5: the line ends here, and something is missing.");
  CHECK(refused_text("x = f'a{b'\n") ==
        "line 1, column 8: a { needs a }, and a } needs a {: for the character itself write it twice.");
  CHECK(refused_text("x = f'a}'\n").starts_with("line 1, column 8: a { needs a }"));
  CHECK(
      refused_text("x = f'{ }'\n").starts_with("line 1, column 8: the braces of a formatted text need an expression"));
  CHECK(refused_text("x = f'{a!x}'\n") == "line 1, column 10: after ! in a formatted text comes r, s or a.");
  CHECK(refused_text("x = f'{\"\\n\"}'\n").starts_with("line 1, column 9: between the braces"));
  CHECK(refused_text("x = f'{a:{b:{c}}}'\n").starts_with("line 1, column 13: a format has braces within it once"));
}

TEST_CASE("lists, tuples, sets and dictionaries") {
  CHECK(tree_of("[], [a, *b,], (), (a), (a,), (*a, b)\n") == "(, [] [a *b] (, ) a (, a) (, *a b))");
  CHECK(tree_of("{}, {a}, {a, *b,}, {a: b, **c, 'd': e,}\n") == "(, (dict ) (set a) (set a *b) (dict a:b **c 'd':e))");
  CHECK(tree_of("x = a, b,\n") == "(= x (, a b))");
  CHECK(tree_of("x = (\n  a,  # first\n\n  b\n)\n") == "(= x (, a b))");
  CHECK(refused_text("x = (a, b\n") == "line 2, column 1: an open parenthesis needs “)” here.");
  CHECK(refused_text("x = [a, b)\n") == "line 1, column 10: a list needs “]” here.");
  CHECK(refused_text("x = {a: b, c}\n") == "line 1, column 13: a dictionary needs “:” here.");
  CHECK(refused_text("x = {a, b: c}\n") == "line 1, column 10: a dictionary or set needs “}” here.");
  CHECK(refused_text("x = *a\n").starts_with("line 1, column 5: * takes a value apart"));
  CHECK(refused_text("x = (*a)\n").starts_with("line 1, column 6: * takes a value apart"));
}

TEST_CASE("comprehensions have scopes of their own, and a walrus in one binds in the function around") {
  CHECK(tree_of("[a for a, (b, *c) in d if e if f for g in h]\n") ==
        "(list {a b c g} a for (, a (, b *c)) in d if e if f for g in h)");
  CHECK(tree_of("{a for a in b}, {a: b for a in c}, (a for a in b)\n") ==
        "(, (set {a} a for a in b) (dict {a} a:b for a in c) (generator {a} a for a in b))");
  CHECK(tree_of("f(a for a in b), g(c, (a for a in b))\n") ==
        "(, f((generator {a} a for a in b)) g(c (generator {a} a for a in b)))");
  CHECK(tree_in_function("return [[y := x for x in row] for row in z]") ==
        "(def f() {y} (return (list {row} (list {x} (:= y x) for x in row) for row in z)))");
  CHECK(tree_of("[a for b.c in d]\n") == "(list {} a for b.c in d)");
  CHECK(refused_text("[x := 1 for x in y]\n") ==
        "line 1, column 2: x is the variable of this for: choose another name before :=.");
  CHECK(refused_text("[x for x in (y := 1)]\n").starts_with("line 1, column 14: := cannot stand after in"));
  CHECK(refused_text("[*a for a in b]\n").starts_with("line 1, column 2: a * cannot stand before for"));
  CHECK(refused_text("f(1, a for a in b)\n").starts_with("line 1, column 6: with other arguments"));
  CHECK(refused_text("[a for in b]\n") == "line 1, column 8: “in” is a word of the language: choose another name.");
}

TEST_CASE("calls, attributes and indices") {
  CHECK(tree_of("a.b(c, *d, e=1, *f, **g)(h := 2)[i].j\n") == "a.b(c *d e=1 *f **g)((:= h 2))[i].j");
  CHECK(tree_of("a[b], a[b,], a[b, c], a[(b, c)], a[*b]\n") == "(, a[b] a[, b] a[, b c] a[(, b c)] a[, *b])");
  CHECK(tree_of("a[:], a[1:], a[:-1], a[::2], a[b:c:d, None, ...], a[...]\n") ==
        "(, a[-:-:-] a[1:-:-] a[-:(- 1):-] a[-:-:2] a[, b:c:d None ...] a[...])");
  CHECK(refused_text("f(a=1, b)\n") == "line 1, column 8: arguments without a name come before those with one.");
  CHECK(refused_text("f(**a, *b)\n") == "line 1, column 8: arguments without a name come before those with one.");
  CHECK(refused_text("f(a=1, a=2)\n") == "line 1, column 8: a is given twice in this call.");
  CHECK(refused_text("f(a b)\n") == "line 1, column 5: a call needs “)” here.");
  CHECK(refused_text("a[]\n") == "line 1, column 3: expected an index between the brackets.");
  CHECK(refused_text("a.1\n").starts_with("line 1, column 2:"));
  CHECK(refused_text("a.if\n") == "line 1, column 3: expected a name after the point.");
  CHECK(refused_text("a[::=1]\n").starts_with("line 1, column 4:"));
}

TEST_CASE("assignments") {
  CHECK(tree_of("a = b.c = d[0] = [e, (f, *g)] = h\n") == "(= a b.c d[0] [e (, f *g)] h)");
  CHECK(tree_of("a += 1; b.c //= 2; d[0] **= 3; a <<= b; a |= c\n") ==
        "(+= a 1); (//= b.c 2); (**= d[0] 3); (<<= a b); (|= a c)");
  CHECK(tree_of("a: int\nb: Optional['X'] = 1\nc.d: X | None = 2\n(e): int = 3, 4\n") ==
        "(: a -); (: b 1); (: c.d 2); (: e (, 3 4))");
  CHECK(tree_of("if (a := 1) and (b := 2): c\n") == "(if (and (:= a 1) (:= b 2)) then c)");
  CHECK(tree_of("del a, b.c, (d, e[0]),\n") == "(del a b.c (, d e[0]))");
  const std::string not_assignable =
      ": only a name, an attribute, an index, or several of them can be assigned to: for "
      "a comparison write ==.";
  CHECK(refused_text("f(1) = 2\n") == "line 1, column 1" + not_assignable);
  CHECK(refused_text("a = None = 2\n") == "line 1, column 5" + not_assignable);
  CHECK(refused_text("for f(x) in y: pass\n") == "line 1, column 5" + not_assignable);
  CHECK(refused_text("del f()\n") == "line 1, column 5" + not_assignable);
  CHECK(refused_text("(a, b) += 1\n") ==
        "line 1, column 1: only one name, attribute or index can be changed at a time.");
  CHECK(refused_text("(a, b): int = 1\n") ==
        "line 1, column 1: a type belongs to one variable: write a line for each.");
  CHECK(refused_text("*a, *b = c\n") == "line 1, column 5: at most one of several names has a *, and none after del.");
  CHECK(refused_text("a := 1\n").starts_with("line 1, column 3: := follows a single name"));
  CHECK(refused_text("a = b = \n") == "line 1, column 9: the line ends here, and something is missing.");
}

TEST_CASE("statements with blocks") {
  CHECK(tree_of("if a: b; c\nelif d:\n  e\nelse: f\n") == "(if a then b; c d then e else f)");
  CHECK(tree_of("while a:\n    break\nelse:\n    b\n") == "(while a do break else b)");
  CHECK(tree_of("for a, *b in c, d:\n    continue\nelse: e\n") == "(for (, a *b) in (, c d) do continue else e)");
  CHECK(tree_of("for a, in b: pass\n") == "(for (, a) in b do pass)");
  CHECK(tree_of("with a, b as c: d\n") == "(with a b as c do d)");
  CHECK(tree_of("with (a as (b, c), d,): e\n") == "(with a as (, b c) d do e)");
  CHECK(tree_of("with (a, b) as c: d\n") == "(with (, a b) as c do d)");
  CHECK(tree_of("with (a or b): d\n") == "(with (or a b) do d)");
  CHECK(tree_of("try: a\nexcept (B, C) as d: e\nexcept F: g\nexcept: h\nelse: i\nfinally: j\n") ==
        "(try a except (, B C) as d do e except F do g except - do h else i finally j)");
  CHECK(tree_of("try: a\nfinally: b\n") == "(try a finally b)");
  CHECK(tree_of("assert a, b\nraise C(d) from e\nraise\n") == "(assert a b); (raise C(d)); (raise -)");
  CHECK(tree_of("if a:\n\tif b:\n\t\tc\n\td\n\n# note\n\te\n") == "(if a then (if b then c); d; e)");
  CHECK(tree_of("\xef\xbb\xbfx = \\\r\n  1\r\n\fif x:\r\n  y\r\n") == "(= x 1); (if x then y)");
  CHECK(refused_text("if a:\nb\n") == "line 2, column 1: if needs an indented block below it.");
  CHECK(refused_text("if a\n  b\n") == "line 1, column 5: if needs “:” here.");
  CHECK(refused_text("if a = 1:\n  b\n") ==
        "line 1, column 6: = assigns, which has no place here: for a comparison write ==.");
  CHECK(refused_text("if a: b\nelse if c: d\n") == "line 2, column 6: else and if on one line are written elif.");
  CHECK(refused_text("if a: if b: c\n") == "line 1, column 7: “if” has no place here.");
  CHECK(refused_text("a\n  b\n") == "line 2, column 3: this line is indented, and no block begins here.");
  CHECK(refused_text("if a:\n    b\n  c\n") ==
        "line 3, column 3: this line is indented by 2, and no block around it is: align it with one.");
  CHECK(refused_text("else: a\n") == "line 1, column 1: “else” has no place here.");
  CHECK(refused_text("try: a\nb\n") == "line 2, column 1: try needs an except or a finally below it.");
  CHECK(refused_text("try: a\nexcept: b\nexcept C: d\n") ==
        "line 2, column 1: an except without a type catches everything, so it comes last.");
  CHECK(refused_text("break\n") == "line 1, column 1: break is allowed only in a loop.");
  CHECK(refused_text("for a in b:\n  def f(): continue\n") == "line 2, column 12: continue is allowed only in a loop.");
  CHECK(refused_text("print 'a'\n") == "line 1, column 7: print takes parentheses: write print(…).");
  CHECK(refused_text("a = 1;; b\n") == "line 1, column 7: “;” has no place here.");
  CHECK(refused_text("x = 1 \\\n") == "line 2, column 1: the line ends here, and something is missing.");
}

TEST_CASE("imports") {
  CHECK(tree_of("import a, b.c, d.e as f\n") == "(import a as a b as b d.e as f)");
  CHECK(tree_of("from a.b import (c, d as e,)\n") == "(import a.b:c as c a.b:d as e)");
  CHECK(tree_of("from . import a\nfrom ...b.c import d\nfrom e import *\n") ==
        "(import .:a as a); (import ...b.c:d as d); (import e:* as -)");
  CHECK(tree_in_function("import a.b; from c import d as e") == "(def f() {a e} (import a as a); (import c:d as e))");
  CHECK(refused_text("def f():\n  from a import *\n").starts_with("line 2, column 17: import * is allowed only"));
  CHECK(refused_text("import a.\n") == "line 1, column 10: import needs a name here.");
  CHECK(refused_text("from a import b,\n") == "line 1, column 17: import needs a name here.");
}

TEST_CASE("functions have parameters of all kinds, defaults, types that are forgotten, and decorators") {
  CHECK(tree_of("def f(a, b: int = 1, /, c=2, *args: str, d, e: 'X' = 3, **kwargs) -> Tensor | None: pass\n") ==
        "(def f(a b=1 c=2 *args -d -e=3 **kwargs) {a b c args d e kwargs} pass)");
  CHECK(tree_of("def f(a, *, b, **c,): 'doc'\n") == "(def f(a -b **c) {a b c} 'doc')");
  CHECK(tree_of("f = lambda a, *b, c=1, **d: (a, b)\n") ==
        "(= f (<lambda>(a *b -c=1 **d) {a b c d} (return (, a b))))");
  CHECK(tree_of("@a\n@b.c(1)\ndef f(): pass\n\n@d\nclass E: pass\n") ==
        "(@a @b.c(1) def f() {} pass); (@d class E() {} pass)");
  CHECK(refused_text("def f(:\n    return 1\n") == "line 1, column 7: a parameter needs a name here.");
  CHECK(refused_text("def f()\n    return 1\n") == "line 1, column 8: def needs “:” here.");
  CHECK(refused_text("def f(a, a): pass\n") == "line 1, column 10: two parameters have the name a.");
  CHECK(refused_text("def f(a=1, b): pass\n") ==
        "line 1, column 12: parameters without a default come before those with one.");
  CHECK(refused_text("def f(a, *): pass\n") ==
        "line 1, column 10: after * alone comes a parameter that is given by name.");
  CHECK(refused_text("def f(**a, b): pass\n") == "line 1, column 12: a parameter with ** is the last one.");
  CHECK(refused_text("def f(*a=1): pass\n").starts_with("line 1, column 9: a parameter with * or ** has no default"));
  CHECK(refused_text("def if(): pass\n") == "line 1, column 5: “if” is a word of the language: choose another name.");
  CHECK(refused_text("@a\nb = 1\n") == "line 2, column 1: a line that begins with @ needs “def” here.");
  CHECK(refused_text("return 1\n") == "line 1, column 1: return is allowed only in a function.");
}

TEST_CASE("the locals of a function are its parameters, and then what its body binds") {
  CHECK(tree_in_function("x = y; x += z; u.v = w[0] = 1").starts_with("(def f() {x} "));
  CHECK(tree_of("def f(b):\n"
                "    for i, (j, k) in a: l = b\n"
                "    while (m := 1): n: int\n"
                "    with c as (o, p.q): import r.s\n"
                "    try: t = 1\n"
                "    except E as u: del v\n"
                "    else: [w, *x] = y\n"
                "    finally: from z import aa as bb\n"
                "    if (cc := 1): pass\n"
                "    elif 1: dd = lambda: (ee := 1)\n"
                "    def ff(gg=(hh := 1)): ii = 1\n"
                "    class jj(kk := 1): ll = 1\n"
                "    mm = f'{(nn := 1)}'\n")
            .starts_with("(def f(b) {b i j k l m n o r u t v w x bb cc dd ff hh jj kk mm nn} "));
  CHECK(tree_of("x = 1\nfor i in y: pass\n") == "(= x 1); (for i in y do pass)");
}

TEST_CASE("global and nonlocal names are no locals") {
  CHECK(tree_of("def f():\n    global a, b\n    a = c = 1\n") == "(def f() {c global a b} pass; (= a c 1))");
  CHECK(tree_of("def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n        def h():\n"
                "            nonlocal a\n            a += 1\n") ==
        "(def f() {a g} (= a 1); (def g() {h} pass; (= a 2); (def h() {} pass; (+= a 1))))");
  CHECK(
      tree_of("def f():\n    class A:\n        def g(self):\n            nonlocal a\n            a = 1\n    a = 2\n") ==
      "(def f() {A a} (class A() {g} (def g(self) {self} pass; (= a 1))); (= a 2))");
  CHECK(refused_text("def f():\n    nonlocal a\n") ==
        "line 2, column 14: no function around has a variable a: assign to it there, or write global.");
  CHECK(refused_text("class A:\n  a = 1\n  def f(self):\n    nonlocal a\n")
            .starts_with("line 4, column 14: no function"));
  CHECK(refused_text("nonlocal a\n") == "line 1, column 1: nonlocal is allowed only in a function.");
  CHECK(refused_text("def f(a):\n    global a\n").starts_with("line 2, column 12: a is a parameter here"));
  CHECK(refused_text("def f():\n    a = 1\n    global a\n") ==
        "line 3, column 12: a is assigned to before this line: move the line to the start of the function.");
  CHECK(refused_text("def f():\n    global a\n    nonlocal a\n") ==
        "line 3, column 14: a is nonlocal and global: choose one.");
}

TEST_CASE("classes have bases, keywords and locals; names that begin with __ are theirs alone") {
  CHECK(tree_of("class A(nn.Module, *b, metaclass=M, **k):\n"
                "    'doc'\n    x: int\n    y: int = 1\n    def f(self): self.x = y\n") ==
        "(class A(nn.Module *b metaclass=M **k) {x y f} 'doc'; (: x -); (: y 1); (def f(self) {self} (= self.x y)))");
  CHECK(tree_of("class A: pass\nclass B(): x = 1\n") == "(class A() {} pass); (class B() {x} (= x 1))");
  CHECK(tree_of("class _A:\n    def f(self, __p): return self.__x, __g(__p), self.__y__\nself.__z\n") ==
        "(class _A() {f} (def f(self _A__p) {self _A__p} (return (, self._A__x _A__g(_A__p) self.__y__)))); self.__z");
}

TEST_CASE("functions, classes and files know their program") {
  const auto parsed = program::parse("class A:\n    def f(self): pass\nf = lambda: 1\ndef g(): pass\nx = 1\n", "other");
  CHECK(std::string(parsed->file) == "other");
  const auto& type = std::get<program::DefineClass>(parsed->body.at(0).node).definition;
  CHECK(type->program == parsed.get());
  CHECK(std::get<program::Define>(type->body.at(0).node).function->program == parsed.get());
  CHECK(parsed->last_function()->name == "g");
  CHECK(parsed->last_function()->program == parsed.get());
  CHECK(program::parse("class A:\n    def f(self): pass\n")->last_function() == nullptr);
}

TEST_CASE("what Python has and the language has not is refused where it runs") {
  CHECK(tree_of("def f():\n    a = 1\n    yield a\n    b = yield\n    yield from c\nd\n") ==
        "(def f() {a b} <yield>); d");
  CHECK(tree_of("f = lambda: (yield)\n") == "(= f (<lambda>() {} <yield>))");
  CHECK(tree_of("async def f(a):\n    async with b as c: await d\n    async for e in g: pass\n"
                "    return [x async for x in y]\nh\n") == "(def f(a) {a c e} <async def>); h");
  CHECK(tree_of("match a, b:\n    case [A(x=1), *_] if {1: 2}: c\n    case _:\n        d\ne\n") == "<match>; e");
  CHECK(tree_of("match = 1\nmatch(a)\nmatch[a] = case = 2\n") == "(= match 1); match(a); (= match[a] case 2)");
  CHECK(tree_of("try: a\nexcept* B: c\nd\n") == "<except*>; d");
  CHECK(refused_text("def f(): await x\n") ==
        "line 1, column 10: await is allowed only in a function that begins with async def.");
  CHECK(refused_text("yield 1\n") == "line 1, column 1: yield is allowed only in a function.");
  // The place of the refusal is that of the yield.
  const auto parsed = program::parse("def f():\n    yield 1\n");
  const program::Place place = parsed->last_function()->body.at(0).place;
  CHECK(std::pair(place.line, place.column) == std::pair(2, 5));
}

TEST_CASE("what nests too deep, or has too many operations, is refused with a sentence") {
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  const auto nested = [&](const std::string& open, const std::string& close) {
    return refused_text("x = " + repeated(open, 200) + "1" + repeated(close, 200) + "\n");
  };
  for (const auto& [open, close] : std::vector<std::pair<std::string, std::string>>{{"(", ")"},
                                                                                    {"[", "]"},
                                                                                    {"{1: ", "}"},
                                                                                    {"f(", ")"},
                                                                                    {"a[", "]"},
                                                                                    {"-", ""},
                                                                                    {"not ", ""},
                                                                                    {"1 ** ", ""},
                                                                                    {"lambda: ", ""},
                                                                                    {"1 if 2 else ", ""},
                                                                                    {"[1 for x in ", "]"},
                                                                                    {"(x := ", ")"},
                                                                                    {"[*", "]"},
                                                                                    {"{**", "}"},
                                                                                    {"a[*", "]"},
                                                                                    {"[x for x in y if ", "]"},
                                                                                    {"lambda: (yield ", ")"}})
    CHECK(nested(open, close).find("nested more than 60 deep here") != std::string::npos);
  std::string blocks;
  for (int i = 0; i < 100; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "if a:\n";
  CHECK(refused_text(blocks).find("nested more than 60 deep here") != std::string::npos);
  CHECK(tree_of("x = " + repeated("(", 50) + "1" + repeated(")", 50) + "\n") == "(= x 1)");
  CHECK(refused_text("x = 1" + repeated("+1", 3000) + "\n") ==
        "line 1, column 408: more than 200 operations in a row: give a part of them a name.");
  CHECK(refused_text("x = a" + repeated(".b", 3000) + "\n").find("more than 200 operations in a row") !=
        std::string::npos);
  std::string within = repeated("(", 15) + "1";
  for (int i = 0; i < 15; ++i) within += repeated("+1", 100) + ")";
  CHECK(refused_text("x = " + within + "\n").find("more than 1000 operations within one another") != std::string::npos);
  // Many beside one another are fine.
  CHECK(tree_of("x = [" + repeated("a.b(-c[0] + d), ", 2000) + "]\n").size() > 30'000);
  CHECK(refused_text(std::string(70'000, '\n')) == "The program has 70000 bytes: at most 65536 are allowed.");
}
