// Which of a program's modules is its model, and what a class that forgets nn.Module's __init__ is told.
#include <string>

#include "engine/models/model.h"
#include "engine/tensor/error.h"
#include "tests/engine/support/test.h"

namespace {

const std::string net =
    "import torch\nfrom torch import nn\n"
    "class Net(nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.out = nn.Linear(3, 2)\n"
    "    def forward(self, x=torch.ones(4, 3)):\n"
    "        return self.out(x)\n";

std::vector<std::string> parameters_in(const std::string& program) {
  const auto model = make_model({{"kind", std::string("program")}, {"program", program}});
  model->loss();
  std::vector<std::string> names;
  for (const Parameter& each : model->parameters().all()) names.push_back(each.name);
  return names;
}

}  // namespace

TEST_CASE("a loss beside a model is no model: the parameters keep their names") {
  const std::vector<std::string> names{"out.weight", "out.bias"};
  CHECK(parameters_in(net + "model = Net()\n") == names);
  CHECK(parameters_in(net + "model = Net()\ncriterion = nn.CrossEntropyLoss()\n") == names);
  CHECK(parameters_in(net + "criterion = nn.CrossEntropyLoss()\nmodel = Net()\n") == names);
}

TEST_CASE("a layer cannot be assigned before super().__init__()") {
  for (const char* part : {"nn.Linear(3, 2)", "nn.Parameter(torch.ones(3))"}) {
    const std::string program =
        "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        self.out = " +
        std::string(part) + "\n    def forward(self, x=torch.ones(3)):\n        return x\nmodel = Net()\n";
    CHECK_THROWS_WITH_AS(
        make_model({{"kind", std::string("program")}, {"program", program}}),
        doctest::Contains("line 5, column 13: Net is no model yet: begin its __init__ with super().__init__()"), Error);
  }
}
