// What of a pasted file is kept, what is left out and why; and the lines that join its models to the lab.
#include "engine/program/paste.h"

#include "engine/program/joining.h"
#include "tests/engine/support/programs.h"

namespace {

// "1–2: reads files or the network (open)"
std::vector<Text> left_out(const Text& file) {
  std::vector<Text> lines;
  for (const program::LeftOut& each : program::read_paste(file).left_out)
    lines.push_back(std::to_string(each.first) + "–" + std::to_string(each.last) + ": " + each.reason.english);
  return lines;
}

Text kept(const Text& file) { return program::read_paste(file).text; }

std::vector<program::Joining> joinings(const Text& file) { return program::joinings_of(*program::parse(file)); }

// Of the likeliest model.
Text joining(const Text& file) {
  const auto all = joinings(file);
  return all.empty() ? "" : all[0].text;
}

const Text imports = "import torch\nimport torch.nn as nn\n";

// An embedding and a projection, with this forward.
Text text_model(const Text& forward) {
  return imports +
         "class Tiny(nn.Module):\n"
         "    def __init__(self, vocab_size, n_embd, dropout=0.1):\n"
         "        super().__init__()\n"
         "        self.table = nn.Embedding(vocab_size, n_embd)\n"
         "        self.head = nn.Linear(n_embd, vocab_size)\n" +
         forward;
}

}  // namespace

TEST_CASE("a pasted file keeps what its models need, unchanged, and says why the rest is left out") {
  const Text file =
      "# licence\n"                                                      // 1
      "import torch\n"                                                   // 2
      "import torch.nn as nn\n"                                          // 3
      "from tqdm import tqdm\n"                                          // 4
      "\n"                                                               // 5
      "width = 8  # of the vectors\n"                                    // 6
      "learning_rate = 1e-3\n"                                           // 7
      "with open('input.txt') as f:\n"                                   // 8
      "    text = f.read()\n"                                            // 9
      "\n"                                                               // 10
      "words = sorted(set(text))\n"                                      // 11
      "\n"                                                               // 12
      "def scaled(x):\n"                                                 // 13
      "    return x * scale\n"                                           // 14
      "\n"                                                               // 15
      "# the scale\n"                                                    // 16
      "scale = 2\n"                                                      // 17
      "class Model(nn.Module):\n"                                        // 18
      "    def __init__(self):\n"                                        // 19
      "        super().__init__()\n"                                     // 20
      "        self.table = nn.Embedding(len(words), width)\n"           // 21
      "\n"                                                               // 22
      "    def forward(self, ids):\n"                                    // 23
      "        text = scaled(self.table(ids))\n"                         // 24
      "        return text\n"                                            // 25
      "\n"                                                               // 26
      "model = Model()\n"                                                // 27
      "adam = torch.optim.Adam(model.parameters(), lr=learning_rate)\n"  // 28
      "for step in tqdm(range(100)):\n"                                  // 29
      "    model(torch.zeros(1, 1)).sum().backward()\n"                  // 30
      "    adam.step()\n"                                                // 31
      "if __name__ == '__main__':\n"                                     // 32
      "    print(model)\n";                                              // 33
  CHECK(left_out(file) ==
        std::vector<Text>{"4–4: prints, draws or measures time (tqdm.tqdm)", "7–7: is not needed by the model",
                          "8–10: reads files or the network (open)", "11–11: uses text, which is left out",
                          "27–27: makes a model, which the joining lines do",
                          "28–28: makes an optimiser (torch.optim.Adam)", "29–31: trains (backward)",
                          "32–33: runs only when the file is started as a program"});
  const Text text = kept(file);
  CHECK(text.starts_with(
      "# licence\nimport torch\nimport torch.nn as nn\n\nwidth = 8  # of the vectors\n\ndef scaled(x)"));
  CHECK(text.find("# the scale\nscale = 2\nclass Model") != Text::npos);
  CHECK(text.ends_with("        return text\n\n"));
  const auto pasted = program::read_paste(file);
  CHECK(pasted.new_line.size() == 33);
  CHECK(pasted.new_line[0] == 1);
  CHECK(pasted.new_line[7] == 0);
  CHECK(pasted.new_line[12] == 7);
  CHECK(!pasted.makes_model);
}

TEST_CASE("a file that does no more than its models stays whole") {
  const Text whole = text_model("    def forward(self, ids):\n        return self.head(self.table(ids))\n") +
                     "torch.manual_seed(1)\nmodel = Tiny(12, 8)\nprint(model)\n";
  CHECK(left_out(whole).empty());
  CHECK(kept(whole) == whole);
  CHECK(program::read_paste(whole).makes_model);
  const Text functions = "import os\ndef f(x=randn(2)):\n    return x * 2\n";
  CHECK(kept(functions) == functions);
  CHECK(program::read_paste(functions).makes_model);
}

TEST_CASE("functions that train or read are left out, unless a model may call them") {
  const Text model =
      text_model("    def forward(self, ids):\n        load(self)\n        return self.head(self.table(ids))\n");
  const Text file = model +
                    "def load(model):\n    return torch.load('weights.pt')\n"
                    "def train(model, batches):\n    for each in batches:\n        model(each).sum().backward()\n"
                    "def main():\n    train(Tiny(12, 8), [])\n"
                    "def causal(n):\n    return torch.tril(torch.ones(n, n))\n";
  CHECK(left_out(file) == std::vector<Text>{"13–15: trains (backward)", "16–17: uses train, which is left out"});
  CHECK(kept(file).find("def load(model)") != Text::npos);
  CHECK(kept(file).find("def causal(n)") != Text::npos);
}

TEST_CASE("what changes a kept variable is kept, and so is what has parameters from outside") {
  const Text file = text_model("    def forward(self, ids):\n        return self.head(self.table(ids)) * table[0]\n") +
                    "table = torch.zeros(2)\ntable[0] = 3\nother = torch.zeros(2)\nother[0] = 3\n"
                    "open('x')\n";
  CHECK(left_out(file) ==
        std::vector<Text>{"12–13: is not needed by the model", "14–14: reads files or the network (open)"});
}

TEST_CASE("commands of a notebook are left out; a text that is no program is refused with its own line") {
  CHECK(left_out("!pip install torch\nimport torch\n%matplotlib inline\nx = torch.ones(2)\n") ==
        std::vector<Text>{"1–1: is a command of a notebook", "3–3: is a command of a notebook"});
  CHECK(kept("!pip install torch\nx = 1\n") == "x = 1\n");
  CHECK(REFUSAL(program, program::read_paste("!ls\nx = 3x\n")).find("line 2") == 0);
  CHECK(kept("").empty());
}

TEST_CASE("a language model is joined by its sizes, and by what it returns") {
  const Text forward = "    def forward(self, idx, targets=None):\n        logits = self.head(self.table(idx))\n";
  CHECK(joining(text_model(forward + "        return logits, None\n")) ==
        "model = Tiny(vocab_size=VOCABULARY, n_embd=32, dropout=0.0)\n\n"
        "def forward(ids):\n    return model(ids)[0]\n");
  // Without targets, this one would return the logits of the last token alone.
  const Text last = "        if targets is None:\n            logits = logits[:, [-1], :]\n        return logits\n";
  CHECK(joining(text_model(forward + last)).ends_with("    return model(ids, targets=ids)\n"));
  CHECK(joining(text_model("    def forward(self, idx, temperature):\n        return self.head(idx)\n")).empty());
}

TEST_CASE("a model that reads time first is joined with both axes swapped") {
  const Text file = imports +
                    "class Recurrent(nn.Module):\n"
                    "    def __init__(self, ntoken, ninp, nhid, nlayers):\n"
                    "        super().__init__()\n"
                    "        self.drop = nn.Dropout(0.2)\n"
                    "        self.encoder = nn.Embedding(ntoken, ninp)\n"
                    "        self.rnn = nn.GRU(ninp, nhid, nlayers)\n"
                    "        self.decoder = nn.Linear(nhid, ntoken)\n"
                    "    def forward(self, input, hidden):\n"
                    "        output, hidden = self.rnn(self.encoder(input), hidden)\n"
                    "        decoded = self.decoder(output)\n"
                    "        decoded = decoded.view(-1, 7)\n"
                    "        return decoded, hidden\n"
                    "    def init_hidden(self, size):\n"
                    "        return torch.zeros(2, size, 32)\n";
  CHECK(joining(file) ==
        "model = Recurrent(ntoken=VOCABULARY, ninp=32, nhid=32, nlayers=2)\n\n"
        "def forward(ids):\n"
        "    return model(ids.T, model.init_hidden(ids.size(0)))[0].view(ids.size(1), ids.size(0), -1).transpose(0, "
        "1)\n");
  Text first = file;
  first.replace(first.find("nlayers)\n        self.decoder"), 8, "nlayers, batch_first=True)");
  CHECK(joining(first).ends_with(
      "    return model(ids, model.init_hidden(ids.size(0)))[0].view(ids.size(0), ids.size(1), -1)\n"));
}

TEST_CASE("configurations are made small, whatever they are") {
  const Text uses =
      "class Net(nn.Module):\n"
      "    def __init__(self, config):\n"
      "        super().__init__()\n"
      "        self.table = nn.Embedding(config.vocab_size, config.n_embd)\n"
      "        self.places = nn.Embedding(config.block_size, config.n_embd)\n"
      "    def forward(self, idx):\n"
      "        return self.table(idx) @ self.table.weight.T\n";
  const Text end = "\ndef forward(ids):\n    return model(ids)\n";
  const Text fields =
      "    block_size: int = 1024\n    vocab_size: int = 50304\n    n_embd: int = 768\n    bias: bool = True\n";
  CHECK(joining(imports + "from dataclasses import dataclass\n@dataclass\nclass Sizes:\n" + fields + uses) ==
        "model = Net(Sizes(block_size=64, n_embd=32, vocab_size=VOCABULARY))\n" + end);
  CHECK(joining(imports + uses) ==
        "class Config:\n    pass\n\nconfig = Config()\nconfig.block_size = 64\nconfig.n_embd = 32\n"
        "config.vocab_size = VOCABULARY\nmodel = Net(config)\n" +
            end);
  const Text of_keys =
      "class Net(nn.Module):\n"
      "    def __init__(self, cfg):\n"
      "        super().__init__()\n"
      "        self.table = nn.Embedding(cfg[\"vocab_size\"], cfg[\"emb_dim\"])\n"
      "    def forward(self, x):\n"
      "        return self.table(x)\n";
  CHECK(joining(imports + of_keys) == "model = Net({'emb_dim': 32, 'vocab_size': VOCABULARY})\n" + end);
  const Text of_class =
      "class GPTConfig:\n"
      "    def __init__(self, vocab_size, block_size, **kwargs):\n"
      "        self.vocab_size, self.block_size, self.n_embd = vocab_size, block_size, kwargs['n_embd']\n";
  CHECK(joining(imports + of_class + uses) ==
        "model = Net(GPTConfig(block_size=64, n_embd=32, vocab_size=VOCABULARY))\n" + end);
  const Text of_globals =
      "n_embd = 384\nbatch_size = 64\n"
      "class Net(nn.Module):\n"
      "    def __init__(self):\n"
      "        super().__init__()\n"
      "        self.table = nn.Embedding(vocab_size, n_embd)\n"
      "    def forward(self, x):\n"
      "        return self.table(x)\n";
  CHECK(joining(imports + of_globals) == "n_embd = 32\nvocab_size = VOCABULARY\nmodel = Net()\n" + end);
}

namespace {

const Text parts =
    "class Encoder(nn.Module):\n"
    "    def __init__(self, input_dim, hid_dim):\n"
    "        super().__init__()\n"
    "        self.embedding = nn.Embedding(input_dim, hid_dim)\n"
    "        self.rnn = nn.GRU(hid_dim, hid_dim)\n"
    "    def forward(self, src):\n"
    "        return self.rnn(self.embedding(src))[1]\n"
    "class Decoder(nn.Module):\n"
    "    def __init__(self, output_dim, hid_dim):\n"
    "        super().__init__()\n"
    "        self.embedding = nn.Embedding(output_dim, hid_dim)\n"
    "        self.out = nn.Linear(hid_dim, output_dim)\n"
    "    def forward(self, trg, hidden):\n"
    "        return self.out(self.embedding(trg) + hidden)\n";

}  // namespace

TEST_CASE("a model of an encoder and a decoder gets both, and targets as its loop takes them") {
  const Text whole = imports + parts +
                     "class Seq2Seq(nn.Module):\n"
                     "    def __init__(self, encoder, decoder, device):\n"
                     "        super().__init__()\n"
                     "        self.encoder = encoder\n"
                     "        self.decoder = decoder\n"
                     "    def forward(self, src, trg, teacher_forcing_ratio=0.5):\n"
                     "        outputs = torch.zeros(trg.shape[0], trg.shape[1], 9)\n"
                     "        for t in range(1, trg.shape[0]):\n"
                     "            outputs[t] = self.decoder(trg[t], self.encoder(src))\n"
                     "        return outputs\n";
  const auto found = joinings(whole);
  REQUIRE(found.size() == 1);
  CHECK(found[0].model == "Seq2Seq");
  CHECK(found[0].takes_pairs);
  CHECK(found[0].text ==
        "encoder = Encoder(input_dim=SOURCE_VOCABULARY, hid_dim=32)\n"
        "decoder = Decoder(output_dim=TARGET_VOCABULARY, hid_dim=32)\n"
        "model = Seq2Seq(encoder=encoder, decoder=decoder, device=torch.device(\"cpu\"))\n\n"
        "def forward(source, target_in):\n"
        "    target = torch.cat([target_in, target_in[:, -1:]], dim=1)\n"
        "    return model(source.T, target.T, teacher_forcing_ratio=1.0)[1:].transpose(0, 1)\n");
}

TEST_CASE("a function that makes the model is called, and masks are made for it") {
  const Text whole =
      imports + parts +
      "class Both(nn.Module):\n"
      "    def __init__(self, encoder, decoder, generator):\n"
      "        super().__init__()\n"
      "        self.encoder, self.decoder = encoder, decoder\n"
      "        self.generator = generator\n"
      "    def forward(self, src, tgt, src_mask, tgt_mask):\n"
      "        return self.decoder(tgt, self.encoder(src.transpose(0, 1)))\n"
      "def make_model(src_vocab, tgt_vocab, N=6, d_model=512, h=8):\n"
      "    both = Both(Encoder(src_vocab, d_model), Decoder(tgt_vocab, d_model), nn.Linear(d_model, tgt_vocab))\n"
      "    return both\n";
  CHECK(joining(whole) ==
        "model = make_model(src_vocab=SOURCE_VOCABULARY, tgt_vocab=TARGET_VOCABULARY, N=2, d_model=32, h=2)\n\n"
        "def forward(source, target_in):\n"
        "    return model.generator(model(source, target_in, (source != PAD).unsqueeze(-2), (target_in != "
        "PAD).unsqueeze(-2) & torch.tril(torch.ones(target_in.size(1), target_in.size(1))).bool()))\n");
}

TEST_CASE("an encoder and a decoder that nothing joins are joined by the function") {
  const Text whole = imports +
                     "LONGEST = 1\nMAX_LENGTH = 10\n"
                     "class EncoderRNN(nn.Module):\n"
                     "    def __init__(self, input_size, hidden_size):\n"
                     "        super().__init__()\n"
                     "        self.embedding = nn.Embedding(input_size, hidden_size)\n"
                     "    def forward(self, input):\n"
                     "        return self.embedding(input), None\n"
                     "class DecoderRNN(nn.Module):\n"
                     "    def __init__(self, hidden_size, output_size):\n"
                     "        super().__init__()\n"
                     "        self.embedding = nn.Embedding(output_size, hidden_size)\n"
                     "    def forward(self, encoder_outputs, encoder_hidden, target_tensor=None):\n"
                     "        for i in range(MAX_LENGTH):\n"
                     "            pass\n"
                     "        return self.embedding(target_tensor), None\n";
  const auto found = joinings(whole);
  REQUIRE(found.size() == 1);
  CHECK(found[0].model == "EncoderRNN and DecoderRNN");
  CHECK(found[0].text.find("encoder = EncoderRNN(input_size=SOURCE_VOCABULARY, hidden_size=32)\n"
                           "decoder = DecoderRNN(hidden_size=32, output_size=TARGET_VOCABULARY)\n") != Text::npos);
  CHECK(found[0].text.find("    global MAX_LENGTH\n    MAX_LENGTH = target_in.size(1)\n") != Text::npos);
  CHECK(found[0].text.ends_with("    return decoder(outputs, hidden, targets)[0]\n"));
}

TEST_CASE("nothing is proposed where a forward is there, or no class reads ids") {
  const Text model = text_model("    def forward(self, ids):\n        return self.head(self.table(ids))\n");
  CHECK(!joining(model).empty());
  CHECK(joining(model + "model = Tiny(5, 4)\ndef forward(ids):\n    return model(ids)\n").empty());
  CHECK(joining("def f(x=randn(2)):\n    return x\n").empty());
  CHECK(joining(imports + "class Head(nn.Module):\n    def forward(self, x):\n        return x\n").empty());
  // Of several, the one with the most parts comes first.
  const auto several = joinings(model + text_model("    def forward(self, x):\n        return Tiny(1, 1)(x)\n")
                                            .substr(imports.size())
                                            .replace(6, 4, "Wide"));
  REQUIRE(several.size() == 1);
  CHECK(several[0].model == "Wide");
}
