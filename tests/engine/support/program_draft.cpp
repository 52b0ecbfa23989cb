#include "tests/engine/support/program_draft.h"

#include <algorithm>

#include "tests/engine/support/random_programs.h"

namespace unroll {

std::string bracketed(const Shape& shape, const char* brackets) {
  std::string text(1, brackets[0]);
  for (int axis = 0; axis < shape.rank(); ++axis) text += (axis > 0 ? ", " : "") + std::to_string(shape[axis]);
  return text + (shape.rank() == 1 && *brackets == '(' ? "," : "") + brackets[1];
}

std::string filled(std::string pattern, std::initializer_list<std::string> parts) {
  std::string text;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const std::size_t part = pattern[at] == '{' ? static_cast<std::size_t>(pattern[at + 1] - '0') : parts.size();
    if (part < parts.size())
      text += parts.begin()[part], at += 2;
    else
      text += pattern[at];
  }
  return text;
}

std::string Draft::number() {
  constexpr const char* numbers[] = {"0.5", "1.5", "-0.7", "2", "0.3", "-1.2", "0.25", "0.9", "-0.4", "1e-1"};
  return one_of(numbers);
}

Piece Draft::variable(int least_rank) {
  return used([&](const Shape& shape) { return shape.rank() >= least_rank; }).value();
}

std::optional<Piece> Draft::used(const std::function<bool(const Shape&)>& fits) {
  std::vector<Variable*> all, unused;
  for (Variable& each : variables_) {
    if (!fits(each.piece.shape)) continue;
    all.push_back(&each);
    if (!each.is_used) unused.push_back(&each);
  }
  if (all.empty()) return std::nullopt;
  Variable& found = *one_of(unused.empty() || chance(40) ? all : unused);
  found.is_used = true;
  return found.piece;
}

Piece Draft::operand(int least_rank) {
  constexpr int deepest = 2;
  if (depth_ < deepest && chance(30)) {
    ++depth_;
    const Piece piece = random_expression(*this);
    --depth_;
    if (piece.shape.rank() >= least_rank) return piece;
  }
  return variable(least_rank);
}

Piece Draft::partner(const Shape& shape) {
  if (chance(25)) return weight(shape);
  const std::optional<Piece> found = used([&](const Shape& from) {
    bool fits = from.rank() <= shape.rank();
    for (int axis = -1; fits && axis >= -from.rank(); --axis) fits = from[axis] == shape[axis] || from[axis] == 1;
    return fits;
  });
  return found ? *found : Piece{variable().text + ".mean()", {}, 1};
}

Piece Draft::weight(const Shape& shape) {
  constexpr int most_parameters = 3;
  constexpr std::size_t most_values = 16;
  const std::string sizes = bracketed(shape);
  if (shape.rank() > 0 && shape.size() <= most_values && parameters_ < most_parameters && chance(60)) {
    constexpr const char* inits[] = {"", ", init=\"normal\"", ", \"xavier\"", ", init=\"ones\"", ", init=\"zeros\""};
    return {"parameter(f\"p{" + std::to_string(++parameters_) + "}\", " + sizes + one_of(inits) + ")", shape, 1};
  }
  constexpr const char* made[] = {"randn({0})", "rand({0})",       "ones({0})",
                                  "zeros({0})", "full({0}, -0.4)", "(randint(-2, 3, {0}) * 0.5)"};
  return {filled(one_of(made), {sizes}), shape, 2};
}

Piece Draft::limited(const Piece& piece, double most) {
  if (piece.size <= most) return piece;
  if (piece.size <= 5 * most) return {"(0.2 * " + piece.text + ")", piece.shape, most};
  return {"tanh(0.1 * " + piece.text + ")", piece.shape, 1};
}

Piece Draft::assign(const Piece& piece) {
  constexpr double large = 8;
  const Piece kept = limited(piece, large);
  const std::string name = new_name();
  line(name + " = " + kept.text);
  add(name, kept.shape, kept.size);
  return {name, kept.shape, kept.size};
}

std::vector<std::string> Draft::unused() const {
  std::vector<std::string> names;
  for (const Variable& each : variables_)
    if (!each.is_used) names.push_back(each.piece.text);
  return names;
}

namespace {

// def g0(x, scale=0.5, shift=-0.7): a function of each value by itself.
void write_helper(Draft& draft) {
  const std::string name = "g" + std::to_string(draft.helpers);
  const std::string scale = draft.number(), shift = draft.number();
  draft.open("def " + name + "(x, scale=" + scale + ", shift=" + shift + "):");
  const Piece first = elementwise(draft, {"x", {}, 4});
  draft.line("y = " + first.text);
  if (draft.chance(30)) {
    draft.open("if scale > 0.4 and not shift == 2:");
    draft.line("return y * scale + shift");
    draft.close();
  }
  draft.line("return " + elementwise(draft, {"y", {}, first.size}).text + " * scale + shift");
  draft.close();
  draft.line("");
  ++draft.helpers;
}

// The sizes of an input; the more axes, the smaller.
Shape input_shape(Draft& draft, int rank) {
  std::vector<int> sizes;
  for (int axis = 0; axis < rank; ++axis) sizes.push_back(rank > 2 ? draft.from(1, 3) : draft.from(2, 4));
  return Shape(std::span<const int>(sizes));
}

// The last function: its inputs, the first of them a matrix.
void open_main(Draft& draft) {
  std::string inputs;
  const int count = draft.from(2, 3);
  for (int i = 0; i < count; ++i) {
    const std::string name(1, "xyz"[i]);
    const Shape shape = input_shape(draft, i == 0 ? 2 : draft.from(1, 3));
    inputs += (i > 0 ? ", " : "") + name + "=randn" + bracketed(shape);
    draft.add(name, shape, 2);
  }
  draft.open("def f(" + inputs + "):");
}

}  // namespace

std::string random_program(std::uint64_t seed) {
  Draft draft(seed);
  for (int i = draft.below(3); i > 0; --i) write_helper(draft);
  open_main(draft);
  for (int i = draft.from(5, 10); i > 0; --i) random_statement(draft);
  std::vector<std::string> results = draft.unused();
  if (results.empty()) results.push_back(draft.assign(random_expression(draft)).text);
  std::string returned;
  for (const std::string& each : results) returned += (returned.empty() ? "" : ", ") + each;
  draft.line("return " + returned);
  return draft.text();
}

}  // namespace unroll
