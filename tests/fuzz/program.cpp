// Programs that are run: some of all constructs, some that run with a few of their characters exchanged, and hostile
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
#include "tests/fuzz/syntax.h"

namespace unroll {
namespace {

using std::string_view_literals::operator""sv;
using Texts = std::vector<std::string>;

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
    "if V: continue|return V|"
    "d = {V: V}|d[V] = V|d[s] = d|d.update(d)|d = {**d, 'k': V}|V = d.get(s)|V = list(d.items())|V = d == {'x': V}|"
    "q = {n, s}|q |= {N}|V = sorted(V)|V = str(V)|s = f'{V:>{n}}'|s = f'{n:{N}.{N}f}'|s = f'{V!r}'|s = s * N|"
    "s = s.join([s, s])|V = s.split(s)|s = '%s %d' % (V, N)|s = '{:>{}}'.format(s, N)|s = s.replace(s, s)|"
    "o = C(V)|o.V = V|V = o.V|o.o = o|V = o(V)|V = o[N]|V = o + V|V = len(o)|setattr(o, s, V)|V = getattr(o, s, V)|"
    "o.__dict__.update(d)|o = type(o)(V)|V = [*V, *V]|g(*V)|g(**d)|V = lambda: V|V = V()|h = lambda x: h(x)|V = h(V)|"
    "V, *b = V|del V[N]|del V|V = (w := V)|V = {i: V for i in range(N)}|V = [[i, j] for i in range(N) for j in V]|"
    "V = sum(i for i in range(N))|V = any(i for i in V)|V = m(V)|m.weight.data += V|m = M(m)|V = list(m.parameters())|"
    "m.x = M(V)|V = copy.deepcopy(V)|V = V & V|V = ~V|V = N << N|V = x.new_zeros(N, N)|V = x.repeat(N, N)|x.add_(V)|"
    "x.mul_(x)|V = x[x > N]|x[V] = V|V = x[[N, N]]|V = x[..., None, N]|V = torch.einsum('ij,jk', x, V)|V = x.view(N, "
    "N)|"
    "try: V = V[N]\nexcept Exception: V = N|with torch.no_grad(): V = x + V|assert V, V|raise ValueError(V)|"
    "import math|V = math.sqrt(N)|V = zip(V, V, V)|V = map(g, V)|V = next(iter(V), V)|V = isinstance(V, C)"sv);
const Texts hostile_loops = pieces_of(
    "for i in range(N):|while True:|for i in V:|if V:|def g(*a, b=V):|class C(C):|with torch.no_grad():|for k, v in "
    "d.items():|"
    "while (w := n) > N:|def h(x):|for i, j in enumerate(V):"sv);
const Texts numbers = pieces_of(
    "0|1|2|3|-1|100|5000|1000000|(2 ** 28)|(2 ** 31)|9223372036854775807|(-9223372036854775807 - 1)|0.5|"
    "1e308|inf|None"sv);
const Texts variables = pieces_of("a|b|a|b|x|s|n|d|o|q|m|g|h"sv);

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

// Its lines at that depth.
std::string indented(const std::string& lines, std::size_t depth) {
  std::string text;
  for (std::size_t at = 0, end = 0; at < lines.size(); at = end + 1) {
    end = std::min(lines.find('\n', at), lines.size());
    text += std::string(4 * depth, ' ') + lines.substr(at, end - at) + "\n";
  }
  return text;
}

std::string hostile(Random& random) {
  std::string text =
      "import torch, copy\nfrom torch import nn\n"
      "def g(a, b=[1]):\n    b.append(a)\n    return [a, b]\n"
      "class C:\n    x = 1\n    def __init__(self, *a): self.a = a\n    def __call__(self, x): return self.b\n"
      "    def __getitem__(self, i): return self.a[i]\n    def __add__(self, x): return C(self, x)\n"
      "    def __getattr__(self, name): return name\n    def __eq__(self, x): return self.a == x\n"
      "class M(nn.Module):\n    def __init__(self, x=1):\n        super().__init__()\n"
      "        self.weight, self.x = nn.Parameter(torch.ones(3)), x\n    def forward(self, x): return self.weight * x\n"
      "def f(x=torch.randn(2, 3), n=3):\n    a, b, s, d, q, o, m = [1], [[2], x], 's', {'x': 1}, {1}, C(1), M()\n"
      "    h = lambda x: x\n";
  std::size_t depth = 1;
  for (int i = 0, count = 1 + random.below(12); i < count; ++i) {
    const bool opens = depth < 4 && random.below(4) == 0;
    text += indented(filled(opens ? pick(random, hostile_loops) : pick(random, hostile_lines), random), depth);
    if (opens)
      text += indented(filled(pick(random, hostile_lines), random), ++depth);
    else if (depth > 1 && random.below(3) == 0)
      --depth;
  }
  return text + "    return " + filled("V", random) + "\n";
}

// A program that runs, of the ones above or drawn: one of a thousand, as drawing takes longer than reading.
std::string running(Random& random) {
  static std::map<int, std::string> drawn;
  if (random.below(2) == 0) return pick(random, programs);
  const int seed = random.below(1000);
  if (!drawn.contains(seed)) drawn[seed] = random_program(static_cast<std::uint64_t>(seed));
  return drawn[seed];
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
  const auto parsed = program::parse(text);
  NewParameters parameters;
  program::Interpreter interpreter(*parsed, {.budget = small, .parameters = &parameters});
  interpreter.run();
  const std::optional<program::Value> last = interpreter.global(parsed->last_function()->name);
  return last ? interpreter.run(*last, {}) : program::Value();
}

void run_small(const std::string& text) {
  Tape tape(Tape::Detail::trace);
  const RecordingGuard recording(&tape);
  const program::Value value = value_of(text);
  const auto* tensor = value.as<program::TypedTensor>();
  if (tensor && tape.find(tensor->tensor) >= 0) backward(sum(tensor->tensor));
}

bool run_hostile(const std::string& text) {
  try {
    run_small(text);
    return true;
  } catch (const Error& error) {
    require(error.code == ErrorCode::program, std::string("refused with another code than its own: ") + error.what());
    return false;
  }
}

bool run_whole(const std::string& text) {
  try {
    run(text);
    return true;
  } catch (const Error& error) {
    require(error.code != ErrorCode::internal, error.what());
    return false;
  }
}

// Of those that are run with the budget of a page, most are nearly whole.
bool try_program(Random& random) {
  const int kind = random.below(64);
  if (kind < 32) return run_hostile(hostile(random));
  if (kind < 60) {
    const std::string text = random_syntax(random, true);
    return run_hostile(random.below(4) == 0 ? with_damage(text, random) : text);
  }
  return run_whole(random.below(2) == 0 ? with_damage(running(random), random) : running(random));
}

}  // namespace

const Fuzzer fuzz_program = {"program", try_program, 1e9};

}  // namespace unroll
