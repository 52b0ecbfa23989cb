#include "tests/engine/support/random_programs.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "engine/ops/ops.h"
#include "engine/tensor/error.h"
#include "tests/engine/support/damage.h"

namespace unroll {
namespace {

// What a name in braces stands for: one of the texts between bars. Before a colon stands what the first operand needs:
// v an axis, m two, l three values along the last axis. Draft::filled has the other names.
const std::map<std::string_view, std::string_view> grammar = {
    {"statement",
     "{assign}|{assign}|{assign}|{assign}|{assign}|{several}|{recurrence}|{parts}|{choice}|{update}|{update}|{counts}"},
    {"assign", "{N} = {expression}"},
    {"several", "v:{N}, {L} = topk({0}, k={k})|{N}, ({M}) = [{function}, {0}.sum() * 0.1]"},
    {"recurrence",
     "{N} = {0} + 0\nfor {J} in range({s}):\n{odd}    {step}"
     "|{N} = {0} + 0\n{J} = 0\nwhile {J} < {s}:\n    {step}\n    {J} += 1"},
    {"odd", "||    if {J} % 2 == 1:\n        {N} = sin({N})\n        continue\n"},
    {"step",
     "{N} = tanh({N} + 0.5 * {1})|{N} = sin({N}) * 0.9 + 0.3 * {1}|{N} += 0.2 * (1 + {J}) * {1}|{N} = {N} * "
     "sigmoid({1})"
     "|{N} = {N} - 0.5 * tanh({N} * {1})|{N} = {N} / (1.5 + {1} ** 2)"},
    {"parts",
     "m:{L} = []\nfor i, row in enumerate({0}):\n    {L}.append({row} + i * {f})\n{N} = {whole}"
     "|m:{L} = [{row} for row in {0}]\n{N} = {whole}"
     "|m:{L} = [{row} * other for row, other in zip({0}, {sequence}({0})[::-1])]\n{N} = {whole}"},
    {"row", "tanh(row)|row * {f}|sigmoid(row)|(0.1 + square(row))"},
    {"whole", "stack({L}, dim={a})|(sum({L}) / len({L}))"},
    {"sequence", "list|tuple"},
    {"choice",
     "v:{N} = {function} if {condition} else {function}|v:if {condition}:\n    {N} = {function}\n{elif}else:\n    {N} "
     "= "
     "{function}"},
    {"elif", "||elif {s} < 3:\n    {N} = {0} * 0.5\n"},
    {"condition",
     "{0}.shape[-1] > 2|{0}.mean().item() > 0|len({0}) == 2 or {0}.dim() == 1|{0}.numel() >= 6 and {0}.size(0) in [2, "
     "3]"
     "|sum({0}.shape) // 2 % 2 == 0"},
    {"update",
     "{N} = {0} + 0\n{N} += {1}|{N} = {0} + 0\n{N} -= {1}|{N} = {0} + 0\n{N} *= {1}|{N} = {0} + 0\n{N} /= 1 + abs({1})"
     "|v:{N} = {0} + 0\n{N}{change}"},
    {"change",
     "[{i}] = {value}|[{i}] *= {value}|[..., -1] += {value}|[{i}:] = {value}|[:] -= {value}|[tensor([{i}])] = {value}"
     "|[{i}, ...] = {N}[0] * {f}"},
    {"value", "{f}|{x}.mean()"},
    {"counts", "v:{L}, {J} = {0}.shape[-1], sqrt({s}) * {f}\n{N} = {0} * {J} / ({L} + 1) + float({L} ** 2 // 3)"},
    {"expression",
     "{function}|{function}|{function}|{function}|{pair}|{pair}|{pair}|{algebra}|{algebra}|{algebra}|{reduction}"
     "|{reduction}|{along}|{attention}|{norm}|{loss}|{rows}|{constants}|{helped}|{moved}|{moved}|{moved}|{picked}"
     "|{picked}"},
    {"function",
     "exp({0})|log(1 + {0} ** 2)|log(abs({0}) + 0.5)|sqrt(square({0}) + 0.3)|tanh({0})|sigmoid({0})|relu({0})|erf({0})"
     "|sin({0})|cos({0})|abs({0})|gelu({0})|gelu({0}, approximate=\"tanh\")|silu({0})|softplus({0})|square({0})"
     "|pow({0}, 3)|({0} ** 2)|({0} ** 3)|(({0} ** 2 + 1) ** -1)|pow(abs({0}) + 0.3, 1.5)|((abs({0}) + 0.2) ** 0.5)"
     "|(-{0})|clamp({0}, -1, 1.5)|{0}.clamp(min=-0.7)|{0}.clamp(max=0.8)|(1 / (1 + exp({0})))"
     "|{0}.masked_fill({0} > 0.5, 0.3)|where(({0} < 0) == False, 0.3 * {0}, {0})|({0} * ({0} != 0))|{0}.float()"
     "|{0}.contiguous()|maximum({0}, -0.3)|minimum({0}, 0.4)"},
    {"pair",
     "({0} + {1})|({0} - {1})|({0} * {1})|({0} / (1.5 + square({1})))|({1} / ({0} ** 2 + 0.8))|maximum({0}, {1})"
     "|minimum({0}, {1})|where({0} > {1}, {0}, 0.5 * {1})|where({1} <= 0.2, {0}, {1})"
     "|{0}.masked_fill({1} >= 0.3, -0.5)|pow(abs({0}) + 0.5, tanh({1}))|((abs({0}) + 0.5) ** sigmoid({1}))"},
    {"algebra",
     "v:({0}[..., None] * {w:o})|v:({0} @ {w:no})|v:matmul({0}, {w:no})|v:{0}.matmul({w:no})|m:({0} @ {0}.mT / {n})"
     "|m:linear({0}, {w:on}, {w:o})|m:linear({0}, bias=None, weight={w:no}.T)|m:svdvals({0})"},
    {"reduction",
     "{0}.{sum}()|{sum}({0})|max({0})|min({0})|v:{0}.{sum}({a}{keep})|v:{sum}({0}, dim={a}{keep})"
     "|v:logsumexp({0}, {a}{keep})|v:{0}.logsumexp(dim={a}{keep})|v:var({0}, {a}, unbiased=False{keep})"
     "|v:{0}.var({a}{keep})|v:std(cat(({0}, 1 - 2 * {0}), {a}), dim={a}{keep})"
     "|v:cat(({0}, 1 - 2 * {0}), {a}).std({a}, unbiased=False{keep})"},
    {"sum", "sum|mean|amax|amin"},
    {"keep", "||, keepdim=True|, keepdims=True"},
    {"along", "v:{0}.{scan}({a})|v:{scan}({0}, dim={a})|v:topk({0}, {k})[0]"},
    {"scan", "softmax|log_softmax|cumsum"},
    {"attention",
     "m:(softmax(({scores}).masked_fill({hidden}, -inf), dim=-1) @ {0})"
     "|m:(softmax(where({hidden}, -inf, {scores}), -1) @ {0})"},
    {"scores", "{0} @ {0}.mT / sqrt({q})"},
    {"hidden", "triu(ones({q}, {q}), 1) > 0|tril(ones({q}, {q})) == 0|arange({q})[None] > arange({q})[:, None]"},
    {"norm",
     "l:layer_norm({0}, [{n}], eps=0.1)|l:layer_norm({0}, [{n}], {w:n}, bias={w:n})|l:rms_norm({0}, [{n}])"
     "|l:rms_norm({0}, [{n}], weight={w:n}, eps=0.01)"
     "|l:(({0} - {0}.mean(-1, keepdim=True)) / sqrt({0}.var(-1, False, True) + 0.1))"
     "|v:({0} / sqrt(square({0}).mean(dim=-1, keepdim=True) + 0.2))"},
    {"loss",
     "v:mse_loss({0}, {w:s})|m:cross_entropy({0}, {targets})|m:cross_entropy({0}, {targets}, reduction=\"sum\")"
     "|m:cross_entropy({0}, {targets}, label_smoothing=0.1)|m:cross_entropy({0}, {targets}, ignore_index=0)"},
    {"rows",
     "m:{0}[{ids}]|m:embedding({ids}.unsqueeze(1), {0})|m:(one_hot({ids}, {r}).float() @ {0})"
     "|m:({0} * one_hot(argmax({0}, -1), {n}))"},
    {"constants",
     "v:({0} + arange({n}) * 0.5)|v:({0} * arange(1, {n} + 1))|v:({0} * zeros_like({0}) + {0})|v:({0} + ones_like({0}))"
     "|v:({0} @ (eye({n}) + 0.1))|v:({0} - tensor([[0.5]]))[0]"},
    {"helped", "{g}({0})|{g}({0}, {f})|{g}(x={0}, shift={f})|{g}({0}, shift={f}, scale=0.3)"},
    {"moved",
     "m:{0}.T|m:{0}.mT|m:{0}.transpose({a}, {b})|m:permute({0}, [{p}])|m:{0}.permute({p})|v:{0}.reshape(({z}))"
     "|v:{0}.view({z})|v:reshape({0}, ({z}))|v:{0}.flatten()|m:flatten({0}, 0, 1)|{0}.unsqueeze({c})"
     "|squeeze({0}.unsqueeze({c}), {c})|v:{0}.flatten()[None].expand({s}, -1)|v:{0}.flatten()[:, None].expand(-1, {s})"
     "|v:cat(({0}, {function}), dim={a})|stack([{0}, {function}], {c})|m:tril({0})|m:tril({0}, {d})|m:{0}.triu({d})"
     "|v:flip({0}, [{a}])|m:{0}.flip((0, 1))"},
    {"d", "-1|0|1"},
    {"picked", "v:{0}[{I}]|v:{0}[{I}]|v:{0}[{I}]|v:{0}.chunk(2, {a})[0]"},
    {"slice", ":|1:|:1|-1:|::2|0:2|0|-1|None"},
    {"f", "0.5|1.5|-0.7|2|0.3|-1.2|0.25|0.9|-0.4|1e-1"},
    {"s", "2|3"},
    {"g", "g0|g1"},
    {"init", "|, init=\"normal\"|, \"xavier\"|, init=\"ones\"|, init=\"zeros\""},
    {"numbers", "randn{S}|rand{S}|ones{S}|zeros{S}|full({S}, -0.4)|(randint(-2, 3, {S}) * 0.5)"},
};

std::string listed(const std::vector<int>& numbers) {
  std::string text;
  for (const int each : numbers) text += (text.empty() ? "" : ", ") + std::to_string(each);
  return text;
}

std::string in_brackets(const Shape& shape) {
  return "(" + listed({shape.begin(), shape.end()}) + (shape.rank() == 1 ? ",)" : ")");
}

std::vector<Tensor> tensors_in(const program::Value& value) {
  if (const auto* tensor = value.as<program::TypedTensor>()) return {tensor->tensor};
  std::vector<Tensor> all;
  for (const program::Value& each : *program::items_of(value)) all.push_back(tensors_in(each).at(0));
  return all;
}

// The text that was drawn is no program, or its values are not small.
struct Unusable {};

// A program while it is being written. Each text that is drawn is run, which tells its shape. (C++ leaves open in which
// order the operands of + and the arguments of a call are evaluated: for the same text everywhere, an expression draws
// once at most.)
class Draft {
 public:
  explicit Draft(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    for (int i = 0, count = random_.below(3); i < count; ++i) lines_ += helper(i);
    open_main();
    for (int count = from(5, 10); count > 0; --count)
      while (!add_statement("statement")) continue;
    while (unused().empty())
      if (add_statement("assign")) break;
    return lines_ + "    return " + unused() + "\n";
  }

 private:
  struct Operand {
    std::string text;
    Shape shape;
    bool is_used = false;
  };
  // What the names in braces of one text stand for.
  struct Scope {
    std::optional<Operand> first = {}, second = {};
    std::map<std::string, std::string> names = {};  // each drawn once
  };

  int from(int low, int high) { return low + random_.below(high - low + 1); }
  bool chance(int percent) { return random_.below(100) < percent; }

  // def g0(x, scale=0.5, shift=-0.7): a function of each value by itself.
  std::string helper(int number) {
    Scope x{.first = Operand{"x", {}}}, y{.first = Operand{"y", {}}};
    std::string text = "def g" + std::to_string(number) + filled("(x, scale={f}, shift={s}):\n", x);
    text += filled("    y = tanh({function})\n", x);
    if (chance(30)) text += "    if scale > 0.4 and not shift == 2:\n        return y * scale + shift\n";
    return text + filled("    return {function} * scale + shift\n\n", y);
  }

  // The last function: its inputs, the first of them a matrix; the more axes, the smaller.
  void open_main() {
    std::string inputs;
    const int count = from(2, 3);
    for (int i = 0; i < count; ++i) {
      std::vector<int> sizes(static_cast<std::size_t>(i == 0 ? 2 : from(1, 3)));
      for (int& size : sizes) size = sizes.size() > 2 ? from(1, 3) : from(2, 4);
      const Shape shape{std::span<const int>(sizes)};
      variables_.push_back({std::string(1, "xyz"[i]), shape});
      inputs += (i > 0 ? ", " : "") + variables_.back().text + "=randn" + in_brackets(shape);
    }
    lines_ += "def f(" + inputs + "):\n";
  }

  // Whether one could be drawn.
  bool add_statement(const std::string& kind) {
    const Draft before = *this;
    try {
      Scope scope;
      std::string text = "\n" + filled("{" + kind + "}", scope);
      for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 5) text.insert(at + 1, "    ");
      lines_ += text.substr(1) + "\n";
      for (const char* name : {"N", "M"})
        if (const auto made = scope.names.find(name); made != scope.names.end())
          variables_.push_back({made->second, shape_of(made->second)});
      return true;
    } catch (const Unusable&) {
      const Random random = random_;
      *this = before;
      random_ = random;
      return false;
    }
  }

  // The shape of an expression, which must be a small float tensor of small values.
  Shape shape_of(const std::string& text) {
    try {
      ProgramModel model({{"program", lines_ + "    return " + text + "\n"}});
      model.loss();
      const auto* value = model.result().as<program::TypedTensor>();
      constexpr double largest = 8;
      constexpr std::size_t most = 64;
      const bool is_small =
          value && value->type == program::Type::real && value->tensor.size() > 0 && value->tensor.size() <= most &&
          std::ranges::all_of(value->tensor.values(), [](Scalar x) { return std::abs(x) <= largest; });
      if (is_small && value->tensor.rank() < 4) return value->tensor.shape();
    } catch (const Error&) {
    }
    throw Unusable();
  }

  // A variable whose shape fits, which counts as used from now on; one that nothing has used yet if there is any, so
  // that one operation works on the result of another.
  template <typename Fits>
  std::optional<Operand> variable(Fits fits) {
    std::vector<Operand*> all, fresh;
    for (Operand& each : variables_) {
      if (!fits(each.shape)) continue;
      all.push_back(&each);
      if (!each.is_used) fresh.push_back(&each);
    }
    if (all.empty()) return {};
    Operand& found = *pick(random_, fresh.empty() || chance(40) ? all : fresh);
    found.is_used = true;
    return found;
  }

  // A variable, or sometimes an expression.
  Operand operand(const std::string& needs) {
    const auto fits = [&](const Shape& shape) {
      return shape.rank() >= (needs == "m" ? 2 : needs.empty() ? 0 : 1) && (needs != "l" || shape[-1] > 2);
    };
    constexpr int deepest = 2;
    if (depth_ < deepest && chance(30)) {
      Scope scope;
      ++depth_;
      const std::string text = filled("{expression}", scope);
      --depth_;
      if (const Operand made{text, shape_of(text)}; fits(made.shape)) return made;
    }
    if (const auto found = variable(fits)) return *found;
    throw Unusable();
  }

  // A tensor that broadcasts to that shape.
  Operand partner(const Shape& shape) {
    if (chance(25)) return {weight(shape), shape};
    const auto found = variable([&](const Shape& from) {
      bool fits = from.rank() <= shape.rank();
      for (int axis = -1; fits && axis >= -from.rank(); --axis) fits = from[axis] == shape[axis] || from[axis] == 1;
      return fits;
    });
    return found ? *found : Operand{variable([](const Shape&) { return true; })->text + ".mean()", {}};
  }

  // A parameter, or once the program has enough of them a tensor of numbers.
  std::string weight(const Shape& shape) {
    constexpr int most_parameters = 3;
    Scope scope{.names = {{"S", in_brackets(shape)}}};
    if (shape.rank() == 0 || parameters_ == most_parameters || chance(40)) return filled("{numbers}", scope);
    return "parameter(f\"p{" + std::to_string(++parameters_) + "}\", " + filled("{S}{init})", scope);
  }

  // The pattern with all its names replaced.
  std::string filled(const std::string& pattern, Scope& scope) {
    std::string text;
    std::size_t at = 0;
    if (pattern.size() > 1 && pattern[1] == ':') {
      if (!scope.first) scope.first = operand(pattern.substr(0, 1));
      at = 2;
    }
    for (std::size_t open; (open = pattern.find('{', at)) != std::string::npos; at = pattern.find('}', open) + 1) {
      text += pattern.substr(at, open - at);
      text += named(pattern.substr(open + 1, pattern.find('}', open) - open - 1), scope);
    }
    return text + pattern.substr(at);
  }

  std::string named(const std::string& name, Scope& scope) {
    if (const auto known = scope.names.find(name); known != scope.names.end()) return known->second;
    if (name == "x") return variable([](const Shape&) { return true; })->text;
    if (const auto found = grammar.find(name); found != grammar.end())
      return filled(pick(random_, pieces_of(found->second)), scope);
    if (name.starts_with("w:")) return weight(sizes(name.substr(2), scope));
    if (!scope.first) scope.first = operand("");
    if (name == "0") return scope.first->text;
    if (name == "1") {
      if (!scope.second) scope.second = partner(scope.first->shape);
      return scope.second->text;
    }
    return scope.names[name] = drawn(name, scope.first->shape);
  }

  // s: the shape of the first operand; n: the size of its last axis; o: a size of its own.
  Shape sizes(const std::string& letters, Scope& scope) {
    if (!scope.first) scope.first = operand("v");
    if (letters == "s") return scope.first->shape;
    std::vector<int> all;
    for (const char letter : letters) all.push_back(std::stoi(named(std::string(1, letter), scope)));
    return Shape(std::span<const int>(all));
  }

  // N, M: new tensors; L, J: other new variables. Of the shape of the first operand: a, b: axes; c: a place for one
  // more; n, q, r: the sizes of the last, the last but one and the first axis; k: a size up to n; i: an index along the
  // first axis; I: one along several; p: an order of the axes; z: two sizes of as many values. o: a size. ids: of rows;
  // targets: for each row.
  std::string drawn(const std::string& name, const Shape& shape) {
    const int rank = shape.rank();
    const auto size = [&](int at) { return at < rank && at >= -rank ? shape[at] : 1; };
    const auto axis = [&](int axes) { return from(-axes, axes - 1); };
    const std::map<std::string_view, std::function<int()>> numbers = {
        {"a", [&] { return axis(std::max(rank, 1)); }},
        {"b", [&] { return axis(std::max(rank, 1)); }},
        {"c", [&] { return axis(rank + 1); }},
        {"i", [&] { return random_.below(size(0)); }},
        {"k", [&] { return from(1, size(-1)); }},
        {"n", [&] { return size(-1); }},
        {"o", [&] { return from(1, 3); }},
        {"q", [&] { return size(-2); }},
        {"r", [&] { return size(0); }},
    };
    if (const auto found = numbers.find(name); found != numbers.end()) return std::to_string(found->second());
    if (name == "I") return index(rank);
    if (name == "p") return order(rank);
    if (name == "z") return factors(static_cast<int>(shape.size()));
    if (name == "ids") return ids(from(1, 3), size(0));
    if (name == "targets") return ids(size(0), size(-1));
    return std::string(1, static_cast<char>(std::tolower(name[0]))) + std::to_string(++names_);
  }

  std::string ids(int count, int limit) {
    std::vector<int> all(static_cast<std::size_t>(count));
    for (int& each : all) each = random_.below(limit);
    return "tensor([" + listed(all) + "])";
  }

  std::string index(int rank) {
    Scope scope;
    std::string text = chance(30) ? "..." : filled("{slice}", scope);
    for (int more = random_.below(std::max(rank, 1)); more > 0; --more) text += ", " + filled("{slice}", scope);
    return text;
  }

  std::string order(int rank) {
    std::vector<int> axes(static_cast<std::size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
    for (int& each : axes) std::swap(each, axes[static_cast<std::size_t>(random_.below(rank))]);
    return listed(axes);
  }

  // The sizes of a matrix of so many values.
  std::string factors(int count) {
    int first = from(1, 4);
    while (count % first != 0) --first;
    return std::to_string(first) + ", " + (chance(50) ? "-1" : std::to_string(count / first));
  }

  // The variables that nothing has used.
  std::string unused() const {
    std::string names;
    for (const Operand& each : variables_)
      if (!each.is_used) names += (names.empty() ? "" : ", ") + each.text;
    return names;
  }

  Random random_;
  std::string lines_;
  std::vector<Operand> variables_;
  int names_ = 0, parameters_ = 0, depth_ = 0;
};

}  // namespace

std::string random_program(std::uint64_t seed) { return Draft(seed).program(); }

RandomModel::RandomModel(const std::string& text, std::uint64_t seed) : model_({{"program", text}}) {
  Random random(seed);
  const auto fill = [&](const Tensor& x) {
    for (Scalar& value : x.values()) value = random.uniform(-1, 1);
    return x;
  };
  for (const ModelInput& each : model_.inputs())
    if (each.takes_gradient) variables_.emplace_back(each.name, each.value);
  for (const Parameter& each : model_.parameters().all()) variables_.emplace_back(each.name, fill(each.value));
  model_.loss();
  for (const Tensor& each : tensors_in(model_.result())) weights_.push_back(fill(Tensor(each.shape())));
}

Tensor RandomModel::loss() {
  model_.loss();
  results_ = tensors_in(model_.result());
  Tensor total = Tensor::scalar(0);
  for (std::size_t i = 0; i < results_.size(); ++i) total = total + sum(results_[i] * weights_[i]);
  return total;
}

}  // namespace unroll
