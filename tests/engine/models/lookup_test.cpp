#include "tests/engine/support/models.h"

namespace {

using Numbers = std::vector<double>;

const Config three_keys = {{"kind", "lookup"},
                           {"Q", Numbers{2, 0}},
                           {"K", Numbers{1, 0, 0, 1, -1, 0}},
                           {"V", Numbers{1, 0, 0, 1, -1, -1}},
                           {"target", Numbers{1, 0}}};

Tensor context_of(Model& model) {
  model.loss();
  return model.output();
}

}  // namespace

// e = (2, 0, −2); α = exp(e) / (e² + 1 + e⁻²); c = α V; computed with Python's math.
TEST_CASE("a look by hand: scores, weights, context and loss") {
  const std::unique_ptr<Model> model = make_model(three_keys);
  expect(traced(*model, "attention/e"), {1, 3}, {2, 0, -2}, 1e-6);
  expect(traced(*model, "attention/α"), {1, 3}, {0.86681333, 0.11731043, 0.01587624}, 1e-6);
  expect(context_of(*model), {1, 2}, {0.85093709, 0.10143419}, 1e-6);
  CHECK(model->loss().item() == doctest::Approx(0.0162543253).epsilon(1e-5));
}

TEST_CASE("a longer query sharpens, and a query of 0 weighs all values alike") {
  const auto largest = [](double length) {
    const std::unique_ptr<Model> model = make_model(with(three_keys, {{"Q", Numbers{length, 0}}}));
    return traced(*model, "attention/α").data()[0];
  };
  CHECK(largest(0) == doctest::Approx(1.0 / 3));
  CHECK(largest(1) < largest(2));
  CHECK(largest(8) > 0.999);
}

TEST_CASE("queries, keys and values are inputs, each set without the others") {
  const std::unique_ptr<Model> model = make_model(three_keys);
  const Tensor before = traced(*model, "attention/α").copy();
  model->set_input("V", Tensor({3, 2}, {5, 5, 5, 5, 5, 5}));
  CHECK(same_bits(traced(*model, "attention/α"), before));
  expect(context_of(*model), {1, 2}, {5, 5}, 1e-5);
  model->set_input("K", Tensor({3, 2}, {0, 0, 0, 0, 0, 0}));
  expect(traced(*model, "attention/α"), {1, 3}, {1.0 / 3, 1.0 / 3, 1.0 / 3}, 1e-6);
  CHECK(refused_input(*model, ErrorCode::shape, "K", Tensor({4, 2})).find("K") != Text::npos);
}

TEST_CASE("a look takes every score, and refuses one that its sizes do not fit") {
  for (const std::string& score : score_kinds()) {
    CAPTURE(score);
    const std::unique_ptr<Model> model = make_model(with(three_keys, {{"score", score}}));
    CHECK(std::isfinite(model->loss().item()));
  }
  CHECK(REFUSAL(config, make_model({{"kind", "lookup"}, {"keys", 17.0}})) ==
        "keys is 17: use a whole number, 1 to 16.");
  CHECK(REFUSAL(config, make_model({{"kind", "lookup"}, {"Q", Numbers{1, 2, 3}}})).starts_with("Q is 3 numbers"));
}
