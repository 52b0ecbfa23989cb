#include "engine/nn/attention/linear_attention.h"

#include <string>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {

Tensor positive_features(Operand x) {
  Scope scope("φ", x.where);
  return elu(x) + 1;
}

Tensor linear_attention(Operand q, Operand k, Operand v) {
  const Tensor phi_q = positive_features(q).as("φ(q)"), phi_k = positive_features(k).as("φ(k)");
  const Tensor S = matmul(phi_k, v, Transposed::a).as("S");                 // (…, K, size)
  const Tensor z = sum(phi_k, -2, true).as("z");                            // (…, 1, K)
  const Tensor denominator = matmul(phi_q, z, Transposed::b).as("φ(q) z");  // (…, T, 1)
  const Tensor numerator = matmul(phi_q, S).as("φ(q) S");                   // (…, T, size)
  return (numerator / denominator).as("y");
}

Tensor causal_linear_attention(Operand q, Operand k, Operand v) {
  constexpr const char* name = "causal_linear_attention";
  const int positions = q.shape()[checked_axis(name, q.shape(), -2)];
  const int keys = k.shape()[checked_axis(name, k.shape(), -2)];
  if (keys != positions)
    fail(ErrorCode::shape, "linear_attention_lengths_differ", std::string_view(name), positions, keys);
  const Tensor phi_q = positive_features(q).as("φ(q)"), phi_k = positive_features(k).as("φ(k)");
  Tensor S, z;
  std::vector<Operand> outputs;
  for (int t = 0; t < positions; ++t) {
    Scope scope("t" + std::to_string(t));
    const Tensor key = slice(phi_k, -2, t, 1), query = slice(phi_q, -2, t, 1);    // (…, 1, K)
    const Tensor outer_product = matmul(key, slice(v, -2, t, 1), Transposed::a);  // (…, K, size)
    S = (t == 0 ? outer_product : S + outer_product).as("S");
    z = (t == 0 ? key : z + key).as("z");
    const Tensor denominator = matmul(query, z, Transposed::b).as("φ(q) z");  // (…, 1, 1)
    const Tensor numerator = matmul(query, S).as("φ(q) S");                   // (…, 1, size)
    outputs.push_back((numerator / denominator).as("y"));
  }
  return concat(outputs, -2).as("y");
}

}  // namespace unroll
