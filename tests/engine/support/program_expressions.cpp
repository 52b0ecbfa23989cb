// Expressions of random programs. Each form says how large its values get, so that none grows without end.
#include <algorithm>
#include <cmath>

#include "tests/engine/support/program_draft.h"

namespace unroll {
namespace {

// A function of each value: {0} of values up to `most` gives values up to `size`, or if 0 as large as they were.
struct Elementwise {
  const char* pattern;
  double most, size;
};
constexpr Elementwise functions[] = {
    {"exp({0})", 1, 2.8},
    {"log(1 + {0} ** 2)", 4, 3},
    {"log(abs({0}) + 0.5)", 8, 2},
    {"sqrt(square({0}) + 0.3)", 8, 0},
    {"tanh({0})", 8, 1},
    {"sigmoid({0})", 8, 1},
    {"relu({0})", 8, 0},
    {"erf({0})", 4, 1},
    {"sin({0})", 8, 1},
    {"cos({0})", 8, 1},
    {"abs({0})", 8, 0},
    {"gelu({0})", 8, 0},
    {"gelu({0}, approximate=\"tanh\")", 8, 0},
    {"silu({0})", 8, 0},
    {"softplus({0})", 8, 0},
    {"square({0})", 3, 9},
    {"pow({0}, 3)", 2, 8},
    {"({0} ** 2)", 3, 9},
    {"({0} ** 3)", 2, 8},
    {"(({0} ** 2 + 1) ** -1)", 8, 1},
    {"pow(abs({0}) + 0.3, 1.5)", 3, 6},
    {"((abs({0}) + 0.2) ** 0.5)", 8, 3},
    {"(-{0})", 8, 0},
    {"clamp({0}, -1, 1.5)", 8, 1.5},
    {"{0}.clamp(min=-0.7)", 8, 0},
    {"{0}.clamp(max=0.8)", 8, 0},
    {"(1 / (1 + exp({0})))", 2, 1},
    {"{0}.masked_fill({0} > 0.5, 0.3)", 8, 0},
    {"where(({0} < 0) == False, 0.3 * {0}, {0})", 8, 0},
    {"({0} * ({0} != 0))", 8, 0},
    {"{0}.float()", 8, 0},
    {"{0}.contiguous()", 8, 0},
    {"maximum({0}, -0.3)", 8, 0},
    {"minimum({0}, 0.4)", 8, 0},
};

Piece combined_piece(Draft& draft) {
  struct Pattern {
    const char* text;
    double most;  // of both
    double (*size)(double, double);
  };
  constexpr auto sum = [](double a, double b) { return a + b; };
  constexpr auto product = [](double a, double b) { return a * b; };
  constexpr auto larger = [](double a, double b) { return std::max(a, b); };
  constexpr auto four = [](double, double) { return 4.0; };
  constexpr Pattern patterns[] = {
      {"({0} + {1})", 8, sum},
      {"({0} - {1})", 8, sum},
      {"({0} * {1})", 4, product},
      {"({0} / (1.5 + square({1})))", 8, larger},
      {"({1} / ({0} ** 2 + 0.8))", 8, larger},
      {"maximum({0}, {1})", 8, larger},
      {"minimum({0}, {1})", 8, larger},
      {"where({0} > {1}, {0}, 0.5 * {1})", 8, larger},
      {"where({1} <= 0.2, {0}, {1})", 8, larger},
      {"{0}.masked_fill({1} >= 0.3, -0.5)", 8, larger},
      {"pow(abs({0}) + 0.5, tanh({1}))", 3, four},
      {"((abs({0}) + 0.5) ** sigmoid({1}))", 3, four},
  };
  const Pattern& pattern = draft.one_of(patterns);
  const Piece x = draft.limited(draft.operand(), pattern.most);
  const Piece y = draft.limited(draft.partner(x.shape), pattern.most);
  return {filled(pattern.text, {x.text, y.text}), x.shape, pattern.size(x.size, y.size)};
}

// Sizes that broadcast to something larger than each.
Piece outer_piece(Draft& draft) {
  const Piece x = draft.limited(draft.operand(1), 4);
  if (x.shape.rank() > 2) return elementwise(draft, x);
  const int length = draft.from(1, 3);
  const Piece y = draft.weight({length});
  return {"(" + x.text + "[..., None] * " + y.text + ")", x.shape.inserted(-1).with(-1, length), x.size * y.size};
}

Piece linear_piece(Draft& draft) {
  const Piece x = draft.limited(draft.operand(2), 4);
  const int inner = x.shape[-1], columns = draft.from(1, 3);
  const Shape shape = x.shape.with(-1, columns);
  const double size = x.size * std::sqrt(inner);
  if (draft.chance(50))
    return {"linear(" + x.text + ", bias=None, weight=" + draft.weight({inner, columns}).text + ".T)", shape, size};
  const std::string W = draft.weight({columns, inner}).text, b = draft.weight({columns}).text;
  return {"linear(" + x.text + ", " + W + ", " + b + ")", shape, size};
}

Piece product_piece(Draft& draft) {
  const Piece x = draft.limited(draft.operand(1), 4);
  const int inner = x.shape[-1], columns = draft.from(1, 3);
  if (x.shape.rank() > 1 && draft.chance(40))
    return {"(" + x.text + " @ " + x.text + ".mT / " + std::to_string(inner) + ")", x.shape.with(-1, x.shape[-2]),
            x.size * x.size};
  const std::string W = draft.weight({inner, columns}).text;
  constexpr const char* patterns[] = {"({0} @ {1})", "matmul({0}, {1})", "{0}.matmul({1})"};
  return {filled(draft.one_of(patterns), {x.text, W}), x.shape.with(-1, columns), x.size * std::sqrt(inner)};
}

// Over one axis, or over all.
Piece reduced_piece(Draft& draft) {
  constexpr const char* names[] = {"sum", "mean", "amax", "amin", "logsumexp", "var", "std"};
  const std::string drawn = draft.one_of(names);
  const Piece x = draft.operand(1);
  const int axis = draft.below(x.shape.rank());
  const std::string name =
      drawn == "std" && x.shape[axis] == 1 ? "var" : drawn;  // the slope of a root at 0 is infinite
  const bool is_spread = name == "var" || name == "std";
  const bool of_all = draft.chance(25), keeps = draft.chance(40), is_method = draft.chance(50);
  const std::string start = is_method ? x.text + "." + name + "(" : name + "(" + x.text + (of_all ? "" : ", ");
  const double size = name == "sum" ? 2 * x.size : name == "logsumexp" ? x.size + 1 : x.size;
  if (of_all && name != "logsumexp" && !is_spread) return {start + ")", {}, size};
  const std::string keyword = draft.chance(50) ? "dim=" : "";
  const std::string along = keyword + draft.axis_text(axis, x.shape.rank());
  std::string options = keeps ? draft.chance(50) ? ", keepdim=True" : ", keepdims=True" : "";
  if (is_spread && (x.shape[axis] == 1 || draft.chance(50))) options = ", unbiased=False" + options;
  const std::string call = of_all && !is_method ? start + ", " : start;
  return {call + along + options + ")", keeps ? x.shape.with(axis, 1) : x.shape.without(axis),
          name == "var" ? x.size * x.size : size};
}

Piece extreme_piece(Draft& draft) {
  const std::string name = draft.chance(50) ? "max(" : "min(";
  return {name + draft.operand().text + ")", {}, 2};
}

// Along one axis, with as many values as before.
Piece along_axis(Draft& draft) {
  constexpr const char* names[] = {"softmax", "log_softmax", "cumsum"};
  const std::string name = draft.one_of(names);
  const Piece x = draft.operand(1);
  const std::string axis = draft.axis_text(draft.below(x.shape.rank()), x.shape.rank());
  const std::string text =
      draft.chance(50) ? x.text + "." + name + "(" + axis + ")" : name + "(" + x.text + ", dim=" + axis + ")";
  return {text, x.shape, name == "softmax" ? 1 : 2 * x.size};
}

// softmax with some places masked, of each row at least one not.
Piece attention_piece(Draft& draft) {
  const Piece x = draft.limited(draft.operand(2), 4);
  const Shape scores = x.shape.with(-1, x.shape[-2]);
  const std::string n = std::to_string(scores[-1]), S = "(" + x.text + " @ " + x.text + ".mT / sqrt(" + n + "))";
  constexpr const char* masks[] = {"triu(ones({0}, {0}), 1) > 0", "tril(ones({0}, {0})) == 0",
                                   "arange({0})[None] > arange({0})[:, None]"};
  const std::string mask = filled(draft.one_of(masks), {n});
  const std::string weights = draft.chance(50) ? "softmax(" + S + ".masked_fill(" + mask + ", -inf), dim=-1)"
                                               : "softmax(where(" + mask + ", -inf, " + S + "), -1)";
  return {"(" + weights + " @ " + x.text + ")", x.shape, x.size};
}

Piece normed_piece(Draft& draft) {
  const Piece x = draft.operand(1);
  const int n = x.shape[-1];
  if (n < 3) return along_axis(draft);
  const std::string sizes = bracketed({n}, "[]");
  switch (draft.below(6)) {
    case 0:
      return {"layer_norm(" + x.text + ", " + sizes + ", eps=0.1)", x.shape, 2};
    case 1: {
      const std::string weight = draft.weight({n}).text, bias = draft.weight({n}).text;
      return {"layer_norm(" + x.text + ", " + sizes + ", " + weight + ", bias=" + bias + ")", x.shape, 2};
    }
    case 2:
      return {"rms_norm(" + x.text + ", " + sizes + ")", x.shape, 2};
    case 3:
      return {"rms_norm(" + x.text + ", " + sizes + ", weight=" + draft.weight({n}).text + ", eps=0.01)", x.shape, 2};
    case 4:
      return {filled("(({0} - {0}.mean(-1, keepdim=True)) / sqrt({0}.var(-1, False, True) + 0.1))", {x.text}), x.shape,
              2};
    default:
      return {filled("({0} / sqrt(square({0}).mean(dim=-1, keepdim=True) + 0.2))", {x.text}), x.shape, 2};
  }
}

std::string random_ids(Draft& draft, int count, int limit) {
  std::string ids;
  for (int i = 0; i < count; ++i) ids += (i > 0 ? ", " : "") + std::to_string(draft.below(limit));
  return "tensor([" + ids + "])";
}

Piece loss_piece(Draft& draft) {
  const Piece x = draft.operand(1);
  if (x.shape.rank() != 2 || x.shape[1] < 2 || draft.chance(30))
    return {"mse_loss(" + x.text + ", " + draft.weight(x.shape).text + ")", {}, 3};
  constexpr const char* options[] = {"", ", reduction=\"sum\"", ", label_smoothing=0.1", ", ignore_index=0"};
  // At least one target is not 0, so that one is not ignored.
  const std::string targets =
      "maximum(" + random_ids(draft, x.shape[0], x.shape[1]) + ", eye(" + std::to_string(x.shape[0]) + ")[0].long())";
  return {"cross_entropy(" + x.text + ", " + targets + draft.one_of(options) + ")", {}, 4};
}

// Rows by ids, in ways that look them up and in ways that multiply.
Piece looked_up(Draft& draft) {
  const Piece x = draft.operand(2);
  const int rows = x.shape[0], count = draft.from(1, 3);
  const std::string ids = random_ids(draft, count, rows);
  if (x.shape.rank() > 2) return {x.text + "[" + ids + "]", x.shape.with(0, count), x.size};
  switch (draft.below(4)) {
    case 0:
      return {x.text + "[" + ids + "]", x.shape.with(0, count), x.size};
    case 1:
      return {"embedding(" + ids + ".unsqueeze(1), " + x.text + ")", Shape{count, 1, x.shape[1]}, x.size};
    case 2:
      return {"(one_hot(" + ids + ", " + std::to_string(rows) + ").float() @ " + x.text + ")", x.shape.with(0, count),
              x.size};
    default:
      return {"(" + x.text + " * one_hot(argmax(" + x.text + ", -1), " + std::to_string(x.shape[1]) + "))", x.shape,
              x.size};
  }
}

Piece largest_few(Draft& draft) {
  const Piece x = draft.operand(1);
  const int k = draft.from(1, x.shape[-1]);
  return {"topk(" + x.text + ", " + std::to_string(k) + ")[0]", x.shape.with(-1, k), x.size};
}

// With a tensor of numbers of the language's own making.
Piece with_constants(Draft& draft) {
  const Piece x = draft.operand(1);
  constexpr const char* patterns[] = {"({0} + arange({1}) * 0.5)",     "({0} * arange(1, {1} + 1))",
                                      "({0} * zeros_like({0}) + {0})", "({0} + ones_like({0}))",
                                      "({0} @ (eye({1}) + 0.1))",      "({0} - tensor([[0.5]]))[0]"};
  const int which = draft.below(static_cast<int>(std::size(patterns)));
  const std::string text = filled(patterns[which], {x.text, std::to_string(x.shape[-1])});
  if (which < 5) return {text, x.shape, 3 * x.size};
  return {text, x.shape.rank() == 1 ? x.shape : x.shape.without(0), x.size + 1};
}

Piece helped(Draft& draft) {
  if (draft.helpers == 0) return elementwise(draft, draft.operand());
  const Piece x = draft.limited(draft.operand(), 4);
  const std::string name = "g" + std::to_string(draft.below(draft.helpers));
  constexpr const char* calls[] = {"{0}({1})", "{0}({1}, {2})", "{0}(x={1}, shift={2})",
                                   "{0}({1}, shift={2}, scale=0.3)"};
  const std::string number = draft.number();
  return {filled(draft.one_of(calls), {name, x.text, number}), x.shape, 9};
}

Piece any_elementwise(Draft& draft) { return elementwise(draft, draft.operand()); }

}  // namespace

Piece elementwise(Draft& draft, const Piece& x) {
  const Elementwise& function = draft.one_of(functions);
  const Piece small = draft.limited(x, function.most);
  return {filled(function.pattern, {small.text}), x.shape, function.size > 0 ? function.size : small.size};
}

Piece random_expression(Draft& draft) {
  constexpr Piece (*forms[])(Draft&) = {
      any_elementwise, any_elementwise, any_elementwise, any_elementwise, combined_piece, combined_piece,
      combined_piece,  outer_piece,     product_piece,   linear_piece,    reduced_piece,  reduced_piece,
      extreme_piece,   along_axis,      attention_piece, normed_piece,    loss_piece,     looked_up,
      largest_few,     with_constants,  helped,          reshaped_piece,  reshaped_piece, reshaped_piece,
      indexed_piece,   indexed_piece};
  return draft.one_of(forms)(draft);
}

}  // namespace unroll
