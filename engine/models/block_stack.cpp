#include "engine/models/block_stack.h"

#include "engine/autograd/tape.h"
#include "engine/nn/masks.h"

namespace unroll {

Tensor causal_mask_behind(int first, int count) {
  return count > 1 ? causal_mask(count, first + count, first) : Tensor();
}

std::optional<Norm> make_last_norm(const StackOptions& options, Parameters& parameters, const std::string& name) {
  if (options.block.place == NormPlace::post) return std::nullopt;
  return Norm(options.block.norm, parameters, name + ".norm", options.model());
}

Tensor normalised(const std::optional<Norm>& norm, Operand x) {
  if (!norm) return x;
  Scope scope("norm", x.where);
  return (*norm)(x);
}

Linear make_out(const PositionedEmbedding& words, bool tied, Parameters& parameters) {
  const Tensor& E = words.table();  // (V, D)
  return tied ? Linear(E, Tensor()) : Linear(parameters, "out", E.shape()[1], E.shape()[0]);
}

}  // namespace unroll
