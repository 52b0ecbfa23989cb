// What can be imported, and what its use is refused with.
#include "engine/program/packages.h"

#include <cmath>

#include "engine/program/real_functions.h"
#include "tests/engine/support/programs.h"

namespace {

std::string with(const std::string& imports, const std::string& expression) {
  return imports + "\ndef f():\n    return " + expression + "\n";
}

std::string text_with(const std::string& imports, const std::string& expression) {
  const program::Value value = value_of(with(imports, expression));
  REQUIRE(value.is<std::string>());
  return *value.as<std::string>();
}

}  // namespace

TEST_CASE("a package is found under the names that imports give it") {
  CHECK(number_of(with("import math", "math.sqrt(16)")) == 4);
  CHECK(number_of(with("import math as m", "m.floor(2.5)")) == 2);
  CHECK(number_of(with("from math import sqrt as root, pi", "root(9) + pi")) == doctest::Approx(6.141592653589793));
  CHECK(number_of(with("import torch.nn.functional as F, torch", "F.softmax(torch.zeros(2), dim=0).sum().item()")) ==
        1);
  CHECK(number_of(with("from torch import *", "zeros(3).sum().item()")) == 0);
  CHECK(refused(with("import maths", "1"))
            .starts_with("line 1, column 1: there is no package maths here: torch, torch.nn,"));
}

TEST_CASE("torch has what PyTorch has: no gelu, no python functions") {
  CHECK(refused(with("import torch", "torch.gelu(torch.zeros(2))")).find("torch has no attribute gelu") !=
        std::string::npos);
  CHECK(refused(with("import torch", "torch.sofmax(1)")).find("Did you mean softmax?") != std::string::npos);
  CHECK(
      *value_of(with("import torch.nn.functional as F", "hasattr(F, 'gelu') and not hasattr(F, 'zeros')")).as<bool>());
  CHECK(text_with("import torch", "str(torch.float) + str(torch.device('cuda:0'))") == "torch.float32cuda:0");
  CHECK(*value_of(with("import torch", "torch.zeros(2).dtype == torch.float32")).as<bool>());
}

TEST_CASE("packages around a model can be imported, and their use is refused") {
  CHECK(number_of(
            with("import torch.optim as optim\nfrom tqdm import tqdm\nimport os, matplotlib.pyplot as plt", "1")) == 1);
  CHECK(refused(with("import torch.optim as optim", "optim.AdamW([])")).find("torch.optim.AdamW is not here") !=
        std::string::npos);
  CHECK(refused(with("from tqdm import tqdm", "tqdm([1])")).find("tqdm.tqdm is not here") != std::string::npos);
  CHECK(refused(with("import os", "os.path.join('a', 'b')")).find("os.path is of Python outside") != std::string::npos);
  CHECK(number_of("from torch.utils.data import Dataset\nclass D(Dataset):\n    pass\ndef f():\n    return 1\n") == 1);
}

TEST_CASE("each file of the library can be parsed and run") {
  const char* packages[] = {"builtins",
                            "functools",
                            "collections",
                            "itertools",
                            "copy",
                            "dataclasses",
                            "typing",
                            "operator",
                            "abc",
                            "enum",
                            "contextlib",
                            "warnings",
                            "logging",
                            "string",
                            "types",
                            "numpy",
                            "numpy.random",
                            "einops",
                            "torch",
                            "torch.cuda",
                            "torch.jit",
                            "torch.nn",
                            "torch.nn.functional",
                            "torch.nn.init",
                            "torch.nn.utils.rnn",
                            "torch.utils.data",
                            "einops.layers.torch"};
  for (const char* name : packages) {
    CAPTURE(name);
    const auto parsed = program::parse("def f():\n    return 1\n");
    program::Interpreter interpreter(*parsed, {});
    interpreter.run();
    const std::optional<program::Value> package = program::find_package(name);
    REQUIRE(package);
    const std::vector<std::string> names = program::names_in(*package->as<program::Package>());
    CHECK_FALSE(names.empty());
    for (const std::string& member : names) {
      CAPTURE(member);
      CHECK(program::find_member(interpreter, *package->as<program::Package>(), member));
    }
  }
}

TEST_CASE("the functions of math are exact where the result is, and refuse what has none") {
  namespace doubles = program::doubles;
  CHECK(doubles::log2(8) == 3);
  CHECK(doubles::log10(1000) == 3);
  CHECK(doubles::exp(0) == 1);
  CHECK(doubles::pow(3, 20) == 3486784401.0);
  CHECK(doubles::pow(2, -1074) == 5e-324);
  CHECK(doubles::sin(1e6) == -0.34999350217129294);
  CHECK(doubles::tanh(0.5) == 0.46211715726000973);
  CHECK(doubles::erfc(10) == 2.088487583762545e-45);
  CHECK(refused(with("import math", "math.log(0)")).find("math domain error") != std::string::npos);
  CHECK(refused(with("import math", "math.exp(1000)")).find("math range error") != std::string::npos);
}

TEST_CASE("copies share nothing with what they were made of, and among themselves what was shared") {
  CHECK(text_with("import copy", "str(copy.deepcopy([[1], {'a': (2, [3])}]))") == "[[1], {'a': (2, [3])}]");
  CHECK(*value_of("import copy\ndef f():\n    a = [0]\n    b = copy.deepcopy([a, a])\n    b[0].append(1)\n"
                  "    return b == [[0, 1], [0, 1]] and a == [0]\n")
             .as<bool>());
}

TEST_CASE("einops: axes by their names") {
  const std::string imports = "import torch\nfrom einops import rearrange, reduce, repeat, einsum";
  CHECK(*value_of(with(imports, "rearrange(torch.zeros(2, 6, 3), 'b (h d) t -> b h t d', h=2).shape == (2, 2, 3, 3)"))
             .as<bool>());
  CHECK(*value_of(with(imports, "repeat(torch.arange(2), 'a -> (r a)', r=2).tolist() == [0, 1, 0, 1]")).as<bool>());
  CHECK(*value_of(with(imports, "reduce(torch.ones(2, 3), '... t -> ...', 'sum').tolist() == [3.0, 3.0]")).as<bool>());
  CHECK(refused(with(imports, "rearrange(torch.zeros(2, 3), 'a b c -> a b c')")).find("3 axes on its left") !=
        std::string::npos);
}
