// Programs: words of the language in any order, and programs that run with some of their characters exchanged.
#include <array>
#include <string>

#include "engine/autograd/backward.h"
#include "engine/autograd/tape.h"
#include "engine/models/program/program_model.h"
#include "engine/program/parser.h"
#include "tests/engine/support/random_programs.h"
#include "tests/fuzz/fuzzer.h"

namespace unroll {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array words = {"def "sv,   "f"sv,          "g"sv,        "x"sv,
                              "Q"sv,      "K"sv,          "α"sv,        "("sv,
                              ")"sv,      "["sv,          "]"sv,        ","sv,
                              ":"sv,      "\n"sv,         "\n  "sv,     "\n    "sv,
                              " = "sv,    " += "sv,       " @ "sv,      " + "sv,
                              "-"sv,      " * "sv,        " / "sv,      " // "sv,
                              " % "sv,    " ** "sv,       "."sv,        "..."sv,
                              "None"sv,   "True"sv,       "0"sv,        "1"sv,
                              "2"sv,      "-1"sv,         "0.5"sv,      "1e30"sv,
                              "inf"sv,    "4"sv,          "'W'"sv,      "f'{x}'"sv,
                              "for "sv,   " in "sv,       "range("sv,   "while "sv,
                              "if "sv,    "else"sv,       "elif "sv,    "return "sv,
                              "not "sv,   " and "sv,      " or "sv,     " == "sv,
                              " < "sv,    "softmax("sv,   "zeros("sv,   "ones("sv,
                              "randn("sv, "arange("sv,    "tril("sv,    "stack("sv,
                              "cat("sv,   ".sum("sv,      ".T"sv,       ".mT"sv,
                              ".shape"sv, ".reshape("sv,  ".append("sv, "dim=-1"sv,
                              "topk("sv,  "cumsum("sv,    "#"sv,        "\t"sv,
                              "“"sv,      "\0"sv,         "\xff"sv,     "pass"sv,
                              "break"sv,  "enumerate("sv, "zip("sv,     "parameter('W', (2, 2))"sv,
                              "where("sv, "embedding("sv, "clamp("sv,   "flip("sv,
                              "len("sv,   "lambda"sv,     "one_hot("sv, "cross_entropy("sv,
                              "max("sv,   "::2"sv};

constexpr std::array programs = {
    "def attend(Q=randn(4, 3), K=randn(5, 3), V=randn(5, 2)):\n"
    "    S = Q @ K.T / sqrt(3)\n"
    "    α = softmax(S, dim=-1)\n"
    "    return α @ V\n"sv,
    "def step(h, x, W):\n"
    "    return tanh(h @ W + x)\n"
    "def f(x=randn(3, 2, 4), n=3):\n"
    "    W = parameter('W', (4, 4), init='normal')\n"
    "    h = zeros(2, 4)\n"
    "    all = []\n"
    "    for i in range(n):\n"
    "        h = step(h, x[i], W)\n"
    "        all.append(h)\n"
    "    y = stack(all, dim=1)\n"
    "    y[:, 0] = 1\n"
    "    y[0, 1:, ::1] += 2\n"
    "    return y.mean(-1), [k * 2 for k in range(3) if k != 1]\n"sv,
    "def f(ids=randint(0, 5, (2, 3)), E=randn(5, 4)):\n"
    "    x = embedding(ids, E)\n"
    "    m = tril(ones(3, 3)) == 0\n"
    "    S = (x @ x.mT).masked_fill(m, -inf)\n"
    "    while S.shape[0] < 2 and True: S = S * 2\n"
    "    if S.sum().item() == inf: return x\n"
    "    return cross_entropy(x.flatten(0, 1), ids.flatten()) + layer_norm(x, [4]).var(-1).sum()\n"sv};

std::string of_words(Random& random) {
  std::string text;
  for (int i = 0, count = random.below(60); i < count; ++i)
    text += words[static_cast<std::size_t>(random.below(words.size()))];
  return text;
}

// A program that runs, of the ones above or drawn.
std::string running(Random& random) {
  if (random.below(2) == 0) return random_program(random.bits());
  return std::string(programs[static_cast<std::size_t>(random.below(programs.size()))]);
}

// The text, with a few of its characters replaced by words, dropped or repeated.
std::string damaged(std::string text, Random& random) {
  for (int i = 0, count = random.below(3); i < count; ++i) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
    const auto length = static_cast<std::size_t>(random.below(6));
    const std::string_view word = words[static_cast<std::size_t>(random.below(words.size()))];
    if (random.below(3) == 0)
      text.insert(at, text.substr(at, length));
    else
      text.replace(at, length, random.below(2) == 0 ? word : "");
  }
  return text;
}

void run(const std::string& text) {
  ProgramModel model({{"program", text}});
  Tape tape(Tape::Detail::trace);
  const RecordingGuard recording(&tape);
  backward(model.loss());
}

// Most programs are read only, which takes a hundredth of the time of a run; of those that are run, most are nearly
// whole.
bool try_program(Random& random) {
  const bool is_run = random.below(64) == 0;
  const bool is_whole = random.below(8) < (is_run ? 7 : 2);
  const std::string text = is_whole ? damaged(running(random), random) : of_words(random);
  try {
    if (is_run)
      run(text);
    else
      program::parse(text);
    return true;
  } catch (const Error& error) {
    require(error.code != ErrorCode::internal, error.what());
    return false;
  }
}

}  // namespace

const Fuzzer fuzz_program = {"program", try_program, 1e9};

}  // namespace unroll
