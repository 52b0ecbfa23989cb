#include "engine/nn/layers/norm.h"

#include "tests/engine/support/test.h"

TEST_CASE("a norm starts as plain layer_norm or rms_norm, with and without a bias") {
  const Tensor x({2, 3}, {1, 2, 3, -1, 0, 4}), ones = Tensor::full({3}, 1), zeros = Tensor::full({3}, 0);
  Parameters parameters(1);
  const Norm layer(NormKind::layer, parameters, "layer", 3), rms(NormKind::rms, parameters, "rms", 3);
  CHECK(same_bits(layer(x), layer_norm(x, ones, zeros)));
  CHECK(same_bits(rms(x), rms_norm(x, ones)));
  CHECK(parameters.count() == 9);
  CHECK(parameters.find("layer.bias") != nullptr);
  CHECK(parameters.find("rms.bias") == nullptr);
}
