// attention_score: every score function, then softmax over the keys and the mix of the values.
#include <cmath>

#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/masks.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

using Score = Tensor (*)(const Arguments& a, const Tensor& q, const Tensor& k);

// A score that is a sum over tanh: without projections and weights it is the additive one with identities and ones.
Tensor identity(int size) {
  Tensor result = Tensor::full({size, size}, 0);
  for (int i = 0; i < size; ++i) result.data()[i * size + i] = 1;
  return result;
}

Tensor plain_additive(const Arguments&, const Tensor& q, const Tensor& k) {
  const int size = q.shape()[-1];
  const Tensor same = identity(size);
  return additive_score(q, k, same, same, Tensor::full({size}, 0), Tensor::full({size}, 1));
}

Tensor additive(const Arguments& a, const Tensor& q, const Tensor& k) {
  const Tensor b = a.optional_param("b"), W = a.param("W");
  return additive_score(q, k, W, a.param("U"), b ? b : Tensor::full({W.shape()[0]}, 0), a.param("v"));
}

Tensor linear_of_both(const Arguments& a, const Tensor& q, const Tensor& k) {
  const Tensor b = a.optional_param("b");
  return linear_score(q, k, a.param("w"), b ? b : Tensor::full({1}, 0));
}

// AllenNLP's divides by the root of a given scale instead of the vectors' size.
Tensor scaled_dot(const Arguments& a, const Tensor& q, const Tensor& k) {
  const double scale = a.option("scale", 0.0);
  return scale > 0 ? dot_score(q, k) / std::sqrt(scale) : scaled_dot_score(q, k);
}

const std::map<std::string, Score> scores = {
    {"dot", [](const Arguments&, const Tensor& q, const Tensor& k) { return dot_score(q, k); }},
    {"scaled_dot", scaled_dot},
    {"cosine", [](const Arguments&, const Tensor& q, const Tensor& k) { return cosine_score(q, k); }},
    {"cosine_t",
     [](const Arguments& a, const Tensor& q, const Tensor& k) { return cosine_score(q, k, a.param("beta")); }},
    {"general", [](const Arguments& a, const Tensor& q, const Tensor& k) { return general_score(q, k, a.param("W")); }},
    {"biased_general", [](const Arguments& a, const Tensor& q,
                          const Tensor& k) { return general_score(q, k, a.param("W"), a.param("b")); }},
    {"concat", [](const Arguments& a, const Tensor& q,
                  const Tensor& k) { return concat_score(q, k, a.param("W"), a.param("v")); }},
    {"location",
     [](const Arguments& a, const Tensor& q, const Tensor& k) { return location_score(q, k, a.param("W")); }},
    {"additive", additive},
    {"sum(tanh(q+k))", plain_additive},
    {"linear", linear_of_both},
    {"w.[q;k]+b", linear_of_both},
};

// The padding mask (B, 1, S), if any; True = padding.
Tensor mask_of(const Arguments& a) {
  const Tensor marks = a.optional_input("key_padding_mask");
  if (!marks) return {};
  return marks.rank() == 2 ? padding_mask(marks) : hidden_where(marks, true);
}

// The shape of a result for queries without an axis of their own: (B, 1, …) → (B, …).
Tensor one_query(const Tensor& x, bool single) { return single ? reshape(x, x.shape().without(x.rank() - 2)) : x; }

}  // namespace

CASES(attention_score) {
  const std::string kind = a.option<std::string>("score", "");
  const auto score = scores.find(kind);
  if (score == scores.end()) throw Skip("the engine has no score function \"" + kind + "\" yet");

  const Tensor k = a.input("k"), given_q = a.input("q"), given_v = a.optional_input("v"), mask = mask_of(a);
  const bool single = given_q.rank() == k.rank() - 1;  // one query a row: (B, Q)
  const Tensor q = single ? reshape(given_q, given_q.shape().inserted(given_q.rank() - 1)) : given_q;
  const Tensor e = score->second(a, q, k), v = given_v ? given_v : k;

  const AttentionOutput attended = attend(e, v, mask);
  Results results = {{"scores", one_query(e, single)},
                     {"weights", one_query(attended.weights, single)},
                     {"context", one_query(attended.context, single)}};
  for (const Json& temperature : a.option("temperatures", Json::array()))
    results["weights_T" + temperature.dump()] =
        one_query(attend(e, v, mask, temperature.get<double>()).weights, single);
  return results;
}

}  // namespace unroll::conform
