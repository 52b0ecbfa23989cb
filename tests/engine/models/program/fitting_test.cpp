// A program that is too large is refused with a number to lower, and a value that fits.
#include <string>

#include "engine/models/model.h"
#include "engine/tensor/error.h"
#include "tests/engine/support/test.h"

namespace unroll {
namespace {

// A GPT with as many weights as the published one.
const std::string gpt = R"(
import torch
from dataclasses import dataclass
from torch import nn

class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd)
        self.c_fc = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.back = nn.Linear(4 * config.n_embd, config.n_embd)

    def forward(self, x):
        x = x + self.c_proj(self.c_attn(x).split(x.shape[-1], dim=2)[2])
        return x + self.back(self.c_fc(x))

@dataclass
class GPTConfig:
    block_size: int = 1024
    vocab_size: int = 50304
    n_layer: int = 12
    n_head: int = 12
    n_embd: int = 768

class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.wpe = nn.Embedding(config.block_size, config.n_embd)
        self.h = nn.ModuleList([Block(config) for _ in range(config.n_layer)])
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.wte.weight = self.lm_head.weight

    def forward(self, idx):
        x = self.wte(idx) + self.wpe(torch.arange(idx.shape[1]))
        for block in self.h:
            x = block(x)
        return self.lm_head(x)[:, :, :VOCABULARY]

)";

Config config_of(const std::string& program) {
  return {{"kind", std::string("program_lm")}, {"vocabulary", 8.0}, {"program", program}};
}

std::string refusal_of(const std::string& program) {
  try {
    make_model(config_of(program));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a GPT of the published size is refused with a width that fits") {
  const std::string refusal = refusal_of(gpt + "model = GPT(GPTConfig())\n");
  CAPTURE(refusal);
  CHECK(refusal.starts_with("line 30, column 22: the operations"));
  CHECK(refusal.ends_with("Lower n_embd on line 25 from 768 to 96: that fits."));
  CHECK(refusal_of(gpt + "model = GPT(GPTConfig(n_embd=96))\n").empty());
  CHECK_FALSE(refusal_of(gpt + "model = GPT(GPTConfig(n_embd=192))\n").empty());
}

TEST_CASE("the number to lower is named in each form of a configuration") {
  const auto ends = [](const std::string& program, const std::string& end) {
    const std::string refusal = refusal_of(program);
    CAPTURE(refusal);
    CHECK(refusal.ends_with(end));
  };
  const std::string head = "import torch\nfrom torch import nn\n",
                    forward =
                        "class M(nn.Module):\n"
                        "    def __init__(self, d, n_layer=2):\n"
                        "        super().__init__()\n"
                        "        self.e = nn.Embedding(VOCABULARY, d)\n"
                        "        self.h = nn.ModuleList([nn.Linear(d, d) for _ in range(n_layer)])\n"
                        "    def forward(self, idx):\n"
                        "        x = self.e(idx)\n"
                        "        for each in self.h: x = each(x)\n"
                        "        return x @ self.e.weight.T\n";
  ends(head + forward + "model = M(4096)\n", "Lower d on line 12 from 4096 to 2048: that fits.");
  ends(head + forward + "model = M(d=4096)\n", "Lower d on line 12 from 4096 to 2048: that fits.");
  ends(head + "n_embd = 4096\n" + forward + "model = M(n_embd)\n",
       "Lower n_embd on line 3 from 4096 to 2048: that fits.");
  ends(head + "n_layer, n_embd = 2, 3_072\n" + forward + "model = M(n_embd, n_layer)\n",
       "Lower n_layer on line 3 from 2 to 1: that fits.");
  ends(head + forward + "sizes = {\"n_embd\": 4096}\nmodel = M(sizes[\"n_embd\"])\n",
       "Lower n_embd on line 12 from 4096 to 2048: that fits.");
  // Also what a run computes, besides the parameters.
  ends(
      "rows = 16000\ndef forward(ids):\n    x = zeros(rows, rows)\n    E = parameter('E', (VOCABULARY, 8))\n"
      "    return E[ids] @ E.T\n",
      "Lower rows on line 1 from 16000 to 8000: that fits.");
}

TEST_CASE("a program that no number makes smaller is refused as before") {
  CHECK(refusal_of("def forward(ids):\n    x = zeros(16000, 16000)\n    return x\n")
            .ends_with("make them smaller, or fewer."));
}

}  // namespace unroll
