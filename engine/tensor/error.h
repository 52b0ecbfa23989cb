// The engine's exception type: a code for programs, and a message for people that can be put into their language.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/tensor/shape.h"

namespace unroll {

enum class ErrorCode { shape, config, input, format, program, out_of_memory, diverged, internal };

// An argument that a program may look for: a line of the learner's text, or the field or argument that is refused.
struct LineNumber {
  int value;  // from 1
};
struct FieldName {
  const char* value;
};

class MessagePart;

// An English sentence, and what it takes to say it in another language: its pattern, by which a translation is found,
// such as "score is {text}: use one of {list}.", and the texts in the places of the pattern. A place is one of {text}
// (a name, or the learner's own), {number}, {shape}, {list}, {line} and {field}.
struct Message {
  std::string text, pattern;
  std::vector<std::string> arguments;

  void append(const MessagePart& part);
};

// `what()` names the field, its value, what is allowed and the fix: "[matmul] a is (3, 4), b is (5, 2): …".
struct Error : std::exception {
  Error(ErrorCode code, Message message) : code(code), message(std::move(message)) {}
  const char* what() const noexcept override { return message.text.c_str(); }
  ErrorCode code;
  Message message;
};

std::string text_of(double number);       // at most fifteen significant digits: 0.1, −∞, 1e+30
std::string text_of(float number);        // at most seven significant digits; whole numbers below 10⁹ in full
std::string text_of(const Shape& shape);  // "(3, 4)"

// Concatenates `words`, with `separator` between them: "one, two".
std::string join(const std::vector<std::string>& words, std::string_view separator);

// The name of one value of a tensor, with its zero-based index along each axis: "X[2, 0]"; of a scalar, just "X".
std::string value_name(std::string_view name, const Shape& shape, std::size_t position);

// A part of a message: a C string is words of its pattern, a message brings its own, and anything else is an argument,
// in which a list has no name with a comma. Formatted only when the error is thrown, so that checks add little code.
// (Streams would double the size of the WebAssembly module.) Refers to what it is made from, and must not outlive it.
class MessagePart {
 public:
  MessagePart(const char* words) : words_(words), kind_(Kind::words) {}
  MessagePart(const Message& message) : message_(&message), kind_(Kind::message) {}
  MessagePart(std::string_view text) : text_(text), kind_(Kind::text) {}
  MessagePart(const std::string& text) : MessagePart(std::string_view(text)) {}
  MessagePart(double number) : number_(number), kind_(Kind::number) {}
  MessagePart(float number) : number_(static_cast<double>(number)), kind_(Kind::single) {}
  MessagePart(std::integral auto number) : integer_(static_cast<long long>(number)), kind_(Kind::integer) {}
  MessagePart(const Shape& shape) : shape_(&shape), kind_(Kind::shape) {}
  MessagePart(const std::vector<std::string>& names) : names_(&names), kind_(Kind::list) {}
  MessagePart(LineNumber line) : integer_(line.value), kind_(Kind::line) {}
  MessagePart(FieldName field) : words_(field.value), kind_(Kind::field) {}

 private:
  friend struct Message;
  std::string text() const;
  const char* place() const;

  union {
    const char* words_;
    const Message* message_;
    std::string_view text_;
    double number_;
    long long integer_;
    const Shape* shape_;
    const std::vector<std::string>* names_;
  };
  enum class Kind { words, message, text, number, single, integer, shape, list, line, field } kind_;
};

Message message_of(std::initializer_list<MessagePart> parts);
[[noreturn]] void fail_with(ErrorCode code, std::initializer_list<MessagePart> parts);

// phrase("a number, ", 0, " to ", 1) is a part for several messages.
Message phrase(const auto&... parts) { return message_of({MessagePart(parts)...}); }

// fail(ErrorCode::shape, "[matmul] a is ", a, …) throws an Error whose message is made of the parts.
[[noreturn]] void fail(ErrorCode code, const auto&... parts) { fail_with(code, {MessagePart(parts)...}); }

}  // namespace unroll
