// einsum: sums of products by a rule, reduced to permute, reshape, matmul and sum, from the first operand to the last.
#include <algorithm>
#include <numeric>

#include "engine/autograd/tape.h"
#include "engine/ops/einsum_rule.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// A tensor with a label for each of its axes.
struct Labelled {
  Tensor x;
  AxisLabels labels;

  bool has(int label) const { return std::ranges::find(labels, label) != labels.end(); }
  int axis(int label) const { return static_cast<int>(std::ranges::find(labels, label) - labels.begin()); }
  int size(int label) const { return x.shape()[axis(label)]; }
};

AxisLabels joined_labels(AxisLabels first, const AxisLabels& second, const AxisLabels& third = {}) {
  first.insert(first.end(), second.begin(), second.end());
  first.insert(first.end(), third.begin(), third.end());
  return first;
}

Shape shape_of_sizes(const std::vector<int>& sizes) { return Shape(std::span<const int>(sizes)); }

// With one axis for each label: the diagonal of two axes of the same label.
Labelled without_repeats(Labelled each) {
  AxisLabels labels;
  std::vector<std::size_t> steps;  // between neighbours along each axis, in the values of x
  std::vector<int> sizes;
  for (std::size_t i = 0; i < each.labels.size(); ++i) {
    const AxisSplit parts = split_at(each.x.shape(), static_cast<int>(i));
    const auto seen = std::ranges::find(labels, each.labels[i]);
    if (seen != labels.end()) {
      steps[static_cast<std::size_t>(seen - labels.begin())] += parts.inner;
      continue;
    }
    labels.push_back(each.labels[i]);
    steps.push_back(parts.inner);
    sizes.push_back(each.x.shape()[static_cast<int>(i)]);
  }
  if (labels.size() == each.labels.size()) return each;
  const Tensor places(shape_of_sizes(sizes));
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t rest = i, place = 0;
    for (std::size_t axis = sizes.size(); axis-- > 0; rest /= static_cast<std::size_t>(sizes[axis]))
      place += rest % static_cast<std::size_t>(sizes[axis]) * steps[axis];
    places.data()[i] = static_cast<Scalar>(place);
  }
  return {take(each.x, places), labels};
}

Labelled summed(Labelled each, int label) {
  const int axis = each.axis(label);
  each.labels.erase(each.labels.begin() + axis);
  return {sum(each.x, axis), each.labels};
}

// Without the sums over labels that nothing else has, from operand `next` on.
Labelled without_lone(Labelled each, const Labelled* partner, const EinsumRule& rule, std::size_t next) {
  for (const int label : AxisLabels(each.labels))
    if (!(partner && partner->has(label)) && !rule.is_needed(label, next)) each = summed(std::move(each), label);
  return each;
}

// Without the axes of size 1 that the partner has as well: they say nothing.
Labelled without_ones(Labelled each, const Labelled& partner) {
  for (const int label : AxisLabels(each.labels)) {
    if (each.size(label) != 1 || !partner.has(label)) continue;
    const int axis = each.axis(label);
    each.labels.erase(each.labels.begin() + axis);
    each.x = reshape(each.x, each.x.shape().without(axis));
  }
  return each;
}

Tensor in_order(const Labelled& each, const AxisLabels& order) {
  if (each.labels == order) return each.x;
  std::vector<int> axes;
  for (const int label : order) axes.push_back(each.axis(label));
  return permute(each.x, axes);
}

// The product without a sum: each operand gets axes of size 1 for what it lacks.
Labelled product(const Labelled& a, const Labelled& b, const AxisLabels& order) {
  const auto spread = [&](const Labelled& each) {
    AxisLabels own;
    std::vector<int> sizes;
    for (const int label : order) {
      if (each.has(label)) own.push_back(label);
      if (each.has(label) || !own.empty()) sizes.push_back(each.has(label) ? each.size(label) : 1);
    }
    return reshape(in_order(each, own), shape_of_sizes(sizes));
  };
  const Tensor left = spread(a);
  return {left * spread(b), order};
}

// The labels of two operands by what becomes of them: `batch` are in both and stay, `summed` are in both and go.
struct Groups {
  AxisLabels batch, summed, only_a, only_b;
};

Groups groups_of(const Labelled& a, const Labelled& b, const EinsumRule& rule, std::size_t next) {
  Groups groups;
  for (const int label : a.labels)
    (!b.has(label) ? groups.only_a : rule.is_needed(label, next) ? groups.batch : groups.summed).push_back(label);
  for (const int label : b.labels)
    if (!a.has(label)) groups.only_b.push_back(label);
  return groups;
}

int size_of_all(const Labelled& each, const AxisLabels& labels) {
  return std::accumulate(labels.begin(), labels.end(), 1, [&](int size, int label) { return size * each.size(label); });
}

// A batch of matrices: the batch as it is, or as one axis if it has too many.
Tensor as_matrices(const Labelled& each, const AxisLabels& batch, const AxisLabels& rows, const AxisLabels& columns) {
  std::vector<int> sizes;
  for (const int label : batch) sizes.push_back(each.size(label));
  if (sizes.size() > Shape::max_rank - 2) sizes = {size_of_all(each, batch)};
  sizes.push_back(size_of_all(each, rows));
  sizes.push_back(size_of_all(each, columns));
  return reshape(in_order(each, joined_labels(batch, rows, columns)), shape_of_sizes(sizes));
}

Labelled matrix_product(const Labelled& a, const Labelled& b, const Groups& groups) {
  const auto& [batch, summed, only_a, only_b] = groups;
  const bool b_has_columns_first = b.labels == joined_labels(batch, only_b, summed);
  const bool a_has_columns_first = !b_has_columns_first && a.labels == joined_labels(batch, summed, only_a);
  const Tensor left =
      a_has_columns_first ? as_matrices(a, batch, summed, only_a) : as_matrices(a, batch, only_a, summed);
  const Tensor right =
      b_has_columns_first ? as_matrices(b, batch, only_b, summed) : as_matrices(b, batch, summed, only_b);
  const Transposed form = b_has_columns_first ? Transposed::b : a_has_columns_first ? Transposed::a : Transposed::none;
  const Tensor y = matmul(left, right, form);
  std::vector<int> sizes;
  for (const int label : joined_labels(batch, only_a)) sizes.push_back(a.size(label));
  for (const int label : only_b) sizes.push_back(b.size(label));
  return {reshape(y, shape_of_sizes(sizes)), joined_labels(batch, only_a, only_b)};
}

// The product of what is there so far and the operand before `next`.
Labelled combined(Labelled a, Labelled b, const EinsumRule& rule, std::size_t next) {
  a = without_ones(std::move(a), b);
  b = without_ones(std::move(b), a);
  a = without_lone(std::move(a), &b, rule, next);
  b = without_lone(std::move(b), &a, rule, next);
  const Groups groups = groups_of(a, b, rule, next);
  if (!groups.summed.empty()) return matrix_product(a, b, groups);
  AxisLabels order = joined_labels(groups.batch, groups.only_a, groups.only_b);
  if (next == rule.operands.size())
    order = rule.result;
  else if (groups.only_a.empty())
    order = b.labels;
  else if (groups.only_b.empty())
    order = a.labels;
  return product(a, b, order);
}

std::vector<Shape> shapes_of(const std::vector<Operand>& operands) {
  std::vector<Shape> shapes;
  for (const Operand& each : operands) shapes.push_back(each.shape());
  return shapes;
}

}  // namespace

Tensor einsum(std::string_view text, const std::vector<Operand>& operands, Operand::CallSite where) {
  const EinsumRule rule = read_einsum_rule(text, shapes_of(operands));
  const Scope scope("einsum", where);
  const auto operand = [&](std::size_t i) { return without_repeats({operands[i], rule.operands[i]}); };
  Labelled all = operand(0);
  for (std::size_t i = 1; i < operands.size(); ++i) all = combined(std::move(all), operand(i), rule, i + 1);
  all = without_lone(std::move(all), nullptr, rule, operands.size());
  return in_order(all, rule.result);
}

double einsum_multiply_adds(std::string_view text, std::span<const Shape> operands) {
  const EinsumRule rule = read_einsum_rule(text, operands);
  std::vector<bool> is_there(EinsumRule::labels);
  double total = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (const int label : rule.operands[i]) is_there[static_cast<std::size_t>(label)] = true;
    double products = 1;
    for (int label = 0; label < EinsumRule::labels; ++label) {
      const auto place = static_cast<std::size_t>(label);
      if (is_there[place]) products *= rule.sizes[place];
      is_there[place] = is_there[place] && rule.is_needed(label, i + 1);
    }
    total += products;
  }
  return total;
}

}  // namespace unroll
