// The one kind of error the engine throws: a code for programs, a sentence for people.
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

// `what()` names the field, its value, what is allowed and how to mend it: "[matmul] a is (3, 4), b is (5, 2): …".
struct Error : std::runtime_error {
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code(code) {}
  ErrorCode code;
};

std::string text_of(double number);       // at most fifteen significant digits: 0.1, −∞, 1e+30
std::string text_of(float number);        // at most seven significant digits, whole numbers with all of theirs
std::string text_of(const Shape& shape);  // "(3, 4)"

// "one, two": words with something between them.
std::string joined(const std::vector<std::string>& words, std::string_view between);

// A value by its name and its index along each axis, counted from 0: "X[2, 0]"; a scalar by its name alone.
std::string value_name(std::string_view name, const Shape& shape, std::size_t position);

// A part of a message: text or a number that is written when the message is put together, so that a refusal costs its
// function little code. (Streams would double the size of the WebAssembly module.) Lives as long as what it is made of.
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

// fail(ErrorCode::shape, "[matmul] a is ", a, …) throws an Error whose message is the parts put together.
[[noreturn]] void fail(ErrorCode code, const auto&... parts) { fail_with(code, {MessagePart(parts)...}); }

}  // namespace unroll
