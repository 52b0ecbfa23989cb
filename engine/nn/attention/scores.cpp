#include "engine/nn/attention/scores.h"

#include <cmath>
#include <map>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// (…, T, A) → (…, T, 1, A) and (…, S, A) → (…, 1, S, A), which broadcast to every pair of query and key.
Tensor as_rows(Operand x) { return reshape(x, x.shape().inserted(x.rank() - 1)); }
Tensor as_columns(Operand x) { return reshape(x, x.shape().inserted(x.rank() - 2)); }

// [q; k] for every pair: (…, T, S, Q + K).
Tensor pairs(Operand q, Operand k) {
  const Tensor rows = as_rows(q), columns = as_columns(k);
  const Shape each = broadcast("pairs", rows.shape().with(-1, 1), columns.shape().with(-1, 1));
  const Tensor left = broadcast_to(rows, each.with(-1, q.shape()[-1]));
  const Tensor right = broadcast_to(columns, each.with(-1, k.shape()[-1]));
  return concat({left, right}, -1);
}

// x / |x|, and 0 for the zero vector, without an ε that would change all others; its gradient is finite as well.
Tensor unit(Operand x) {
  const Tensor squared = sum(square(x), -1, true);  // (…, 1)
  return x / sqrt(where(squared, squared, 1));
}

}  // namespace

Tensor dot_score(Operand q, Operand k) { return matmul(q, k, Transposed::b); }

Tensor scaled_dot_score(Operand q, Operand k) {
  Scope scope("scaled_dot_score", q.where);
  return matmul(q, k, Transposed::b) / std::sqrt(static_cast<double>(k.shape()[-1]));
}

Tensor cosine_score(Operand q, Operand k) {
  Scope scope("cosine_score", q.where);
  const Tensor unit_q = unit(q);
  return matmul(unit_q, unit(k), Transposed::b);
}

Tensor cosine_score(Operand q, Operand k, Operand sharpness) {
  Scope scope("cosine_score", q.where);
  return sharpness * cosine_score(q, k);
}

Tensor general_keys(Operand k, Operand W) {
  Scope scope("general_keys", k.where);
  return matmul(k, W, Transposed::b);
}

Tensor general_score(Operand q, Operand k, Operand W) {
  return dot_score(forward_operand(q), general_keys(forward_operand(k), W));
}

Tensor general_score_of_keys(Operand q, Operand keys, Operand b) {
  Scope scope("general_score", q.where);
  return dot_score(q, keys) + b;
}

Tensor general_score(Operand q, Operand k, Operand W, Operand b) {
  return general_score_of_keys(forward_operand(q), general_keys(forward_operand(k), W), b);
}

Tensor additive_keys(Operand k, Operand U) {
  Scope scope("additive_keys", k.where);
  return matmul(k, U, Transposed::b);
}

Tensor composite::additive_score_of_keys(const Operand& q, const Operand& u, const Operand& W, const Operand& b,
                                         const Operand& v) {
  Scope scope("additive_score", q.where);
  const Tensor Wq = matmul(q, W, Transposed::b) + b;  // (…, T, A)
  const Tensor from_query = as_rows(Wq);              // (…, T, 1, A)
  const Tensor from_key = as_columns(u);              // (…, 1, S, A)
  return matmul(tanh(from_query + from_key), v);      // (…, T, S)
}

Tensor additive_score(Operand q, Operand k, Operand W, Operand U, Operand b, Operand v) {
  return additive_score_of_keys(forward_operand(q), additive_keys(forward_operand(k), U), W, b, v);
}

Tensor concat_score(Operand q, Operand k, Operand W, Operand v) {
  Scope scope("concat_score", q.where);
  const Tensor hidden = tanh(matmul(pairs(q, k), W, Transposed::b));  // (…, T, S, A)
  return matmul(hidden, v);                                           // (…, T, S)
}

Tensor linear_score(Operand q, Operand k, Operand w, Operand b) {
  Scope scope("linear_score", q.where);
  return matmul(pairs(q, k), w) + b;  // (…, T, S)
}

Tensor location_score(Operand q, Operand k, Operand W) {
  Scope scope("location_score", q.where);
  const int keys = k.shape()[checked_axis("location_score", k.shape(), -2)];
  if (keys > W.shape()[0]) fail(ErrorCode::shape, "location_score_too_many_keys", keys, W.shape(), W.shape()[0]);
  const Tensor of_all = matmul(q, W, Transposed::b);  // (…, T, rows of W)
  return slice(of_all, -1, 0, keys);                  // (…, T, S)
}

namespace {

void require_equal_sizes(std::string_view kind, const ScoreSizes& sizes) {
  if (sizes.query != sizes.key) fail(ErrorCode::config, "score_needs_equal_sizes", kind, sizes.query, sizes.key);
}

// Declares parameters as name.W, name.v …
struct Declare {
  Parameters& parameters;
  const std::string& name;
  Tensor operator()(const char* letter, std::initializer_list<int> shape) const {
    return parameters.declare(name + "." + letter, shape, xavier_uniform());
  }
  Tensor operator()(const char* letter, std::initializer_list<int> shape, Scalar value) const {
    return parameters.declare(name + "." + letter, shape, constant(value));
  }
};

using Maker = Score (*)(const Declare&, const ScoreSizes&);
using Query = const Operand&;
using Key = const Operand&;

struct ScoreEntry {
  Maker make;
  bool equal_sizes = false;  // query and key must have the same size
};

// For scores with no part that depends on the keys alone.
Tensor same_keys(Key k) { return k; }
// forward_operand: the operations of a score are recorded at its call site in the model, not in this table.
template <Tensor (*score)(Operand, Operand)>
Score make_plain(const Declare&, const ScoreSizes&) {
  return {same_keys, [](Query q, Key k) { return score(forward_operand(q), forward_operand(k)); }};
}

Score make_content(const Declare& declare, const ScoreSizes&) {
  const Tensor beta = declare("beta", {1}, 1);
  return {same_keys, [=](Query q, Key k) { return cosine_score(forward_operand(q), forward_operand(k), beta); }};
}

Score make_general(const Declare& declare, const ScoreSizes& sizes) {
  const Tensor W = declare("W", {sizes.query, sizes.key});
  return {[=](Key k) { return general_keys(forward_operand(k), W); },
          [](Query q, Key keys) { return dot_score(forward_operand(q), forward_operand(keys)); }};
}

Score make_biased_general(const Declare& declare, const ScoreSizes& sizes) {
  const Score general = make_general(declare, sizes);
  const Tensor b = declare("b", {1}, 0);
  return {general.keys,
          [=](Query q, Key keys) { return general_score_of_keys(forward_operand(q), forward_operand(keys), b); }};
}

Score make_additive(const Declare& declare, const ScoreSizes& sizes) {
  const int A = sizes.attention;
  const Tensor W = declare("W", {A, sizes.query}), U = declare("U", {A, sizes.key});
  const Tensor b = declare("b", {A}, 0), v = declare("v", {A});
  return {
      [=](Key k) { return additive_keys(forward_operand(k), U); },
      [=](Query q, Key keys) { return additive_score_of_keys(forward_operand(q), forward_operand(keys), W, b, v); }};
}

Score make_concat(const Declare& declare, const ScoreSizes& sizes) {
  const Tensor W = declare("W", {sizes.attention, sizes.query + sizes.key}), v = declare("v", {sizes.attention});
  return {same_keys, [=](Query q, Key k) { return concat_score(forward_operand(q), forward_operand(k), W, v); }};
}

Score make_linear(const Declare& declare, const ScoreSizes& sizes) {
  const Tensor w = declare("w", {sizes.query + sizes.key}), b = declare("b", {1}, 0);
  return {same_keys, [=](Query q, Key k) { return linear_score(forward_operand(q), forward_operand(k), w, b); }};
}

Score make_location(const Declare& declare, const ScoreSizes& sizes) {
  const Tensor W = declare("W", {sizes.positions, sizes.query});
  return {same_keys, [=](Query q, Key k) { return location_score(forward_operand(q), forward_operand(k), W); }};
}

const std::map<std::string_view, ScoreEntry> score_entries = {
    {"dot", {make_plain<dot_score>, true}},
    {"scaled_dot", {make_plain<scaled_dot_score>, true}},
    {"cosine", {make_plain<cosine_score>, true}},
    {"content", {make_content, true}},
    {"general", {make_general}},
    {"biased_general", {make_biased_general}},
    {"additive", {make_additive}},
    {"concat", {make_concat}},
    {"linear", {make_linear}},
    {"location", {make_location}},
};

const ScoreEntry& entry(std::string_view kind) {
  const auto found = score_entries.find(kind);
  if (found == score_entries.end()) fail(ErrorCode::config, "no_such_score", kind, score_kinds());
  return found->second;
}

}  // namespace

std::vector<std::string> score_kinds() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : score_entries) names.emplace_back(name);
  return names;
}

Score make_score(std::string_view kind, Parameters& parameters, const std::string& name, const ScoreSizes& sizes) {
  if (const ScoreFunction replacement = parameters.parts().score(name, sizes.query, sizes.key))
    return {same_keys, replacement};
  const ScoreEntry& found = entry(kind);
  if (found.equal_sizes) require_equal_sizes(kind, sizes);
  return found.make({parameters, name}, sizes);
}

}  // namespace unroll
