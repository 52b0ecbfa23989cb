#include "engine/ops/einsum_rule.h"

#include <algorithm>
#include <string>

#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr std::string_view dots = "...";

bool has(const AxisLabels& labels, int label) { return std::ranges::find(labels, label) != labels.end(); }

// The label of the axis so many before the end of those that "..." stands for.
int label_of_dots(int from_end) { return EinsumRule::labels - from_end; }

int label_of_letter(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  fail(ErrorCode::shape, "einsum_letter", std::string(1, letter));
}

std::string letter_of(int label) {
  if (label >= EinsumRule::letters) return std::string(dots);
  return std::string(1, static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26));
}

// A part of the rule between commas: its letters, and where "..." is among them.
struct Term {
  std::string text;
  AxisLabels before, after;
  bool has_dots = false;

  int count() const { return static_cast<int>(before.size() + after.size()); }
  // With "..." as so many axes.
  AxisLabels labels(int axes_of_dots) const {
    AxisLabels all = before;
    for (int i = axes_of_dots; i > 0; --i) all.push_back(label_of_dots(i));
    all.insert(all.end(), after.begin(), after.end());
    return all;
  }
};

Term read_term(std::string text) {
  Term term{std::move(text), {}, {}};
  for (std::string_view rest = term.text; !rest.empty();) {
    if (rest.starts_with(dots) && !term.has_dots) {
      term.has_dots = true;
      rest.remove_prefix(dots.size());
      continue;
    }
    (term.has_dots ? term.after : term.before).push_back(label_of_letter(rest.front()));
    rest.remove_prefix(1);
  }
  return term;
}

// Puts the sizes of an operand to its labels. A size of 1 fits every other, as in all broadcasting.
void note_sizes(EinsumRule& rule, const Shape& shape, const AxisLabels& labels) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    int& size = rule.sizes[static_cast<std::size_t>(labels[static_cast<std::size_t>(axis)])];
    const std::string letter = letter_of(labels[static_cast<std::size_t>(axis)]);
    if (size > 1 && shape[axis] != 1 && shape[axis] != size)
      fail(ErrorCode::shape, "einsum_sizes_differ", letter, size, shape[axis]);
    if (size <= 1) size = shape[axis];
  }
}

void check_repeated(const Shape& shape, const AxisLabels& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const int a = shape[static_cast<int>(j)], b = shape[static_cast<int>(i)]; labels[i] == labels[j] && a != b)
        fail(ErrorCode::shape, "einsum_sizes_differ", letter_of(labels[i]), a, b);
}

AxisLabels labels_of_operand(const Term& term, const Shape& shape, std::size_t place) {
  const int rest = shape.rank() - term.count();
  if (rest < 0 || (rest > 0 && !term.has_dots))
    fail(ErrorCode::shape, "einsum_term_does_not_fit", term.text, place, shape);
  return term.labels(rest);
}

// Of a rule without "->": the axes of "...", then the letters that occur once.
AxisLabels implied_result(const EinsumRule& rule, int axes_of_dots) {
  std::array<int, EinsumRule::labels> uses{};
  for (const AxisLabels& each : rule.operands)
    for (const int label : each) ++uses[static_cast<std::size_t>(label)];
  AxisLabels result = Term{}.labels(axes_of_dots);
  for (int label = 0; label < EinsumRule::letters; ++label)
    if (uses[static_cast<std::size_t>(label)] == 1) result.push_back(label);
  return result;
}

AxisLabels result_of(const EinsumRule& rule, const Term& term, int axes_of_dots) {
  const AxisLabels result = term.labels(term.has_dots ? axes_of_dots : 0);
  for (auto label = result.begin(); label != result.end(); ++label) {
    if (std::ranges::none_of(rule.operands, [&](const AxisLabels& each) { return has(each, *label); }))
      fail(ErrorCode::shape, "einsum_letter_of_no_operand", letter_of(*label));
    if (std::find(result.begin(), label, *label) != label)
      fail(ErrorCode::shape, "einsum_letter_twice", letter_of(*label));
  }
  return result;
}

}  // namespace

bool EinsumRule::is_needed(int label, std::size_t next) const {
  for (; next < operands.size(); ++next)
    if (has(operands[next], label)) return true;
  return has(result, label);
}

EinsumRule read_einsum_rule(std::string_view text, std::span<const Shape> shapes) {
  std::string left(text);
  std::erase(left, ' ');
  const std::size_t arrow = left.find("->");
  const std::string right = arrow == std::string::npos ? "" : left.substr(arrow + 2);
  left.resize(std::min(arrow, left.size()));

  std::vector<Term> terms;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = left.find(',', begin);
    terms.push_back(read_term(left.substr(begin, end == std::string::npos ? end : end - begin)));
  }
  if (terms.size() != shapes.size()) fail(ErrorCode::shape, "einsum_operand_count", terms.size(), shapes.size());

  EinsumRule rule;
  int axes_of_dots = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    rule.operands.push_back(labels_of_operand(terms[i], shapes[i], i));
    check_repeated(shapes[i], rule.operands.back());
    note_sizes(rule, shapes[i], rule.operands.back());
    axes_of_dots = std::max(axes_of_dots, shapes[i].rank() - terms[i].count());
  }
  rule.result =
      arrow == std::string::npos ? implied_result(rule, axes_of_dots) : result_of(rule, read_term(right), axes_of_dots);
  return rule;
}

}  // namespace unroll
