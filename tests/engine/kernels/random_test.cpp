#include <bit>

#include "tests/engine/support/test.h"

using Words = std::array<std::uint32_t, 4>;

// From the lines "philox4x32 10" of tests/kat_vectors in Random123, the authors' library.
TEST_CASE("philox gives its authors' known answers") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("seed is the key; position and stream are the counter") {
  Random random(0x299f31d0a4093822, 0x0370734413198a2e);
  random.seek(4 * std::uint64_t{0x05a308d3243f6a88});
  const Words expected = philox({0x243f6a88, 0x05a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0});
  for (const std::uint32_t word : expected) CHECK(random.bits() == word);
}

TEST_CASE("seek is the same as skipping") {
  Random straight(42, 3);
  std::vector<std::uint32_t> words(100);
  for (std::uint32_t& word : words) word = straight.bits();
  CHECK(straight.position() == 100);
  for (const std::uint64_t position : {0, 1, 2, 3, 4, 5, 7, 8, 50, 99}) {
    Random jumped(42, 3);
    jumped.seek(position);
    CHECK(jumped.position() == position);
    for (std::uint64_t i = position; i < 100; ++i) CHECK(jumped.bits() == words[i]);
  }
}

TEST_CASE("a draw takes the documented number of positions; other seeds and other streams give other numbers") {
  Random random(1);
  random.uniform();
  CHECK(random.position() == 1);
  random.normal();
  CHECK(random.position() == 3);
  random.below(8);
  CHECK(random.position() == 4);
  for (std::uint64_t other : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 32, std::uint64_t{1} << 63}) {
    CHECK(Random(0).bits() != Random(other).bits());
    CHECK(Random(0, 0).bits() != Random(0, other).bits());
  }
}

TEST_CASE("the first 10,000 words, uniform numbers and integers are pinned, in float and in double") {
  Random random(7, 1);
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
  for (int i = 0; i < 10'000; ++i) {
    add(random.bits());
    add(static_cast<std::uint64_t>(random.uniform() * 16777216));
    add(static_cast<std::uint64_t>(random.below(1000)));
  }
  CHECK(hash == 0xd1764e6569f7ab2);
}

#ifndef UNROLL_DOUBLE
TEST_CASE("the first 10,000 normal numbers are pinned to the bit") {
  Random random(7, 2);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < 10'000; ++i) hash = (hash ^ std::bit_cast<std::uint32_t>(random.normal())) * 0x100000001b3;
  CHECK(hash == 0xefc7d22f96d5fbd4);
}
#endif

TEST_CASE("float and double draw the same normal numbers, up to rounding") {
  Random random(7, 2);
  // From an independent implementation of Philox and Box–Muller in Python, in double.
  const double expected[] = {1.4139650665939354, 0.14809669961767008, 0.3979496561143564, -1.6032028754697198};
  for (const double value : expected) CHECK(random.normal() == doctest::Approx(value).epsilon(1e-5));
}

TEST_CASE("uniform: range, mean 1/2, variance 1/12, no correlation of neighbours; between other bounds, too") {
  Random random(11);
  constexpr int n = 1'000'000;
  double sum = 0, squares = 0, products = 0, previous = 0.5;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    REQUIRE((u >= 0 && u < 1));
    sum += u, squares += u * u, products += (u - 0.5) * (previous - 0.5);
    previous = u;
  }
  const double mean = sum / n;  // standard error 0.00029
  CHECK(mean == doctest::Approx(0.5).epsilon(0.003));
  CHECK(squares / n - mean * mean == doctest::Approx(1.0 / 12).epsilon(0.005));
  CHECK(std::abs(products / n) < 0.0005);
  sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double u = random.uniform(-3, 5);
    REQUIRE((u >= -3 && u <= 5));
    sum += u;
  }
  CHECK(sum / 100'000 == doctest::Approx(1).epsilon(0.04));
}

TEST_CASE("normal: the first four moments and the tails") {
  Random random(13);
  constexpr int n = 1'000'000;
  double first = 0, second = 0, third = 0, fourth = 0;
  int beyond_two = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    REQUIRE(std::isfinite(x));
    first += x, second += x * x, third += x * x * x, fourth += x * x * x * x;
    beyond_two += std::abs(x) > 2;
  }
  CHECK(std::abs(first / n) < 0.005);  // five standard errors
  CHECK(second / n == doctest::Approx(1).epsilon(0.0072));
  CHECK(std::abs(third / n) < 0.02);
  CHECK(fourth / n == doctest::Approx(3).epsilon(0.0165));
  CHECK(beyond_two / double{n} == doctest::Approx(0.0455).epsilon(0.023));
}

TEST_CASE("below: every result equally often (chi-square), also if 2^32 mod n is large") {
  Random random(14);
  constexpr int cells = 7, n = 700'000;
  std::array<int, cells> count{};
  for (int i = 0; i < n; ++i) ++count.at(static_cast<std::size_t>(random.below(cells)));
  double chi_square = 0;
  for (const int c : count) chi_square += (c - n / cells) * double(c - n / cells) / (n / cells);
  CHECK(chi_square < 27.9);  // 6 degrees of freedom, p = 0.0001
  // For n = 1.5 · 2³⁰ a plain multiply-shift draws one result in three only two thirds as often as the others.
  constexpr int large = 3 << 29;
  std::array<int, 3> residues{};
  for (int i = 0; i < 300'000; ++i) ++residues.at(static_cast<std::size_t>(random.below(large) % 3));
  for (const int c : residues) CHECK(c == doctest::Approx(100'000).epsilon(0.013));
}

TEST_CASE("below(1) is 0; below(0) is refused") {
  Random random(15);
  CHECK(random.below(1) == 0);
  CHECK_THROWS_AS(random.below(0), Error);
  CHECK_THROWS_AS(random.below(-3), Error);
}
