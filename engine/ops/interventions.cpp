#include "engine/ops/interventions.h"

#include <algorithm>
#include <charconv>

#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();

// "decoder.t*/s" for "decoder.t12/s": * takes as much as it must, and no slash.
bool fits_pattern(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] != '*')
    return !text.empty() && text[0] == pattern[0] && fits_pattern(pattern.substr(1), text.substr(1));
  for (std::size_t taken = 0;; ++taken) {
    if (fits_pattern(pattern.substr(1), text.substr(taken))) return true;
    if (taken == text.size() || text[taken] == '/') return false;
  }
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// ":" is nothing, "2" is 2; throws for anything else.
std::optional<int> index_of(std::string_view part, std::string_view whole) {
  if (part == ":") return std::nullopt;
  int index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (part.empty() || error != std::errc() || end != part.data() + part.size())
    fail(ErrorCode::input, "intervention_brackets", whole);
  return index;
}

int counted(int index, int size) { return index < 0 ? index + size : index; }

// The index of a cell along each axis.
std::vector<int> unravelled(std::size_t cell, const Shape& shape) {
  std::vector<int> indices(static_cast<std::size_t>(shape.rank()));
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    indices[static_cast<std::size_t>(axis)] = static_cast<int>(cell % size);
    cell /= size;
  }
  return indices;
}

// Along axes of a target with an index, the sizes of two tensors may differ.
bool agree(const InterventionTarget& target, const Shape& a, const Shape& b) {
  if (a.rank() != b.rank() || !target.fits(a) || !target.fits(b)) return false;
  for (int axis = 0; axis < a.rank(); ++axis) {
    const bool chosen = axis < std::ssize(target.at) && target.at[static_cast<std::size_t>(axis)];
    if (!chosen && a[axis] != b[axis]) return false;
  }
  return true;
}

Tensor means_of_rows(const Tensor& x, CallSite where) {
  return broadcast_to(mean(Operand(x, where), -2, true), x.shape());
}

}  // namespace

const std::vector<std::string> intervention_kinds = {"zero", "mean", "from", "hidden", "detach", "frozen"};

bool InterventionTarget::matches(std::string_view tensor) const { return fits_pattern(name, tensor); }

bool InterventionTarget::fits(const Shape& shape) const {
  if (std::ssize(at) > shape.rank()) return false;
  for (int axis = 0; axis < std::ssize(at); ++axis)
    if (const auto index = at[static_cast<std::size_t>(axis)];
        index && (*index < -shape[axis] || *index >= shape[axis]))
      return false;
  return true;
}

Tensor InterventionTarget::selection(const Shape& shape) const {
  Tensor selected = Tensor::full(shape, 1);
  for (std::size_t cell = 0; cell < shape.size(); ++cell) {
    const std::vector<int> indices = unravelled(cell, shape);
    for (std::size_t axis = 0; axis < at.size(); ++axis)
      if (at[axis] && counted(*at[axis], shape[static_cast<int>(axis)]) != indices[axis]) selected.data()[cell] = 0;
  }
  return selected;
}

InterventionTarget target_of(std::string_view text) {
  const std::size_t open = text.ends_with(']') ? text.rfind('[') : std::string_view::npos;
  if (open == std::string_view::npos) return {std::string(text), {}};
  InterventionTarget target{std::string(text.substr(0, open)), {}};
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = rest.find(',');
    target.at.push_back(index_of(trimmed(rest.substr(0, comma)), text));
    rest.remove_prefix(std::min(rest.size(), comma == std::string_view::npos ? comma : comma + 1));
  }
  return target;
}

Tensor replace(Operand selected, Operand by, Operand x) {
  Tensor y(x.shape());
  y.array() = (selected.array() != 0).select(by.array(), x.array());
  return record({"where", "elementwise", "{0} ? {1} : {2}"}, y, Input{selected},
                Input{by, [selected](const Tensor& dy) { return where(selected, dy, 0); }},
                Input{x, [selected](const Tensor& dy) { return where(selected, 0, dy); }});
}

Tensor values_at(const InterventionTarget& target, const Tensor& other, const Shape& shape) {
  if (!agree(target, other.shape(), shape)) return {};
  const Tensor here = target.selection(shape), there = target.selection(other.shape());
  Tensor placed = Tensor::full(shape, 0);
  std::size_t from = 0;
  for (std::size_t to = 0; to < shape.size(); ++to) {  // both have as many selected values, in the same order
    if (here.data()[to] == 0) continue;
    while (there.data()[from] == 0) ++from;
    placed.data()[to] = other.data()[from++];
  }
  return placed;
}

Tensor Intervention::operator()(const std::string& name, const Tensor& x, CallSite where) const {
  if (kind == InterventionKind::frozen || !target.matches(name) || !target.fits(x.shape())) return x;
  Tensor by;
  if (kind == InterventionKind::zero) by = Tensor::full(x.shape(), 0);
  if (kind == InterventionKind::hidden) by = Tensor::full(x.shape(), minus_infinity);
  if (kind == InterventionKind::detach) by = detach(Operand(x, where));
  if (kind == InterventionKind::mean && x.rank() > 1) by = means_of_rows(x, where);
  if (const auto found = other.find(name); found != other.end()) by = values_at(target, found->second, x.shape());
  if (!by) return x;
  return replace(Operand(target.selection(x.shape()), where), Operand(by, where), Operand(x, where));
}

Tensor Interventions::replaced(const std::string& name, const Tensor& x, CallSite where) const {
  Tensor now = x;
  for (const Intervention& each : list_) now = each(name, now, where);
  return now;
}

bool Interventions::stops_gradient(std::string_view leaf) const {
  return std::ranges::any_of(
      list_, [&](const Intervention& each) { return !each.changes_values() && each.target.matches(leaf); });
}

}  // namespace unroll
