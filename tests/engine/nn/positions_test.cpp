#include "engine/nn/positions.h"

#include "engine/nn/attention/scores.h"
#include "tests/engine/support/test.h"

TEST_CASE("index and sinusoidal positions by hand; a continued sequence has those of the whole") {
  expect(index_positions(3), {3, 1}, {0, 1, 2});
  expect(index_positions(2, 5), {2, 1}, {5, 6});
  expect(sinusoidal_positions(2, 4), {2, 4}, {0, 1, 0, 1, 0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004});
  expect(sinusoidal_positions(2, 1), {2, 1}, {0, 0.8414709848});
  const Tensor whole = sinusoidal_positions(7, 6);
  CHECK(same_bits(slice(whole, 0, 3, 4), sinusoidal_positions(4, 6, 3)));
}

TEST_CASE("sinusoidal positions are correct far from the start, for even and odd sizes") {
  for (int size : {2, 6, 7, 33})
    for (int position : {1, 999, 123456}) {
      const Tensor row = sinusoidal_positions(1, size, position);
      for (int d = 0; d < size; ++d) {
        const double angle = position / std::pow(10000.0, (d - d % 2) / static_cast<double>(size));
        INFO("size ", size, ", position ", position, ", d ", d);
        CHECK(static_cast<double>(row.data()[d]) ==
              doctest::Approx(d % 2 ? std::cos(angle) : std::sin(angle)).scale(1).epsilon(2e-7));
      }
    }
}

TEST_CASE("position p + k is position p rotated by an angle that depends on k alone") {
  const int D = 6, k = 5;
  const Tensor P = sinusoidal_positions(20, D), shift = sinusoidal_positions(1, D, k);
  for (int p = 0; p + k < 20; ++p)
    for (int d = 0; d < D; d += 2) {
      const double s = static_cast<double>(P.data()[p * D + d]), c = static_cast<double>(P.data()[p * D + d + 1]);
      const double sine = static_cast<double>(shift.data()[d]), cosine = static_cast<double>(shift.data()[d + 1]);
      CHECK(static_cast<double>(P.data()[(p + k) * D + d]) ==
            doctest::Approx(s * cosine + c * sine).scale(1).epsilon(1e-6));
    }
}

TEST_CASE("a learned position is a row of the table, which has an end") {
  Parameters parameters(1);
  const LearnedPositions positions(parameters, "positions", 5, 3);
  CHECK(parameters.find("positions")->value.shape() == Shape{5, 3});
  CHECK(same_bits(positions(2, 3), slice(positions.table, 0, 3, 2)));
  const std::string sentence = REFUSAL(shape, positions(3, 3));
  CHECK(sentence ==
        "[positions] the sequence has 6 positions, and the table of positions 5: use at most 5 or a longer table.");
}

TEST_CASE("ALiBi has a slope for each head, and counts distances from where the queries start") {
  const auto slopes = [](int heads) {
    const Tensor bias = alibi_bias(heads, 1, 2);  // (N, 1, 2): distance 0, distance 1
    std::vector<double> result;
    for (int head = 0; head < heads; ++head) result.push_back(static_cast<double>(-bias.data()[2 * head + 1]));
    return result;
  };
  CHECK(slopes(1) == std::vector<double>{0.00390625});
  CHECK(slopes(2) == std::vector<double>{0.0625, 0.00390625});
  CHECK(slopes(8) == std::vector<double>{0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625});
  CHECK(slopes(3) == std::vector<double>{0.0625, 0.00390625, 0.25});
  CHECK(slopes(6) == std::vector<double>{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125});
  CHECK(slopes(16)[0] == doctest::Approx(std::sqrt(0.5)));
  CHECK(slopes(12)[8] == doctest::Approx(std::sqrt(0.5)));
  expect(alibi_bias(1, 2, 4, 1), {1, 2, 4},
         {-1 / 256.0, 0, -1 / 256.0, -2 / 256.0, -2 / 256.0, -1 / 256.0, 0, -1 / 256.0});
  const Tensor whole = alibi_bias(3, 6, 6);
  CHECK(same_bits(slice(whole, 1, 4, 2), alibi_bias(3, 2, 6, 4)));
}

TEST_CASE("rotary positions by hand: a pair of numbers is rotated") {
  const double c = std::cos(1.0), s = std::sin(1.0);
  expect(rotary(Tensor({2, 2}, {3, 4, 3, 4})), {2, 2}, {3, 4, 3 * c - 4 * s, 3 * s + 4 * c});
  const double slow = 0.01;
  expect(rotary(Tensor({1, 4}, {1, 2, 3, 4}), 1), {1, 4},
         {c - 2 * s, s + 2 * c, 3 * std::cos(slow) - 4 * std::sin(slow), 3 * std::sin(slow) + 4 * std::cos(slow)});
  expect(rotary(Tensor({1, 4}, {1, 3, 2, 4}), 1, RotaryLayout::half), {1, 4},
         {c - 2 * s, 3 * std::cos(slow) - 4 * std::sin(slow), s + 2 * c, 3 * std::sin(slow) + 4 * std::cos(slow)});
}

TEST_CASE("pairs are rotated by the given cosines and sines, even if those belong to no angle") {
  const Tensor x({2, 2}, {3, 4, 1, 2}), cosine({2, 1}, {0, 2}), sine({2, 1}, {1, 10});
  for (const bool interleaved : {true, false})
    expect(rotate_pairs(x, cosine, sine, interleaved), {2, 2}, {-4, 3, 2 - 20, 10 + 4});
  const Tensor pairs({1, 4}, {1, 2, 3, 4}), halves({1, 4}, {1, 3, 2, 4}), c({1, 2}, {1, 0}), s({1, 2}, {0, 1});
  expect(rotate_pairs(pairs, c, s, true), {1, 4}, {1, 2, -4, 3});
  expect(rotate_pairs(halves, c, s, false), {1, 4}, {1, -4, 2, 3});
  CHECK(REFUSAL(shape, rotate_pairs(x, cosine, Tensor({1, 1}), false)) ==
        "[rotary] x is (2, 2), cosine is (2, 1), sine is (1, 1): both must be (2, 1).");
}

TEST_CASE("the score of rotated vectors depends on their distance alone; rotation continues where a sequence does") {
  Samples random(3);
  const Tensor q = random.tensor({1, 8}), k = random.tensor({1, 8});
  for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::half}) {
    const auto score = [&](int i, int j) { return dot_score(rotary(q, i, layout), rotary(k, j, layout)).item(); };
    CHECK(static_cast<double>(score(7, 3)) == doctest::Approx(static_cast<double>(score(104, 100))).epsilon(1e-5));
    CHECK(std::abs(score(7, 3) - score(7, 4)) > Scalar(1e-3));
  }
  const Tensor x = random.tensor({2, 3, 7, 6});
  CHECK(same_bits(slice(rotary(x), 2, 4, 3), rotary(slice(x, 2, 4, 3), 4)));
}

TEST_CASE("an odd head size cannot be rotated, and a vector has no positions to rotate by") {
  CHECK(REFUSAL(shape, rotary(Tensor({2, 3}))) ==
        "[rotary] x is (2, 3): it turns pairs of numbers, so use an even head size, not 3.");
  CHECK(REFUSAL(shape, rotary(Tensor({4}))) == "[rotary] axis is -2, but the operand is (4): use -1 to 0.");
}
