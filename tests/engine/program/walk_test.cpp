// The walk over a program's tree reaches every name, in functions, lambdas, classes and formats, too.
#include "engine/program/walk.h"

#include "tests/engine/support/test.h"

namespace {

// The names that stand in expressions, in the order of the walk.
std::string names_within(const std::string& text) {
  const auto program = program::parse(text);
  std::string all;
  program::for_each_within(program->body, [&](const program::Expression& each) {
    if (const auto* name = std::get_if<program::Name>(&each.node)) all += program->names[name->symbol] + " ";
  });
  return all;
}

}  // namespace

TEST_CASE("the walk reaches what is in each expression, in the order of the text") {
  CHECK(names_within("f'{a!r:{b}}' + c[d, e:f:g, ...] * -h\n") == "a b c d e f g h ");
  CHECK(names_within("[a, (b, *c), {d}, {e: f, **g}]\n") == "a b c d e f g ");
  CHECK(names_within("{a: b for c, d in e if f for g in h}\n") == "a b c d e f g h ");
  CHECK(names_within("a(b, *c, d=e, **f).g(x := h)\n") == "a b c e f h ");
  CHECK(names_within("a if b < c is d else (e and not f)\n") == "a b c d e f ");
  CHECK(names_within("lambda x, y=a: b\n") == "a b ");
  CHECK(names_within("1, 'a', None, 2j, ...\n").empty());
}

TEST_CASE("the walk reaches what is in each statement") {
  CHECK(names_within("a = b.x = c\nd += e\nf: int = g\ndel h\nassert i, j\nraise k\n") == "a b c d e f g h i j k ");
  CHECK(names_within("if a: b\nelif c: d\nelse: e\nwhile f: g\nelse: h\nfor i in j: k\nelse: l\n") ==
        "a b c d e f g h i j k l ");
  CHECK(names_within("try: a\nexcept b as x: c\nelse: d\nfinally: e\nwith f as g, h: i\n") == "a b c d e f g h i ");
  CHECK(names_within("@a\ndef x(y, z=b, *, t=c): return d\n") == "a b c d ");
  CHECK(names_within("@a\nclass X(b, c=d):\n    e = f\n    def y(self): g\n") == "a b d e f g ");
  CHECK(names_within("import a\nfrom b import c\npass\nglobal d\nasync def x(y=e): f\nmatch g:\n  case h: i\n") ==
        "e ");
}

TEST_CASE("the walk tells of each statement before what is in it") {
  const auto program = program::parse("if a:\n    def f():\n        b\nclass C:\n    c\n");
  std::vector<int> lines;
  program::for_each_within(program->body, {},
                           [&](const program::Statement& each) { lines.push_back(each.place.line); });
  CHECK(lines == std::vector{1, 2, 3, 4, 5});
}
