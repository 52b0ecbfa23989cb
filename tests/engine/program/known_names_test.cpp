// A program that leaves the lab names nothing that only Python has, not even where it does not run here.
#include "engine/program/pytorch.h"
#include "tests/engine/support/programs.h"
#include "tests/engine/support/sources.h"

namespace {

void check_names(const std::string& text) { program::refuse_unknown_names(program::parse(text), {"PAD"}); }
std::string refusal_of(const std::string& text) { return REFUSAL(program, check_names(text)); }

std::string within(const std::string& expression) {
  return "def f(x=ones(2)):\n    if x.sum() > 5:\n        y = " + expression + "\n    return x\n";
}

}  // namespace

TEST_CASE("names and attributes that only Python has are refused, by an exported script, too") {
  for (const char* name : {"open", "eval", "exec", "__import__", "getattr", "torch", "os", "_torch"}) {
    CAPTURE(name);
    CHECK(refusal_of(within(std::string(name) + "('x')"))
              .ends_with("nothing here has the name " + std::string(name) + "."));
  }
  CHECK(refusal_of(within("f'{open(1)}'")).ends_with("nothing here has the name open."));
  CHECK(refusal_of(within("[i for i in range(3)] + [i]")).ends_with("nothing here has the name i."));
  CHECK(refusal_of("def f(open):\n    return open\n\ndef g(x=ones(2)):\n    return open\n").starts_with("line 5"));
  for (const char* name : {"numpy", "__class__", "storage", "data"}) {
    CAPTURE(name);
    CHECK(
        refusal_of(within("x." + std::string(name))).ends_with("nothing here has a method " + std::string(name) + "."));
  }
  CHECK(REFUSAL(program, program::pytorch_script({within("open('x')"), "f", {}, {}, {}})).starts_with("line 3"));
}

TEST_CASE("a variable outside of functions has no name of Python's own") {
  CHECK(refusal_of("if 1 > 2:\n    open = 3\n\n" + within("open('x')")) ==
        "line 2, column 5: open is a name of Python's own, and this program is to run there: choose another.");
  CHECK(refusal_of("for eval in [1]:\n    pass\n\ndef f():\n    return 1\n").find("eval is a name") !=
        std::string::npos);
  CHECK(refusal_of("def exec():\n    return 1\n").find("exec is a name") != std::string::npos);
}

TEST_CASE("names that the program binds, and those of the language, are known") {
  check_names(
      "A, B = 1, 2\n\ndef g(open, n=B):\n    return open + n\n\ndef f(x=ones(2)):\n"
      "    for i, each in enumerate([A, inf]):\n        x = x + each * i * PAD\n"
      "    later = [a * b for a, b in zip([1], [2]) if a > 0]\n"
      "    return g(x, n=len(later)) + x.softmax(-1).T + later[0]\n");
  const std::set<std::string> sizes = {"PAD", "VOCABULARY", "SOURCE_VOCABULARY", "TARGET_VOCABULARY"};
  for (const std::string name : {"attention", "bahdanau", "gpt", "average", "neighbours"})
    program::refuse_unknown_names(program::parse(source_text("lessons/programs/" + name + ".py")), sizes);
}

TEST_CASE("a carriage return alone, which ends a line in Python, is refused anywhere") {
  for (const char* text : {"# note\rimport os\n", "x = 1\ry = 2\n", "x = 'a\rb'\n", "x = 1\r"}) {
    CAPTURE(text);
    CHECK(REFUSAL(program, program::parse(text)).find("carriage return alone") != std::string::npos);
  }
  program::parse("x = 1\r\n# note\r\ny = 2\r\n");
}
