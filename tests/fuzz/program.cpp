// Programs: words of the language in any order, programs that run with some of their characters exchanged, and hostile
// ones, of lines that nest, grow, refer to themselves and take numbers at the ends of their range.
#include <array>
#include <string>

#include "engine/autograd/backward.h"
#include "engine/autograd/tape.h"
#include "engine/models/program/program_model.h"
#include "engine/ops/ops.h"
#include "engine/program/interpreter.h"
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

// N stands for a number, V for a variable.
constexpr std::array hostile_lines = {"V = [V]"sv,
                                      "V = (V, V)"sv,
                                      "V.append(V)"sv,
                                      "V.append([V, N])"sv,
                                      "V[N] = V"sv,
                                      "V[N:N:N] = V"sv,
                                      "V = V + V"sv,
                                      "V += V"sv,
                                      "V = V * N"sv,
                                      "s = s + s"sv,
                                      "s = f'{s}{s}'"sv,
                                      "s = f'{s}{n}'"sv,
                                      "V = V == V"sv,
                                      "V = V != [V]"sv,
                                      "V = V in V"sv,
                                      "V = s in s"sv,
                                      "V = V[N:N:N]"sv,
                                      "V = V[N]"sv,
                                      "V = V[N:, ::N]"sv,
                                      "V = list(V)"sv,
                                      "V = tuple(V)"sv,
                                      "V = range(N)"sv,
                                      "V = range(N, N, N)"sv,
                                      "V = zip(V, V)"sv,
                                      "V = enumerate(V, N)"sv,
                                      "V = sum(V)"sv,
                                      "V = max(V)"sv,
                                      "V = len(V)"sv,
                                      "V = tensor(V)"sv,
                                      "V = zeros(N, N)"sv,
                                      "V = full((N, N), N)"sv,
                                      "V = randn(N)"sv,
                                      "V = eye(N)"sv,
                                      "V = arange(N, N, N)"sv,
                                      "V = randint(N, N, (N,))"sv,
                                      "V = x + V"sv,
                                      "x = x + x[N]"sv,
                                      "x = cat([x, x], N)"sv,
                                      "x = stack([x, x])"sv,
                                      "x = cat([x, V])"sv,
                                      "V = x.reshape(N, N)"sv,
                                      "V = x.flatten(N, N)"sv,
                                      "V = x.expand(N, N, N)"sv,
                                      "V = x.sum(N)"sv,
                                      "V = x.chunk(N)"sv,
                                      "V = topk(x, N)"sv,
                                      "V = cumsum(x, N)"sv,
                                      "V = flip(x, [N])"sv,
                                      "V = one_hot(V, N)"sv,
                                      "V = x ** N"sv,
                                      "V = x @ x.T"sv,
                                      "V = linear(x, V)"sv,
                                      "V = embedding(V, x)"sv,
                                      "V = tril(x, N)"sv,
                                      "V = parameter(f'{n}', (N, N))"sv,
                                      "V = softmax(x, N)"sv,
                                      "n = n * N"sv,
                                      "n = n ** N"sv,
                                      "n = N // n"sv,
                                      "n = N % n"sv,
                                      "n = -n - N"sv,
                                      "n = int(V)"sv,
                                      "n = abs(N)"sv,
                                      "V = [V for i in V]"sv,
                                      "V = [i for i in range(N) if V]"sv,
                                      "V = g(V)"sv,
                                      "V = g"sv,
                                      "V, V = V"sv,
                                      "for V in V: V = [V]"sv,
                                      "if V == V: break"sv,
                                      "if V: continue"sv,
                                      "return V"sv};
constexpr std::array hostile_loops = {"for i in range(N):"sv, "while True:"sv, "for i in V:"sv, "if V:"sv};
constexpr std::array numbers = {"0"sv,
                                "1"sv,
                                "2"sv,
                                "3"sv,
                                "-1"sv,
                                "100"sv,
                                "5000"sv,
                                "1000000"sv,
                                "(2 ** 28)"sv,
                                "(2 ** 31)"sv,
                                "9223372036854775807"sv,
                                "(-9223372036854775807 - 1)"sv,
                                "0.5"sv,
                                "1e308"sv,
                                "inf"sv,
                                "None"sv};
constexpr std::array variables = {"a"sv, "b"sv, "a"sv, "b"sv, "x"sv, "s"sv, "n"sv};

std::string_view one_of(const auto& all, Random& random) {
  return all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
}

// The line with its N and V filled in.
std::string filled(std::string_view line, Random& random) {
  std::string text;
  for (const char c : line) {
    if (c == 'N')
      text += one_of(numbers, random);
    else if (c == 'V')
      text += one_of(variables, random);
    else
      text += c;
  }
  return text;
}

std::string hostile(Random& random) {
  std::string text =
      "def g(a, b=[1]):\n    b.append(a)\n    return [a, b]\ndef f(x=randn(2, 3), n=3):\n    a, b, s = [1], [[2], x], "
      "'s'\n";
  std::size_t depth = 1;
  for (int i = 0, count = 1 + random.below(12); i < count; ++i) {
    const bool opens = depth < 4 && random.below(4) == 0;
    text += std::string(4 * depth, ' ') +
            filled(opens ? one_of(hostile_loops, random) : one_of(hostile_lines, random), random) + "\n";
    if (opens)
      text += std::string(4 * ++depth, ' ') + filled(one_of(hostile_lines, random), random) + "\n";
    else if (depth > 1 && random.below(3) == 0)
      --depth;
  }
  return text + "    return " + filled("V", random) + "\n";
}

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

struct NewParameters : program::ParameterSource {
  Tensor parameter(const std::string& name, const Shape& shape, const std::string&, const program::Place&) override {
    return input(name, Tensor::full(shape, Scalar(0.1)), Role::parameter);
  }
};

// A hundredth of what a run may take, so that many hostile programs are run to their end.
constexpr program::Budget small = {.statements = 10'000,
                                   .expressions = 100'000,
                                   .items = 200'000,
                                   .operations = 1'000,
                                   .values = 2'000'000,
                                   .multiply_adds = 4e7,
                                   .bytes = std::size_t{16} << 20,
                                   .gradient_bytes = std::size_t{16} << 20};

program::Value value_of(const std::string& text) {
  const program::Program parsed = program::parse(text);
  NewParameters parameters;
  program::Interpreter interpreter(parsed, {.budget = small, .parameters = &parameters});
  interpreter.run();
  return interpreter.call(*parsed.last_function(), std::vector<program::Value>());
}

void run_small(const std::string& text) {
  Tape tape(Tape::Detail::trace);
  const RecordingGuard recording(&tape);
  const program::Value value = value_of(text);
  const auto* tensor = value.as<program::TypedTensor>();
  if (tensor && tape.find(tensor->tensor) >= 0) backward(sum(tensor->tensor));
}

// Many programs are read only, which takes a hundredth of the time of a run; of those that are run, most are nearly
// whole.
bool try_program(Random& random) {
  if (random.below(16) == 0) {
    try {
      run_small(hostile(random));
      return true;
    } catch (const Error& error) {
      require(error.code == ErrorCode::program, std::string("refused with another code than its own: ") + error.what());
      return false;
    }
  }
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
