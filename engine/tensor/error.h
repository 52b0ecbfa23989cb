// The one kind of error the engine throws: a code for programs, a sentence for people.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/tensor/shape.h"

namespace unroll {

enum class ErrorCode { shape, config, input, format, out_of_memory, diverged, internal };

// `what()` names the field, its value, what is allowed and how to mend it: "[matmul] a is (3, 4), b is (5, 2): …".
struct Error : std::runtime_error {
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code(code) {}
  ErrorCode code;
};

// The parts a message is put together from. (Streams would double the size of the WebAssembly module.)
inline std::string text_of(const char* part) { return part; }
inline std::string text_of(const std::string& part) { return part; }
inline std::string text_of(std::string_view part) { return std::string(part); }
// The fewest digits that read back as the same number, for a double at least nine: 0.1, −∞, 1e+30.
std::string text_of(double number);
std::string text_of(float number);
std::string text_of(const Shape& shape);  // "(3, 4)"
template <std::integral Integer>
std::string text_of(Integer number) {
  return std::to_string(number);
}

// A value by its name and its index along each axis, counted from 0: "X[2, 0]"; a scalar by its name alone.
std::string value_name(std::string_view name, const Shape& shape, std::size_t position);

[[noreturn]] void fail_with(ErrorCode code, std::initializer_list<std::string> parts);

// fail(ErrorCode::shape, "[matmul] a is ", a, …) throws an Error whose message is the parts put together.
template <typename... Parts>
[[noreturn]] void fail(ErrorCode code, const Parts&... parts) {
  fail_with(code, {text_of(parts)...});
}

}  // namespace unroll
