// Programs: words of the language in any order, programs that run with some of their characters exchanged, and hostile
// ones, of lines that nest, grow, refer to themselves and take numbers at the ends of their range.
#include <map>
#include <string>

#include "engine/autograd/tape.h"
#include "engine/models/program/program_model.h"
#include "engine/ops/ops.h"
#include "engine/program/interpreter.h"
#include "engine/program/syntax.h"
#include "tests/engine/support/damage.h"
#include "tests/engine/support/random_programs.h"
#include "tests/fuzz/fuzzer.h"

namespace unroll {
namespace {

using std::string_view_literals::operator""sv;
using Texts = std::vector<std::string>;

const Texts words = pieces_of(
    "def |f|g|x|Q|K|α|(|)|[|]|,|:|\n|\n  |\n    | = | += | @ | + |-| * | / | // | % | ** |.|...|None|"
    "True|0|1|2|-1|0.5|1e30|inf|4|'W'|f'{x}'|for | in |range(|while |if |else|elif |return |not | and |"
    " or | == | < |softmax(|zeros(|ones(|randn(|arange(|tril(|stack(|cat(|.sum(|.T|.mT|.shape|.reshape(|"
    ".append(|dim=-1|topk(|cumsum(|#|\t|“|\0|\xff|pass|break|enumerate(|zip(|parameter('W', (2, 2))|"
    "where(|embedding(|clamp(|flip(|len(|lambda|one_hot(|cross_entropy(|max(|::2"sv);

const Texts programs = {
    "def attend(Q=randn(4, 3), K=randn(5, 3), V=randn(5, 2)):\n"
    "    S = Q @ K.T / sqrt(3)\n"
    "    α = softmax(S, dim=-1)\n"
    "    return α @ V\n",
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
    "    return y.mean(-1), [k * 2 for k in range(3) if k != 1]\n",
    "def f(ids=randint(0, 5, (2, 3)), E=randn(5, 4)):\n"
    "    x = embedding(ids, E)\n"
    "    m = tril(ones(3, 3)) == 0\n"
    "    S = (x @ x.mT).masked_fill(m, -inf)\n"
    "    while S.shape[0] < 2 and True: S = S * 2\n"
    "    if S.sum().item() == inf: return x\n"
    "    return cross_entropy(x.flatten(0, 1), ids.flatten()) + layer_norm(x, [4]).var(-1).sum()\n"};

// N stands for a number, V for a variable.
const Texts hostile_lines = pieces_of(
    "V = [V]|V = (V, V)|V.append(V)|V.append([V, N])|V[N] = V|V[N:N:N] = V|V = V + V|V += V|V = V * N|"
    "s = s + s|s = f'{s}{s}'|s = f'{s}{n}'|V = V == V|V = V != [V]|V = V in V|V = s in s|V = V[N:N:N]|"
    "V = V[N]|V = V[N:, ::N]|V = list(V)|V = tuple(V)|V = range(N)|V = range(N, N, N)|V = zip(V, V)|"
    "V = enumerate(V, N)|V = sum(V)|V = max(V)|V = len(V)|V = tensor(V)|V = zeros(N, N)|"
    "V = full((N, N), N)|V = randn(N)|V = eye(N)|V = arange(N, N, N)|V = randint(N, N, (N,))|V = x + V|"
    "x = x + x[N]|x = cat([x, x], N)|x = stack([x, x])|x = cat([x, V])|V = x.reshape(N, N)|"
    "V = x.flatten(N, N)|V = x.expand(N, N, N)|V = x.sum(N)|V = x.chunk(N)|V = topk(x, N)|"
    "V = cumsum(x, N)|V = flip(x, [N])|V = one_hot(V, N)|V = x ** N|V = x @ x.T|V = linear(x, V)|"
    "V = embedding(V, x)|V = tril(x, N)|V = parameter(f'{n}', (N, N))|V = softmax(x, N)|n = n * N|"
    "n = n ** N|n = N // n|n = N % n|n = -n - N|n = int(V)|n = abs(N)|V = [V for i in V]|"
    "V = [i for i in range(N) if V]|V = g(V)|V = g|V, V = V|for V in V: V = [V]|if V == V: break|"
    "if V: continue|return V"sv);
const Texts hostile_loops = pieces_of("for i in range(N):|while True:|for i in V:|if V:"sv);
const Texts numbers = pieces_of(
    "0|1|2|3|-1|100|5000|1000000|(2 ** 28)|(2 ** 31)|9223372036854775807|(-9223372036854775807 - 1)|0.5|"
    "1e308|inf|None"sv);
const Texts variables = pieces_of("a|b|a|b|x|s|n"sv);

// The line with its N and V filled in.
std::string filled(std::string_view line, Random& random) {
  std::string text;
  for (const char c : line) {
    if (c == 'N')
      text += pick(random, numbers);
    else if (c == 'V')
      text += pick(random, variables);
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
            filled(opens ? pick(random, hostile_loops) : pick(random, hostile_lines), random) + "\n";
    if (opens)
      text += std::string(4 * ++depth, ' ') + filled(pick(random, hostile_lines), random) + "\n";
    else if (depth > 1 && random.below(3) == 0)
      --depth;
  }
  return text + "    return " + filled("V", random) + "\n";
}

std::string of_words(Random& random) {
  std::string text;
  for (int i = 0, count = random.below(60); i < count; ++i) text += pick(random, words);
  return text;
}

// A program that runs, of the ones above or drawn: one of a thousand, as drawing takes longer than reading.
std::string running(Random& random) {
  static std::map<int, std::string> drawn;
  if (random.below(2) == 0) return pick(random, programs);
  const int seed = random.below(1000);
  if (!drawn.contains(seed)) drawn[seed] = random_program(static_cast<std::uint64_t>(seed));
  return drawn[seed];
}

// The text, with a few of its characters replaced by words, dropped or repeated.
std::string damaged(std::string text, Random& random) {
  for (int i = 0, count = random.below(3); i < count; ++i) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
    const auto length = static_cast<std::size_t>(random.below(6));
    const std::string& word = pick(random, words);
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
