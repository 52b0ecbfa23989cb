// How error messages format numbers, shapes and indices.
#include <bit>
#include <cstdlib>

#include "tests/engine/support/test.h"

TEST_CASE("a float is written without the extra digits of its conversion to double") {
  CHECK(text_of(0.1f) == "0.1");
  CHECK(text_of(-2.7f) == "-2.7");
  CHECK(text_of(16777217.0f) == "16777216");
  CHECK(text_of(2e6f) == "2000000");
  CHECK(text_of(3e-5f) == "3e-05");
  CHECK(text_of(0.0f) == "0");
  CHECK(text_of(-INFINITY) == "−∞");
  CHECK(text_of(NAN) == "NaN");
}

TEST_CASE("a double is written as it was typed") {
  CHECK(text_of(9.2) == "9.2");
  CHECK(text_of(0.1 + 0.2) == "0.3");
  CHECK(text_of(-1e-7) == "-1e-07");
  CHECK(text_of(4294967295.0) == "4294967295");
  CHECK(text_of(1e300) == "1e+300");
}

TEST_CASE("a written float reads back except for its last bits") {
  Random random(7);
  for (int i = 0; i < 20'000; ++i) {
    const float number = std::bit_cast<float>(random.bits());
    if (!std::isfinite(number)) continue;
    const double truth = static_cast<double>(number), read = std::strtod(text_of(number).c_str(), nullptr);
    CHECK(std::abs(read - truth) <= 5.001e-7 * std::abs(truth));
  }
}

TEST_CASE("a NUL in a learner's text does not end the sentence") {
  CHECK(REFUSAL(input, fail(ErrorCode::input, "no_such_split", Text("a\0b", 3))) ==
        "split is \"ab\": use \"train\", \"validation\" or \"test\".");
}

TEST_CASE("words joined") {
  CHECK(join({"one", "two", ""}, ", ") == "one, two, ");
  CHECK(join({"one"}, ", ") == "one");
  CHECK(join({}, ", ") == "");
}

TEST_CASE("a value is named by its index along each axis, counted from 0") {
  CHECK(value_name("X", {4, 3}, 0) == "X[0, 0]");
  CHECK(value_name("X", {4, 3}, 7) == "X[2, 1]");
  CHECK(value_name("e", {5}, 4) == "e[4]");
  CHECK(value_name("w", {2, 3, 4}, 23) == "w[1, 2, 3]");
  CHECK(value_name("L", {}, 0) == "L");
}
