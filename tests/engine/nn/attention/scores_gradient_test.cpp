#include "engine/nn/attention/scores.h"
#include "tests/engine/support/gradient_check.h"

namespace {

// Queries (…, T, Q) and keys (…, S, K) of random sizes, with or without a batch.
enum class Fit { any, equal, several };  // of Q and K; the cosine of single numbers is a step function

struct Sizes {
  Sizes(Samples& random, Fit fit)
      : batch(random.batch(1)),
        T(random.size()),
        S(random.size()),
        Q(fit == Fit::several ? 1 + random.size() : random.size()),
        K(fit == Fit::any ? random.size() : Q),
        A(random.size()) {}
  Shape batch;
  int T, S, Q, K, A;
};

using Shapes = std::vector<Shape>;
using Call = Tensor (*)(const Tensors&);

// A score function with its parameters: x[0] is q, x[1] is k, then those listed in `parameters`.
MakeGradientCase score(Fit fit, Shapes (*parameters)(const Sizes&), Call call) {
  return [=](Samples& random) {
    const Sizes s(random, fit);
    Tensors inputs{random.tensor(joined(s.batch, {s.T, s.Q})), random.tensor(joined(s.batch, {s.S, s.K}))};
    for (const Shape& shape : parameters(s)) inputs.push_back(random.tensor(shape, -1, 1));
    return GradientCase{inputs, call};
  };
}

Shapes none(const Sizes&) { return {}; }
Shapes sharpness(const Sizes&) { return {{1}}; }
Shapes general(const Sizes& s) { return {{s.Q, s.K}}; }
Shapes biased_general(const Sizes& s) { return {{s.Q, s.K}, {1}}; }
Shapes additive(const Sizes& s) { return {{s.A, s.Q}, {s.A, s.K}, {s.A}, {s.A}}; }
Shapes concatenated(const Sizes& s) { return {{s.A, s.Q + s.K}, {s.A}}; }
Shapes linear(const Sizes& s) { return {{s.Q + s.K}, {1}}; }
Shapes location(const Sizes& s) { return {{s.S + 1, s.Q}}; }

// A function of the keys alone.
MakeGradientCase of_keys(Shapes (*parameters)(const Sizes&), Call call) {
  return [=](Samples& random) {
    const Sizes s(random, Fit::any);
    Tensors inputs{random.tensor(joined(s.batch, {s.S, s.K}))};
    for (const Shape& shape : parameters(s)) inputs.push_back(random.tensor(shape, -1, 1));
    return GradientCase{inputs, call};
  };
}

Shapes additive_of_keys(const Sizes& s) { return {{s.A, s.K}}; }

GRADIENT("additive_score_of_keys(q, u, W, b, v)") {
  const Sizes s(random, Fit::any);
  return {{random.tensor(joined(s.batch, {s.T, s.Q})), random.tensor(joined(s.batch, {s.S, s.A})),
           random.tensor({s.A, s.Q}, -1, 1), random.tensor({s.A}, -1, 1), random.tensor({s.A}, -1, 1)},
          [](const Tensors& x) { return additive_score_of_keys(x[0], x[1], x[2], x[3], x[4]); }};
}

GRADIENT("general_score_of_keys(q, keys, b)") {
  const Sizes s(random, Fit::any);
  return {{random.tensor(joined(s.batch, {s.T, s.Q})), random.tensor(joined(s.batch, {s.S, s.Q})), random.tensor({1})},
          [](const Tensors& x) { return general_score_of_keys(x[0], x[1], x[2]); }};
}

// The complete formula of a score.
GRADIENT("Score(q, k)") {
  const Sizes s(random, Fit::any);
  return {{random.tensor(joined(s.batch, {s.T, s.Q})), random.tensor(joined(s.batch, {s.S, s.K})),
           random.tensor({s.Q, s.K}, -1, 1)},
          [](const Tensors& x) {
            const Tensor W = x[2];
            const Score score = {[=](const Operand& k) { return general_keys(k, W); },
                                 [](const Operand& q, const Operand& keys) { return dot_score(q, keys); }};
            return score(x[0], x[1]);
          }};
}

using X = const Tensors&;

const GradientCases cases = {
    {"dot_score(q, k)", score(Fit::equal, none, [](X x) { return dot_score(x[0], x[1]); })},
    {"scaled_dot_score(q, k)", score(Fit::equal, none, [](X x) { return scaled_dot_score(x[0], x[1]); })},
    {"cosine_score(q, k)", score(Fit::several, none, [](X x) { return cosine_score(x[0], x[1]); })},
    {"cosine_score(q, k, sharpness)",
     score(Fit::several, sharpness, [](X x) { return cosine_score(x[0], x[1], x[2]); })},
    {"general_score(q, k, W)", score(Fit::any, general, [](X x) { return general_score(x[0], x[1], x[2]); })},
    {"general_keys(k, W)", of_keys(general, [](X x) { return general_keys(x[0], x[1]); })},
    {"general_score(q, k, W, b)",
     score(Fit::any, biased_general, [](X x) { return general_score(x[0], x[1], x[2], x[3]); })},
    {"additive_score(q, k, W, U, b, v)",
     score(Fit::any, additive, [](X x) { return additive_score(x[0], x[1], x[2], x[3], x[4], x[5]); })},
    {"additive_keys(k, U)", of_keys(additive_of_keys, [](X x) { return additive_keys(x[0], x[1]); })},
    {"concat_score(q, k, W, v)",
     score(Fit::any, concatenated, [](X x) { return concat_score(x[0], x[1], x[2], x[3]); })},
    {"linear_score(q, k, w, b)", score(Fit::any, linear, [](X x) { return linear_score(x[0], x[1], x[2], x[3]); })},
    {"location_score(q, k, W)", score(Fit::any, location, [](X x) { return location_score(x[0], x[1], x[2]); })},
};

}  // namespace

TEST_CASE("gradients of score functions") { cases.check(); }

TEST_CASE("gradients of every named score function with respect to its parameters") {
  for (const std::string& kind : score_kinds()) {
    CAPTURE(kind);
    check_on_seeds([&](Samples& random) {
      const Sizes s(random, Fit::several);
      Parameters parameters(static_cast<std::uint64_t>(random.below(1000)));
      const Score score = make_score(kind, parameters, "score", {s.Q, s.K, s.A, s.S});
      Tensors inputs{random.tensor(joined(s.batch, {s.T, s.Q})), random.tensor(joined(s.batch, {s.S, s.K}))};
      for (const Parameter& parameter : parameters.all()) inputs.push_back(parameter.value);
      return gradient_error({inputs, [&](const Tensors& x) { return score(x[0], x[1]); }}, random);
    });
  }
}
