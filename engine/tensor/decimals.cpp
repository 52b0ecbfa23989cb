#include "engine/tensor/decimals.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace unroll {
namespace {

// A number from 0 on as its decimal digits and where the point stands: digits 125, point 0 is 0.125. Every double has
// finitely many.
struct Decimal {
  std::string digits;  // without zeros at the beginning; empty of 0
  int point = 0;
};

// A whole number of any length, in digits of base 10⁹, the last digit first.
class LongWhole {
 public:
  explicit LongWhole(std::uint64_t number) {
    for (; number > 0; number /= base) parts_.push_back(static_cast<std::uint32_t>(number % base));
  }

  void multiply(std::uint32_t factor) {
    std::uint64_t carried = 0;
    for (std::uint32_t& part : parts_) {
      carried += std::uint64_t{part} * factor;
      part = static_cast<std::uint32_t>(carried % base);
      carried /= base;
    }
    if (carried > 0) parts_.push_back(static_cast<std::uint32_t>(carried));
  }

  std::string digits() const {
    std::string all;
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
      const std::string nine = std::to_string(*part);
      if (!all.empty()) all.append(9 - nine.size(), '0');
      all += nine;
    }
    return all;
  }

 private:
  static constexpr std::uint32_t base = 1'000'000'000;
  std::vector<std::uint32_t> parts_;
};

// A number from 0 on as mantissa · 2^exponent, with the mantissa of its bits.
struct Binary {
  std::uint64_t mantissa;
  int exponent;
};

Binary binary(double number) {
  constexpr int least = -1074;  // of a double
  int exponent = 0;
  std::frexp(number, &exponent);
  exponent = number > 0 ? std::max(exponent - 53, least) : least;
  return {static_cast<std::uint64_t>(std::ldexp(number, -exponent)), exponent};
}

// With a negative exponent this is mantissa · 5^−exponent / 10^−exponent.
Decimal exact(const Binary& number) {
  LongWhole whole(number.mantissa);
  for (int left = number.exponent; left > 0; left -= 29) whole.multiply(1U << std::min(left, 29));
  constexpr std::uint32_t five_to_12 = 244'140'625;
  const int halvings = std::max(-number.exponent, 0);
  int fives = halvings;
  for (; fives >= 12; fives -= 12) whole.multiply(five_to_12);
  for (; fives > 0; --fives) whole.multiply(5);
  const std::string digits = whole.digits();
  return {digits, static_cast<int>(digits.size()) - halvings};
}

Decimal exact(double number) { return exact(binary(std::abs(number))); }

// The first `count` digits, rounded to the nearest, and of two to the even one. count may be 0 or below: then only a
// number of at least half of the place before its first digit leaves a digit.
Decimal rounded(Decimal number, int count) {
  if (count < 0) return {};
  if (count >= static_cast<int>(number.digits.size())) return number;
  const auto at = static_cast<std::size_t>(count);
  const bool is_half = number.digits[at] == '5' && number.digits.find_first_not_of('0', at + 1) == std::string::npos;
  const bool last_is_odd = at > 0 && (number.digits[at - 1] - '0') % 2 == 1;
  const bool up = is_half ? last_is_odd : number.digits[at] >= '5';
  number.digits.resize(at);
  if (!up) return number;
  const std::size_t grows = number.digits.find_last_not_of('9');
  if (grows == std::string::npos) return {"1" + std::string(at, '0'), number.point + 1};
  ++number.digits[grows];
  std::fill(number.digits.begin() + static_cast<std::ptrdiff_t>(grows) + 1, number.digits.end(), '0');
  return number;
}

std::string fixed(const Decimal& number, int decimals) {
  const auto digit = [&](int place) {
    return place < 0 || place >= static_cast<int>(number.digits.size()) ? '0' : number.digits[std::size_t(place)];
  };
  std::string text = number.point > 0 && !number.digits.empty() ? "" : "0";
  if (text.empty())
    for (int i = 0; i < number.point; ++i) text += digit(i);
  if (decimals > 0) text += '.';
  for (int i = 0; i < decimals; ++i) text += digit(number.digits.empty() ? -1 : number.point + i);
  return text;
}

std::string scientific(const Decimal& number, int decimals) {
  const int exponent = number.digits.empty() ? 0 : number.point - 1;
  std::string text = fixed({number.digits, number.digits.empty() ? 0 : 1}, decimals);
  const std::string size = std::to_string(std::abs(exponent));
  return text + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") + size;
}

std::string signed_text(double number, const std::string& text) { return (std::signbit(number) ? "-" : "") + text; }

std::string not_finite(double number) {
  if (std::isnan(number)) return "nan";
  return signed_text(number, "inf");
}

// Whether a decimal number is nearer to the double above `low` than to `low`, or as near and that one is even.
bool is_nearer_above(const Decimal& number, double low) {
  if (std::isinf(low)) return false;
  const Binary bits = binary(low);
  const Decimal half_way = exact(Binary{2 * bits.mantissa + 1, bits.exponent - 1});
  if (number.point != half_way.point) return number.point > half_way.point;
  std::string digits = half_way.digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (number.digits == digits) return bits.mantissa % 2 == 1;
  return number.digits > digits;
}

// Its first digits times a power of 10. Up to 15 digits and 10^22 both are exact, and so is the result of one
// operation.
double approximate(const Decimal& number, bool& is_exact) {
  constexpr std::size_t most = 15;
  constexpr int largest = 22;  // 10^22 is a double
  const std::size_t count = std::min(number.digits.size(), most);
  double value = 0;
  for (std::size_t i = 0; i < count; ++i) value = 10 * value + (number.digits[i] - '0');
  const int power = number.point - static_cast<int>(count);
  is_exact = number.digits.size() <= most && std::abs(power) <= largest;
  for (int left = std::abs(power); left > 0; left -= largest) {
    double factor = 1;
    for (int i = std::min(left, largest); i > 0; --i) factor *= 10;
    value = power > 0 ? value * factor : value / factor;
  }
  return value;
}

// The nearest double (Clinger 1990): near it by plain arithmetic, then from one double to the next.
double nearest(Decimal number) {
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr int largest = 309, smallest = -324;  // 0.1 · 10^point
  if (number.digits.empty() || number.point < smallest) return 0;
  if (number.point > largest) return infinite;
  bool is_exact = false;
  double value = std::min(approximate(number, is_exact), std::numeric_limits<double>::max());
  if (is_exact) return value;
  while (is_nearer_above(number, value)) value = std::nextafter(value, infinite);
  while (value > 0 && !is_nearer_above(number, std::nextafter(value, 0))) value = std::nextafter(value, 0);
  return value;
}

}  // namespace

std::string fixed_text(double number, int decimals) {
  if (!std::isfinite(number)) return not_finite(number);
  const Decimal all = exact(number);
  return signed_text(number, fixed(rounded(all, all.point + decimals), decimals));
}

std::string scientific_text(double number, int decimals) {
  if (!std::isfinite(number)) return not_finite(number);
  return signed_text(number, scientific(rounded(exact(number), decimals + 1), decimals));
}

std::string general_text(double number, int digits, bool keeps_zeros) {
  if (!std::isfinite(number)) return not_finite(number);
  digits = std::max(digits, 1);
  const Decimal short_one = rounded(exact(number), digits);
  const int exponent = short_one.digits.empty() ? 0 : short_one.point - 1;
  const bool is_fixed = exponent >= -4 && exponent < digits;
  std::string text = is_fixed ? fixed(short_one, digits - 1 - exponent) : scientific(short_one, digits - 1);
  if (!keeps_zeros && text.find('.') != std::string::npos) {
    const std::size_t end = std::min(text.find('e'), text.size());
    std::size_t last = text.find_last_not_of('0', end - 1);
    if (text[last] == '.') --last;
    text.erase(last + 1, end - last - 1);
  }
  return signed_text(number, text);
}

std::string whole_text(std::int64_t number, int base) {
  std::uint64_t size = number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  std::string text;
  do text += "0123456789abcdef"[size % static_cast<std::uint64_t>(base)];
  while (size /= static_cast<std::uint64_t>(base));
  if (number < 0) text += '-';
  std::ranges::reverse(text);
  return text;
}

double rounded_to(double number, int decimals) {
  if (!std::isfinite(number)) return number;
  const Decimal all = exact(number);
  return std::copysign(nearest(rounded(all, std::clamp(all.point + decimals, -1, 2000))), number);
}

int decimals_of_shortest(double number) {
  const Decimal all = exact(number);
  int digits = 1;
  while (nearest(rounded(all, digits)) != std::abs(number)) ++digits;
  return digits - 1;
}

double read_decimal(std::string_view text) {
  constexpr int far = 100'000;  // an exponent beyond which the number is 0 or infinite
  Decimal number;
  bool after_point = false;
  std::size_t at = 0;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    if (text[at] != '0' || !number.digits.empty()) number.digits += text[at];
    if (!after_point && !number.digits.empty()) ++number.point;
    if (after_point && number.digits.empty()) --number.point;
  }
  if (at == text.size()) return nearest(number);
  const bool is_negative = at + 1 < text.size() && text[at + 1] == '-';
  int exponent = 0;
  for (++at; at < text.size(); ++at)
    if (text[at] >= '0' && text[at] <= '9') exponent = std::min(10 * exponent + (text[at] - '0'), far);
  number.point += is_negative ? -exponent : exponent;
  return nearest(number);
}

}  // namespace unroll
