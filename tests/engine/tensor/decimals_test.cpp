// Numbers as texts and back, beside the C library's printf and strtod.
#include "engine/tensor/decimals.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "tests/engine/support/test.h"

using namespace unroll;

namespace {

std::string printed(const char* form, int digits, double number) {
  std::array<char, 1200> text{};
  std::snprintf(text.data(), text.size(), form, digits, number);
  return text.data();
}

double read_by_library(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

void check_as_library(const std::string& text) {
  CAPTURE(text);
  CHECK(std::bit_cast<std::uint64_t>(read_decimal(text)) == std::bit_cast<std::uint64_t>(read_by_library(text)));
}

// Any finite number from 0 on: all exponents are equally likely.
double drawn(std::mt19937_64& random) {
  double number;
  do number = std::abs(std::bit_cast<double>(random()));
  while (!std::isfinite(number));
  return number;
}

}  // namespace

TEST_CASE("a text is read as the double that is nearest") {
  for (const char* text : {"0",
                           "0.0",
                           ".5",
                           "2.",
                           "1e0",
                           "1e-5",
                           "3.14159265358979323846",
                           "1e22",
                           "1e23",
                           "9007199254740993",
                           "9007199254740993.0000000000000000000000001",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e309",
                           "1e99999999999",
                           "5e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1e-325",
                           "1e-99999999999",
                           "2.2250738585072011e-308",
                           "2.2250738585072014e-308",
                           "0.000001e10",
                           "00012.50",
                           "1E5"})
    check_as_library(text);
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const double number = drawn(random);
    const int digits = static_cast<int>(random() % 25);
    check_as_library(printed("%.*e", digits, number));
    check_as_library(printed("%.*f", digits % 8, std::fmod(number, 1e12)));
  }
}

TEST_CASE("half-way between two doubles the even one is read") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300; ++i) {
    const double low =
        std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52), static_cast<int>(random() % 80) - 40);
    const long double half_way = (static_cast<long double>(low) + std::nextafter(low, 1e300)) / 2;
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), "%.150Lf", half_way);
    check_as_library(text.data());
    check_as_library(std::string(text.data()) + "1");
  }
}

TEST_CASE("texts have the digits that printf gives") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const double number = drawn(random);
    const int digits = static_cast<int>(random() % 20);
    CAPTURE(number);
    CHECK(scientific_text(number, digits) == printed("%.*e", digits, number));
    CHECK(general_text(number, digits + 1) == printed("%.*g", digits + 1, number));
    CHECK(fixed_text(std::fmod(number, 1e15), digits) == printed("%.*f", digits, std::fmod(number, 1e15)));
  }
}

TEST_CASE("the shortest digits are read as the number again, and fewer are not") {
  std::mt19937_64 random(4);
  for (int i = 0; i < 2000; ++i) {
    const double number = drawn(random);
    const int decimals = decimals_of_shortest(number);
    CAPTURE(number);
    CHECK(read_decimal(scientific_text(number, decimals)) == number);
    if (decimals > 0) CHECK(read_decimal(scientific_text(number, decimals - 1)) != number);
  }
  CHECK(decimals_of_shortest(1.25) == 2);
  CHECK(decimals_of_shortest(0.1) == 0);
  CHECK(decimals_of_shortest(0) == 0);
}
