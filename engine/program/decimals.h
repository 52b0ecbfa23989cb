// Numbers as decimal digits, exactly rounded, with the same letters on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace unroll::program {

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

}  // namespace unroll::program
