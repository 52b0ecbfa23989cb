// Numbers as decimal digits and back, exactly rounded, with the same letters and bits on every machine.
//
// printf and strtod do the same; in a WebAssembly module they take 17 KB, with arithmetic of 128 bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace unroll {

// %.{decimals}f: 0.125 with 2 decimals is "0.12", since half of the last digit is rounded to even.
std::string fixed_text(double number, int decimals);
// %.{decimals}e: "1.25e-01".
std::string scientific_text(double number, int decimals);
// %.{digits}g: at most so many digits, with an exponent below 1e-4 and from 10^digits on. Zeros at the end are kept
// only if `keeps_zeros`.
std::string general_text(double number, int digits, bool keeps_zeros = false);
// In base 2, 8, 10 or 16.
std::string whole_text(std::int64_t number, int base);
// The number rounded to so many decimals, which may be negative: round(x, 2).
double rounded_to(double number, int decimals);
// The fewest digits after the first that are read as the same number again: 2 of 1.25. It must be finite.
int decimals_of_shortest(double number);
// The double that is nearest to "125", "12.5", ".5" or "1.25e-3", of two the even one; infinity if it is too large.
double read_decimal(std::string_view text);

}  // namespace unroll
