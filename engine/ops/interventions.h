// Interventions: what a model would do if a part of it were silent, frozen, hidden, or came from another run. Each
// replaces values of named tensors as they are recorded, before anything reads them, and is itself an operation: what
// depends on the tensor follows, and the gradient takes only the ways that are left. (The experiments that this makes
// easy are known as ablation and, for `from`, activation patching: Vig et al. 2020, §3; Meng et al. 2022, §2.1.)
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd/tape.h"

namespace unroll {

// Which values of which tensors: "encoder/h", "decoder.t*/s", "attention/e[:, 2]".
struct InterventionTarget {
  std::string name;                    // * stands for any text without a slash
  std::vector<std::optional<int>> at;  // for each of the first axes an index, or nothing for all of them

  bool matches(std::string_view tensor) const;
  // Whether each index exists; negative ones count from the end.
  bool fits(const Shape& shape) const;
  // 1 for each of these values, else 0. The target must fit.
  Tensor selection(const Shape& shape) const;
};

// Throws Error(input) for brackets that hold anything but whole numbers and colons.
InterventionTarget target_of(std::string_view text);

enum class InterventionKind {
  zero,    // silenced
  mean,    // each row becomes the mean of all rows: the axis before the last
  from,    // what another run computed
  hidden,  // −∞: a score or a mask, before the softmax
  detach,  // the same values; no gradient flows back through them
  frozen   // a parameter that training leaves as it is
};
extern const std::vector<std::string> intervention_kinds;  // their names, in this order

struct Intervention {
  InterventionKind kind;
  InterventionTarget target;
  bool training = false;                // acts while the model trains, too; one that is frozen always does
  std::map<std::string, Tensor> other;  // what the other run computed, by the name of the tensor

  bool changes_values() const { return kind != InterventionKind::detach && kind != InterventionKind::frozen; }
  // Whether it acts on what operations compute, and not on the gradient of a parameter alone.
  bool needs_names() const { return kind != InterventionKind::frozen; }
  // x with the values of the target replaced; x itself where the target does not fit or the other run has no such
  // value.
  Tensor operator()(const std::string& name, const Tensor& x, CallSite where) const;
};

// A list of interventions, which act in this order: of two on one tensor, the second begins with what the first made of
// it. Edits come after all of them: a number that somebody typed is the value.
class Interventions : public Intervener {
 public:
  explicit Interventions(std::vector<Intervention> list) : list_(std::move(list)) {}

  const std::vector<Intervention>& list() const { return list_; }
  Tensor replaced(const std::string& name, const Tensor& x, CallSite where) const override;
  bool stops_gradient(std::string_view leaf) const override;

 private:
  std::vector<Intervention> list_;
};

// Cell by cell: `by` where selected is 1, x where it is 0. The three have one shape.
Tensor replace(Operand selected, Operand by, Operand x);

// The values of `other`, which may have other sizes, at the indices of the target, in a tensor of `shape`. Nothing
// where a selected index is outside `other`, or its sizes along the other axes differ.
Tensor values_at(const InterventionTarget& target, const Tensor& other, const Shape& shape);

}  // namespace unroll
