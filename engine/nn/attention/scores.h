// How well a query matches a key: the score functions of the attention literature, side by side.
//
// Each takes queries q (…, T, Q) and keys k (…, S, K) and returns scores e (…, T, S); A is the attention size. The part
// of a formula that depends on the keys alone is a function …_keys of its own: a decoder, whose queries come one at a
// time, computes it once and not at every position.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nn/parameters.h"
#include "engine/nn/parts.h"
#include "engine/ops/ops.h"

namespace unroll {

// e = q · k. (Luong et al. 2015, §3.1, dot.)
Tensor dot_score(Operand q, Operand k);

// e = q · k / √K: keeps the variance of e at 1 when q and k have unit variance. (Vaswani et al. 2017, §3.2.1.)
Tensor scaled_dot_score(Operand q, Operand k);

// e = q · k / (|q| |k|); a zero vector scores 0. (Graves et al. 2014, §3.3.1.)
Tensor cosine_score(Operand q, Operand k);

// e = β cos(q, k), β (1): content-based addressing with a sharpness β. (Graves et al. 2014, eq. 5.)
Tensor cosine_score(Operand q, Operand k, Operand sharpness);

// e = q · W k, W (Q, K): the dot_score of q and W k. (Luong et al. 2015, §3.1, general.)
Tensor general_score(Operand q, Operand k, Operand W);
Tensor general_keys(Operand k, Operand W);  // W k (…, S, Q)

// e = q · W k + b, b (1).
Tensor general_score(Operand q, Operand k, Operand W, Operand b);
Tensor general_score_of_keys(Operand q, Operand keys, Operand b);  // q · keys + b

// e = v · tanh(W q + U k + b), W (A, Q), U (A, K), b (A), v (A). (Bahdanau et al. 2015, appendix A.1.2.)
Tensor additive_score(Operand q, Operand k, Operand W, Operand U, Operand b, Operand v);
Tensor additive_keys(Operand k, Operand U);                                            // u = U k (…, S, A)
Tensor additive_score_of_keys(Operand q, Operand u, Operand W, Operand b, Operand v);  // v · tanh(W q + b + u)

// The readable definition: the score has a fused kernel (ops/fused/fused.h), and nn/fused.cpp chooses.
namespace composite {
Tensor additive_score_of_keys(const Operand& q, const Operand& u, const Operand& W, const Operand& b, const Operand& v);
}

// e = v · tanh(W [q; k]), W (A, Q + K), v (A). (Luong et al. 2015, §3.1, concat.)
Tensor concat_score(Operand q, Operand k, Operand W, Operand v);

// e = w · [q; k] + b, w (Q + K), b (1).
Tensor linear_score(Operand q, Operand k, Operand w, Operand b);

// e = W q, W (S, Q): the weights depend on the query alone. Throws Error(shape) for more keys than W has rows. (Luong
// et al. 2015, eq. 8, location.)
Tensor location_score(Operand q, Operand k, Operand W);

// A score function with its parameters, whole or in two parts: the keys once, then each query against them.
struct Score {
  std::function<Tensor(const Operand& k)> keys;
  ScoreFunction of_keys;  // of queries and what `keys` gives

  Tensor operator()(Operand q, Operand k) const { return of_keys(q, keys(k)); }
};

struct ScoreSizes {
  int query = 0, key = 0;
  int attention = 0;  // A
  int positions = 0;  // S of location_score
};

// The names that make_score accepts.
std::vector<std::string> score_kinds();

// A score function by name: dot scaled_dot cosine content general biased_general additive concat linear location.
// Each is the function of that name; content is cosine_score with a sharpness, biased_general is general_score with b.
// Declares its parameters as name.W and so on. Throws Error(config) for any other name, and when dot, scaled_dot,
// cosine or content gets queries and keys of different sizes.
Score make_score(std::string_view kind, Parameters& parameters, const std::string& name, const ScoreSizes& sizes);

}  // namespace unroll
