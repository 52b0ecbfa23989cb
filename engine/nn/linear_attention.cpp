#include "engine/nn/linear_attention.h"

#include <string>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {

Tensor positive_features(Operand x) {
  Scope scope("φ", x.where);
  return elu(x) + 1;
}

Tensor linear_attention(Operand q, Operand k, Operand v) {
  const Tensor asked = positive_features(q).as("φ(q)"), keys = positive_features(k).as("φ(k)");
  const Tensor S = matmul(keys, v, Transposed::a).as("S");            // (…, K, size)
  const Tensor z = sum(keys, -2, true).as("z");                       // (…, 1, K)
  const Tensor under = matmul(asked, z, Transposed::b).as("φ(q) z");  // (…, T, 1)
  const Tensor over = matmul(asked, S).as("φ(q) S");                  // (…, T, size)
  return (over / under).as("y");
}

Tensor causal_linear_attention(Operand q, Operand k, Operand v) {
  constexpr const char* name = "causal_linear_attention";
  const int positions = q.shape()[checked_axis(name, q.shape(), -2)];
  const int known = k.shape()[checked_axis(name, k.shape(), -2)];
  if (known != positions)
    fail(ErrorCode::shape, "[", name, "] there are ", positions, " queries and ", known, " keys: use as many of both.");
  const Tensor asked = positive_features(q).as("φ(q)"), keys = positive_features(k).as("φ(k)");
  Tensor S, z;
  std::vector<Operand> outputs;
  for (int t = 0; t < positions; ++t) {
    Scope scope("t" + std::to_string(t));
    const Tensor key = slice(keys, -2, t, 1), query = slice(asked, -2, t, 1);  // (…, 1, K)
    const Tensor memory = matmul(key, slice(v, -2, t, 1), Transposed::a);      // (…, K, size)
    S = (t == 0 ? memory : S + memory).as("S");
    z = (t == 0 ? key : z + key).as("z");
    const Tensor under = matmul(query, z, Transposed::b).as("φ(q) z");  // (…, 1, 1)
    const Tensor over = matmul(query, S).as("φ(q) S");                  // (…, 1, size)
    outputs.push_back((over / under).as("y"));
  }
  return concat(outputs, -2).as("y");
}

}  // namespace unroll
