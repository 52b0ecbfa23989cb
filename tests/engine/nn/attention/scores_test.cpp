#include "engine/nn/attention/scores.h"

#include "tests/engine/support/test.h"

const Tensor q({2, 2}, {1, 2, 0, 0}), k({3, 2}, {3, 4, 1, 0, 0, -1});

TEST_CASE("scores by hand: q (1, 2) and (0, 0) against three keys") {
  expect(dot_score(q, k), {2, 3}, {11, 1, -2, 0, 0, 0});
  const double s = std::sqrt(2.0), r = std::sqrt(5.0);
  expect(scaled_dot_score(q, k), {2, 3}, {11 / s, 1 / s, -2 / s, 0, 0, 0});
  expect(cosine_score(q, k), {2, 3}, {11 / (5 * r), 1 / r, -2 / r, 0, 0, 0});
  expect(cosine_score(q, k, Tensor({1}, {10})), {2, 3}, {22 / r, 10 / r, -20 / r, 0, 0, 0});
}

TEST_CASE("scores with parameters by hand; concat is additive with W and U side by side") {
  const Tensor W({2, 2}, {0, 1, 1, 0});
  expect(general_score(q, k, W), {2, 3}, {10, 2, -1, 0, 0, 0});
  expect(general_score(q, k, W, Tensor({1}, {5})), {2, 3}, {15, 7, 4, 5, 5, 5});
  const Tensor row({1, 2}, {1, 0}), v({1}, {2});
  const auto t = [](double x) { return 2 * std::tanh(x); };
  expect(additive_score(q, k, row, row, Tensor({1}, {-1}), v), {2, 3}, {t(3), t(1), t(0), t(2), t(0), t(-1)});
  const Tensor both({1, 4}, {1, 0, 0, 1});
  expect(concat_score(q, k, both, v), {2, 3}, {t(5), t(1), t(0), t(4), t(0), t(-1)});
  expect(linear_score(q, k, Tensor({4}, {1, 0, 0, 1}), Tensor({1}, {3})), {2, 3}, {8, 4, 3, 7, 3, 2});
  expect(location_score(q, k, Tensor({4, 2}, {1, 0, 0, 1, 1, 1, 9, 9})), {2, 3}, {1, 2, 3, 0, 0, 0});
  const Tensor A({1, 2}, {1, 2}), B({1, 2}, {3, 4});
  expect_near(concat_score(q, k, Tensor({1, 4}, {1, 2, 3, 4}), v), additive_score(q, k, A, B, Tensor({1}, {0}), v));
}

TEST_CASE("location scores refuse more keys than they have rows") {
  CHECK(REFUSAL(shape, location_score(q, k, Tensor({2, 2}))) ==
        "[location_score] there are 3 keys, but W is (2, 2): use at most 2 keys.");
  CHECK(REFUSAL(shape, location_score(q, Tensor({2}), Tensor({2, 2}))) ==
        "[location_score] axis is -2, but the operand is (2): use -1 to 0.");
}

TEST_CASE("make_score declares its parameters, and refuses impossible scores") {
  Parameters parameters(1);
  make_score("additive", parameters, "score", {.query = 3, .key = 4, .attention = 5});
  CHECK(parameters.count() == 5 * 3 + 5 * 4 + 5 + 5);
  CHECK(parameters.find("score.v")->value.shape() == Shape{5});
  CHECK(REFUSAL(config, make_score("guess", parameters, "s", {})) ==
        "score is \"guess\": use one of additive, biased_general, concat, content, cosine, dot, general, linear, "
        "location, "
        "scaled_dot.");
  CHECK(REFUSAL(config, make_score("dot", parameters, "s", {.query = 2, .key = 3})) ==
        "score is dot, but queries have size 2 and keys 3: make them equal, or use general or additive.");
}

TEST_CASE("precomputed keys give the bits of the complete formula, whatever the queries") {
  for (const std::string& kind : score_kinds()) {
    CAPTURE(kind);
    Samples random(3);
    Parameters parameters(1);
    const Score score = make_score(kind, parameters, "score", {.query = 4, .key = 4, .attention = 3, .positions = 5});
    const Tensor queries = random.tensor({2, 3, 4}), k = random.tensor({2, 5, 4}), keys = score.keys(k);
    const Tensor whole = score(queries, k);
    for (int t = 0; t < 3; ++t) CHECK(same_bits(slice(whole, 1, t, 1), score.of_keys(slice(queries, 1, t, 1), keys)));
  }
}

TEST_CASE("a model's score is the documented formula: the same values under the same names") {
  const auto names_in = [](const std::function<Tensor()>& score) {
    LiveTape tape(Tape::Detail::trace);
    score();
    std::vector<std::string> names;
    for (const ScopeRecord& scope : tape.scopes()) names.push_back(scope.path);
    for (const Node& node : tape.nodes())
      if (node.phase != Phase::leaf) names.push_back(node.name);
    return names;
  };
  Parameters parameters(1);
  const Score made = make_score("biased_general", parameters, "score", {.query = 2, .key = 2});
  const Tensor W = parameters.find("score.W")->value, b = parameters.find("score.b")->value;
  b.data()[0] = 3;
  CHECK(same_bits(made(q, k), general_score(q, k, W, b)));
  CHECK(names_in([&] { return made(q, k); }) == names_in([&] { return general_score(q, k, W, b); }));
}
