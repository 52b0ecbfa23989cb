#include "engine/nn/scores.h"

#include <cmath>
#include <map>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// (…, T, A) and (…, S, A) set against each other: (…, T, 1, A) and (…, 1, S, A).
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

// x / |x|, and 0 for the zero vector.
Tensor unit(Operand x) {
  const Tensor squared = sum(square(x), -1, true);
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

Tensor general_score(Operand q, Operand k, Operand W) {
  Scope scope("general_score", q.where);
  return matmul(matmul(q, W), k, Transposed::b);
}

Tensor general_score(Operand q, Operand k, Operand W, Operand b) {
  Scope scope("general_score", q.where);
  return general_score(q, k, W) + b;
}

Tensor additive_score(Operand q, Operand k, Operand W, Operand U, Operand b, Operand v) {
  Scope scope("additive_score", q.where);
  const Tensor from_query = as_rows(matmul(q, W, Transposed::b));   // (…, T, 1, A)
  const Tensor from_key = as_columns(matmul(k, U, Transposed::b));  // (…, 1, S, A)
  return matmul(tanh(from_query + from_key + b), v);                // (…, T, S)
}

Tensor concat_score(Operand q, Operand k, Operand W, Operand v) {
  Scope scope("concat_score", q.where);
  return matmul(tanh(matmul(pairs(q, k), W, Transposed::b)), v);
}

Tensor linear_score(Operand q, Operand k, Operand w, Operand b) {
  Scope scope("linear_score", q.where);
  return matmul(pairs(q, k), w) + b;
}

Tensor location_score(Operand q, Operand k, Operand W) {
  Scope scope("location_score", q.where);
  const int keys = k.shape()[-2];
  if (keys > W.shape()[0])
    fail(ErrorCode::shape, "[location_score] there are ", keys, " keys, but W is ", W.shape(), ": use at most ",
         W.shape()[0], " keys.");
  return slice(matmul(q, W, Transposed::b), -1, 0, keys);
}

namespace {

void require_equal_sizes(std::string_view kind, const ScoreSizes& sizes) {
  if (sizes.query != sizes.key)
    fail(ErrorCode::config, "score is ", kind, ", but queries have size ", sizes.query, " and keys ", sizes.key,
         ": make them equal, or use general or additive.");
}

// Declares parameters as name.W, name.v …
struct Declare {
  Parameters& parameters;
  const std::string& name;
  Tensor operator()(const char* letter, const Shape& shape) const {
    return parameters.declare(name + "." + letter, shape, xavier_uniform());
  }
  Tensor operator()(const char* letter, const Shape& shape, Scalar value) const {
    return parameters.declare(name + "." + letter, shape, constant(value));
  }
};

using Maker = Score (*)(const Declare&, const ScoreSizes&);
using Query = const Operand&;
using Key = const Operand&;

// pass_on: the steps of a score are written at its call in the model, not in this table.
const std::map<std::string_view, Maker> makers = {
    {"dot",
     [](const Declare&, const ScoreSizes&) -> Score {
       return [](Query q, Key k) { return dot_score(pass_on(q), pass_on(k)); };
     }},
    {"scaled_dot",
     [](const Declare&, const ScoreSizes&) -> Score {
       return [](Query q, Key k) { return scaled_dot_score(pass_on(q), pass_on(k)); };
     }},
    {"cosine",
     [](const Declare&, const ScoreSizes&) -> Score {
       return [](Query q, Key k) { return cosine_score(pass_on(q), pass_on(k)); };
     }},
    {"content",
     [](const Declare& declare, const ScoreSizes&) -> Score {
       return [beta = declare("beta", {1}, 1)](Query q, Key k) { return cosine_score(pass_on(q), pass_on(k), beta); };
     }},
    {"general",
     [](const Declare& declare, const ScoreSizes& sizes) -> Score {
       return [W = declare("W", {sizes.query, sizes.key})](Query q, Key k) {
         return general_score(pass_on(q), pass_on(k), W);
       };
     }},
    {"biased_general",
     [](const Declare& declare, const ScoreSizes& sizes) -> Score {
       return [W = declare("W", {sizes.query, sizes.key}), b = declare("b", {1}, 0)](Query q, Key k) {
         return general_score(pass_on(q), pass_on(k), W, b);
       };
     }},
    {"additive",
     [](const Declare& declare, const ScoreSizes& sizes) -> Score {
       return [W = declare("W", {sizes.attention, sizes.query}), U = declare("U", {sizes.attention, sizes.key}),
               b = declare("b", {sizes.attention}, 0), v = declare("v", {sizes.attention})](Query q, Key k) {
         return additive_score(pass_on(q), pass_on(k), W, U, b, v);
       };
     }},
    {"concat",
     [](const Declare& declare, const ScoreSizes& sizes) -> Score {
       return [W = declare("W", {sizes.attention, sizes.query + sizes.key}), v = declare("v", {sizes.attention})](
                  Query q, Key k) { return concat_score(pass_on(q), pass_on(k), W, v); };
     }},
    {"linear",
     [](const Declare& declare, const ScoreSizes& sizes) -> Score {
       return [w = declare("w", {sizes.query + sizes.key}), b = declare("b", {1}, 0)](Query q, Key k) {
         return linear_score(pass_on(q), pass_on(k), w, b);
       };
     }},
    {"location",
     [](const Declare& declare, const ScoreSizes& sizes) -> Score {
       return [W = declare("W", {sizes.positions, sizes.query})](Query q, Key k) {
         return location_score(pass_on(q), pass_on(k), W);
       };
     }},
};

}  // namespace

std::vector<std::string> score_kinds() {
  std::vector<std::string> kinds;
  for (const auto& [kind, make] : makers) kinds.emplace_back(kind);
  return kinds;
}

Score make_score(std::string_view kind, Parameters& parameters, const std::string& name, const ScoreSizes& sizes) {
  const auto maker = makers.find(kind);
  if (maker == makers.end()) fail(ErrorCode::config, "score is \"", kind, "\", which is not a score function.");
  if (kind == "dot" || kind == "scaled_dot" || kind == "cosine" || kind == "content") require_equal_sizes(kind, sizes);
  return maker->second({parameters, name}, sizes);
}

}  // namespace unroll
