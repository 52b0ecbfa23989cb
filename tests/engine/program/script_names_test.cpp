// A program that leaves the lab names nothing that leads out of computing, not even where it does not run here.
#include "engine/program/pytorch.h"
#include "tests/engine/support/programs.h"
#include "tests/engine/support/sources.h"

namespace {

std::string script_of(const std::string& text) { return program::pytorch_script({text, "f", {}, {}, {}}); }

// The lines of the program in its script.
std::string lines_of(const std::string& text) {
  const std::string script = script_of(text), begin = "# ---- program ----\n", end = "\n# ---- end of program ----";
  const std::size_t from = script.find(begin) + begin.size();
  return script.substr(from, script.find(end) - from);
}

std::string refusal_of(const std::string& text) { return REFUSAL(program, script_of(text)); }

// Refused where it has run.
std::string refusal_of_line(const std::string& line) { return refusal_of("import torch\n" + line + "\n"); }

// In a function, where it may not have run.
std::string within(const std::string& line) { return "import torch\ndef f(x=1):\n    " + line + "\n    return x\n"; }

bool is_left_out(const std::string& line) {
  const std::string raise = "raise NotImplementedError(\"not part of this script\")  # ";
  return lines_of(within(line)) == within(raise + line);
}

}  // namespace

TEST_CASE("a script contains no name that only Python has, also where it does not run") {
  for (const std::string name :
       {"open", "eval",       "exec",       "compile", "__import__",     "globals",    "locals",
        "vars", "memoryview", "breakpoint", "help",    "__builtins__",   "__loader__", "os",
        "sys",  "_builtins",  "_torch",     "_json",   "_attributes_of", "nobody"}) {
    CAPTURE(name);
    CHECK(refusal_of_line("y = " + name).ends_with("nothing here has the name " + name + "."));
    CHECK(is_left_out("y = " + name + "('x')"));
    CHECK(is_left_out("y = f'{" + name + "}'"));
    CHECK(is_left_out("y = f'{x:{" + name + "}}'"));
    CHECK(is_left_out("y = lambda z=" + name + ": z"));
    CHECK(is_left_out("y = lambda z: " + name + "(z)"));
    CHECK(is_left_out("y = [" + name + " for z in x]"));
    CHECK(is_left_out("raise ValueError from " + name));
  }
}

TEST_CASE("what is left out keeps the lines below at their numbers, and other lines as they are") {
  const std::string text =
      "import torch\n"
      "class A:\n"
      "    @classmethod\n"
      "    def load(cls, name):\n"
      "        from transformers import GPT2\n"
      "        if name == 'a':\n"
      "            weights = open(\n"
      "                name)\n"
      "        elif open:  # really\n"
      "            pass\n"
      "        else: pass\n"
      "        a = 1; b = eval('2'); c = 3\n"
      "        return a\n"
      "    async def later(self):\n"
      "        await open('x')\n"
      "    @torch.no_grad()\n"
      "    def all(self):\n"
      "        yield eval('1')\n"
      "def f(x=1):\n"
      "    return x\n";
  CHECK(lines_of(text) ==
        "import torch\n"
        "class A:\n"
        "    @classmethod\n"
        "    def load(cls, name):\n"
        "        pass  # from transformers import GPT2\n"
        "        raise NotImplementedError(\"not part of this script\")  # if name == 'a':\n"
        "#             weights = open(\n"
        "#                 name)\n"
        "#         elif open:  # really\n"
        "#             pass\n"
        "#         else: pass\n"
        "        a = 1; raise NotImplementedError(\"not part of this script\"); c = 3\n"
        "        return a\n"
        "    def later(*_, **__): raise NotImplementedError(\"not part of this script\")  # async def later(self):\n"
        "#         await open('x')\n"
        "    def all(*_, **__): raise NotImplementedError(\"not part of this script\")  # @torch.no_grad()\n"
        "#     def all(self):\n"
        "#         yield eval('1')\n"
        "def f(x=1):\n"
        "    return x\n");
}

TEST_CASE("what is left out binds no name, so that what uses this name is left out as well") {
  CHECK(lines_of("def f(x=1):\n    if x > 5:\n        y = eval('x')\n        return y\n    return x\n")
            .find("\n        raise NotImplementedError(\"not part of this script\")  # return y\n") !=
        std::string::npos);
  CHECK(lines_of("def f(x=1):\n    if x > 5:\n        open = eval('x')\n        open('y')\n    return x\n")
            .find("# open('y')\n") != std::string::npos);
}

TEST_CASE("a variable outside of functions has no name of Python's own, which it means before it is bound") {
  CHECK(refusal_of("if 1 > 2:\n    x = 1\nopen = 3\ndef f(x=1):\n    return x\n") ==
        "line 3, column 1: open is a name of Python's own, and this program is to run there: choose another.");
  for (const char* line :
       {"def exec(): return 1", "class eval: pass", "import torch as getattr", "from math import sqrt as open",
        "with x as open: pass", "(open := 1)", "open: int = 1", "del open", "[open, y] = 1, 2", "type = 1",
        "setattr = 1", "__builtins__ = 1", "__name__ = 'a'"}) {
    CAPTURE(line);
    CHECK(refusal_of_line("x = 1\n" + std::string(line)).find("is a name of Python's own") != std::string::npos);
  }
  CHECK(lines_of("def g():\n    global open\n    open = 1\ndef f(): return 1\n").find("# open = 1") !=
        std::string::npos);
  CHECK(refusal_of_line("_builtins = 1")
            .ends_with("_builtins is a name of the script that runs this program under "
                       "PyTorch: choose another."));
  CHECK(refusal_of_line("class A:\n    open = 1\n    y = open").find("the name open") != std::string::npos);
  CHECK(refusal_of_line("class A:\n    _builtins = 1\n    y = _builtins").find("the name _builtins") !=
        std::string::npos);
  script_of("def f(open=1, eval=2):\n    type = lambda compile: compile\n    return [vars for vars in type(open)]\n");
}

TEST_CASE("a package is no value, and of its members a script has those of the lab") {
  for (const char* line :
       {"y = torch", "y = [torch]", "y = torch.nn", "print(torch)", "y = lambda t=torch: t", "for each in torch: pass",
        "y = torch.nn.functional", "f'{torch}'", "torch.x = 1", "torch.nn.x = 1", "del torch.nn.Linear"}) {
    CAPTURE(line);
    CHECK(is_left_out(line));
    CHECK_FALSE(refusal_of_line(line).empty());
  }
  for (const std::string path : {"torch.load",
                                 "torch.save",
                                 "torch.hub",
                                 "torch.hub.load",
                                 "torch.ops.load_library",
                                 "torch.os",
                                 "torch.sys",
                                 "torch._C",
                                 "torch.jit.script",
                                 "torch.utils.data",
                                 "torch.nn.functional.torch",
                                 "torch.nn.functional.math",
                                 "torch.nn.functional.warnings",
                                 "torch.serialization.pickle",
                                 "torch.nn.__class__",
                                 "torch.__dict__",
                                 "torch.compile",
                                 "torch.set_default_tensor_type",
                                 "torch.random",
                                 "torch.storage",
                                 "torch.package"}) {
    CAPTURE(path);
    CHECK_FALSE(refusal_of_line("y = " + path).empty());
    CHECK(is_left_out("y = " + path + "('x')"));
  }
  for (const std::string package : {"os", "sys", "subprocess", "pickle", "io", "importlib", "builtins", "ctypes",
                                    "inspect", "operator.os", "torch.utils.cpp_extension", "torch.hub", ".secret"}) {
    CAPTURE(package);
    CHECK(lines_of("import torch\ndef f(x=1):\n    from " + package + " import system\n    return x\n")
              .find("    from " + package) == std::string::npos);
  }
  script_of(
      "import torch, math as m\nfrom torch import nn\nimport torch.nn.functional as F\n"
      "def f(x=1):\n    from torch.nn import functional\n    y = nn.Linear, F.relu, functional.relu, torch.nn.Module\n"
      "    return hasattr(torch.nn, 'x'), m.sqrt(x), torch.relu\n");
}

TEST_CASE("a variable that holds a package is one wherever it is seen") {
  CHECK(is_left_out("y = lambda: torch"));
  CHECK(refusal_of_line("def g(torch):\n    return torch.anything\nx = 1\ny = torch.anything") ==
        "line 5, column 10: torch.anything is not among what a script for PyTorch may use.");
  const std::string text = "def f(x=1):\n    import torch as t\n    def g():\n        return t.load\n    return x\n";
  CHECK(lines_of(text).find("# return t.load") != std::string::npos);
  const std::string outer =
      "def f(x=1):\n    t = 1\n    def g():\n        nonlocal t\n        import torch as t\n    g()\n    return "
      "t.load\n";
  CHECK(lines_of(outer).find("# return t.load") != std::string::npos);
  CHECK(refusal_of_line("class A:\n    import torch.nn as nn").find("means something to Python itself") !=
        std::string::npos);
}

TEST_CASE("a script names what it imports with a star, and imports no types of others") {
  CHECK(lines_of("from torch.nn.functional import *\ntorch = 1\ndef f(x=1):\n    return relu(x), softmax, load\n")
            .starts_with("from torch.nn.functional import relu, softmax  # from torch.nn.functional import *\n"));
  CHECK(lines_of("from __future__ import annotations\nimport os, math\nfrom jaxtyping import Float\n"
                 "def f(x: Float = 1) -> open('x'):\n    y: eval('2') = 1\n    return math.sqrt(x)\n")
            .starts_with("pass  # from __future__ import annotations\nimport math  # import os, math\npass  # from"));
  CHECK(script_of("def f(x: open('x') = 1):\n    return x\n").find("from __future__ import annotations\n") == 36);
}

TEST_CASE("no attribute leads to Python itself") {
  for (const std::string name : {"__class__",
                                 "__globals__",
                                 "__subclasses__",
                                 "__builtins__",
                                 "__bases__",
                                 "__mro__",
                                 "__base__",
                                 "__code__",
                                 "__closure__",
                                 "__func__",
                                 "__self__",
                                 "__module__",
                                 "__reduce__",
                                 "__reduce_ex__",
                                 "__getattribute__",
                                 "__getattr__",
                                 "__setattr__",
                                 "__annotations__",
                                 "__array_interface__",
                                 "__traceback__",
                                 "__wrapped__",
                                 "__loader__",
                                 "__import__",
                                 "gi_frame",
                                 "f_globals",
                                 "f_back",
                                 "tb_frame",
                                 "cr_frame",
                                 "format_map",
                                 "format",
                                 "tofile",
                                 "dump",
                                 "ctypes",
                                 "storage",
                                 "untyped_storage",
                                 "mro",
                                 "_convert_",
                                 "__x"}) {
    CAPTURE(name);
    CHECK(refusal_of_line("x = 1\ny = x." + name) ==
          "line 3, column 6: " + name + " leads from a value to Python itself, so no script for others may have it.");
    CHECK(is_left_out("y = x." + name));
    CHECK(is_left_out("x." + name + " = 1"));
    CHECK(is_left_out("del x." + name));
    CHECK(is_left_out("for x." + name + " in [1]: pass"));
    CHECK(is_left_out("y = f'{x." + name + "}'"));
  }
  for (const char* line : {"x.__init__ = 1", "x.__dict__ = {}", "x.y.__dict__", "f().__dict__", "x.__class__.__bases__",
                           "torch.nn.Linear.forward = x", "'{0.__class__}'.format(x)", "'{0[a]}'.format(x)",
                           "'{:{0.a}}'.format(x)", "str.format('{0.a}', x)", "('{0' + '.a}').format(x)"}) {
    CAPTURE(line);
    CHECK(is_left_out(line));
  }
  const std::string harmless = "super().__init__(x.__class__.__name__, x.__len__(), type(x).__name__)";
  CHECK(lines_of(within(harmless)) == within(harmless));
  CHECK(lines_of("def f(x=1):\n    y = '{0:.2f} of {{}} {}'.format(x, 2)\n    return f'{x.__dict__}'\n") ==
        "def f(x=1):\n    y = '{0:.2f} of {{}} {}'.format(x, 2)\n    return f'{_attributes_of(x)}'\n");
}

TEST_CASE("a class defines no name that Python or a package asks for") {
  for (const std::string name :
       {"__array_interface__", "__annotations__", "__getattr__", "__getattribute__", "__setattr__", "__reduce__",
        "__class__", "__module__", "__slots__", "__torch_function__", "__cuda_array_interface__", "__dict__",
        "__prepare__", "__set_name__", "__del__"}) {
    CAPTURE(name);
    for (const std::string& line : {name + " = 1", "def " + name + "(self): pass", "class " + name + ": pass",
                                    name + ": dict = {}", "for " + name + " in [1]: pass", "(" + name + " := 1)"}) {
      CAPTURE(line);
      CHECK(refusal_of_line("class A:\n    " + line).find("means something to Python itself") != std::string::npos);
    }
  }
  script_of(
      "class A:\n    def __init__(self): self.x = 1\n    def __call__(self): return 1\n    __private = 2\n"
      "    def __len__(self): return self.__private\ndef f(): return A()\n");
}

TEST_CASE("a script has functions of its own for attributes whose names are computed") {
  const std::string script = script_of(
      "import torch\nfrom torch import nn\nfrom dataclasses import dataclass, field\nfrom enum import IntEnum\n"
      "def f(x=1):\n    setattr(x, 'a', getattr(x, 'b'))\n    return type(x), getattr(nn, 'GRU'), nn.ParameterDict\n");
  for (const char* part :
       {"\ndef getattr(", "\ndef setattr(", "\ndef type(", "\ndef _checked(", "\"torch.nn\": \"\"\"", " GRU ",
        "\n_dataclasses.Field.__setattr__ = ", "._create_ = ", ".ParameterDict.__setitem__ = "})
    CHECK_MESSAGE(script.find(part) != std::string::npos, std::string(part));
  CHECK(script.find("\"functional\"") == std::string::npos);
  CHECK(script.find("\ndef delattr(") == std::string::npos);
  CHECK(is_left_out("y = lambda getattr: getattr(torch, 'a')"));
}

TEST_CASE("a program without imports has the lab's names, others those that they use") {
  const std::string plain = script_of("def f(x=1):\n    return relu(x)\n");
  for (const char* part : {"\nexp, log, tanh", "\ndef embedding(", "\nsoftmax, log_softmax = "})
    CHECK(plain.find(part) != std::string::npos);
  const std::string other = script_of("import torch\ndef f(x=1):\n    return embedding(x), torch.softmax(x, 0)\n");
  CHECK(other.find("\ndef embedding(") != std::string::npos);
  CHECK(other.find("\nexp, log") == std::string::npos);
  CHECK(other.find("\n_torch.softmax, _torch.log_softmax = ") != std::string::npos);
}

TEST_CASE("names that the program binds, and those of the language, are known") {
  script_of(
      "A, B = 1, 2\n\ndef g(open, n=B):\n    return open + n\n\ndef f(x=ones(2)):\n"
      "    for i, each in enumerate([A, inf]):\n        x = x + each * i\n"
      "    later = [a * b for a, b in zip([1], [2]) if a > 0]\n"
      "    return g(x, n=len(later)) + x.softmax(-1).T + later[0]\n");
  program::NamedValues sizes;
  for (const char* name : {"PAD", "VOCABULARY", "SOURCE_VOCABULARY", "TARGET_VOCABULARY"})
    sizes.emplace_back(name, true);
  for (const std::string name : {"attention", "bahdanau", "gpt", "average", "neighbours"}) {
    const std::string text = source_text("lessons/programs/" + name + ".py");
    CHECK(program::pytorch_script({text, "f", {}, {}, sizes}).find(text) != std::string::npos);
  }
}

TEST_CASE("a carriage return alone, which ends a line in Python, is refused anywhere") {
  for (const char* text : {"# note\rimport os\n", "x = 1\ry = 2\n", "x = 'a\rb'\n", "x = 1\r"}) {
    CAPTURE(text);
    CHECK(REFUSAL(program, program::parse(text)).find("carriage return alone") != std::string::npos);
  }
  program::parse("x = 1\r\n# note\r\ny = 2\r\n");
}
