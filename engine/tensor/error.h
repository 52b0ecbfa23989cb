// The engine's exception type: a code for programs and a message for people.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/shape.h"

namespace unroll {

enum class ErrorCode { shape, config, input, format, out_of_memory, diverged, internal };

// `what()` names the field, its value, what is allowed and the fix: "[matmul] a is (3, 4), b is (5, 2): …".
struct Error : std::runtime_error {
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code(code) {}
  ErrorCode code;
};

std::string text_of(double number);       // at most fifteen significant digits: 0.1, −∞, 1e+30
std::string text_of(float number);        // at most seven significant digits; whole numbers below 10⁹ in full
std::string text_of(const Shape& shape);  // "(3, 4)"

// Concatenates `words`, with `separator` between them: "one, two".
std::string join(const std::vector<std::string>& words, std::string_view separator);

// The name of one value of a tensor, with its zero-based index along each axis: "X[2, 0]"; of a scalar, just "X".
std::string value_name(std::string_view name, const Shape& shape, std::size_t position);

// A part of an error message, formatted only when the error is thrown, so that checks add little code. (Streams would
// double the size of the WebAssembly module.) Refers to text and shapes, and must not outlive them.
class MessagePart {
 public:
  MessagePart(std::string_view text) : text_(text), kind_(Kind::text) {}
  MessagePart(const char* text) : MessagePart(std::string_view(text)) {}
  MessagePart(const std::string& text) : MessagePart(std::string_view(text)) {}
  MessagePart(double number) : number_(number), kind_(Kind::number) {}
  MessagePart(float number) : number_(static_cast<double>(number)), kind_(Kind::single) {}
  MessagePart(std::integral auto number) : integer_(static_cast<long long>(number)), kind_(Kind::integer) {}
  MessagePart(const Shape& shape) : shape_(&shape), kind_(Kind::shape) {}

  std::string text() const;

 private:
  union {
    std::string_view text_;
    double number_;
    long long integer_;
    const Shape* shape_;
  };
  enum class Kind { text, number, single, integer, shape } kind_;
};

[[noreturn]] void fail_with(ErrorCode code, std::initializer_list<MessagePart> parts);

// fail(ErrorCode::shape, "[matmul] a is ", a, …) throws an Error whose message is the concatenated parts.
[[noreturn]] void fail(ErrorCode code, const auto&... parts) { fail_with(code, {MessagePart(parts)...}); }

}  // namespace unroll
