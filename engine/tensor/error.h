// The engine's exception type: a code, the id of a sentence with its arguments, and a place in a learner's text. The
// sentences are in engine/messages, one file for each language.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/shape.h"

namespace unroll {

enum class ErrorCode { shape, config, input, format, program, out_of_memory, diverged, internal };

// A line of a learner's text and a character of that line, from 1. No line: the error is about no place in a text. No
// column: the sentence names the line itself.
struct Place {
  int line = 0, column = 0;
  const char* file = "program";  // "nn/linear.py", of what ships with the engine
};

// The field or argument of a call that is refused.
struct FieldName {
  const char* value;
};

// Which sentence of the catalogue (engine/messages), and what it is about.
struct Message {
  const char* id = "";
  // A JSON list. Of the catalogue is a phrase {"id": "a_list", "arguments": []}; besides there are numbers, texts
  // (names, or the learner's own), lists of names, {"shape": [3, 4]} and {"field": "index"}.
  std::string arguments;
  std::string english;  // the sentence; empty in WebAssembly, which has no catalogue
};

// `what()` is the sentence in native programs: "line 3, column 5: [matmul] a is (3, 4), b is …". In WebAssembly it is
// the id of the message: the page has the words.
struct Error : std::exception {
  Error(ErrorCode code, Message message, Place place = {});
  const char* what() const noexcept override;
  Error moved_to(Place other) const;  // the same error at another place

  ErrorCode code;
  Message message;
  Place place;
};

std::string text_of(double number);       // at most fifteen significant digits: 0.1, −∞, 1e+30
std::string text_of(float number);        // at most seven significant digits; whole numbers below 10⁹ in full
std::string text_of(const Shape& shape);  // "(3, 4)"

// Concatenates `words`, with `separator` between them: "one, two".
std::string join(const std::vector<std::string>& words, std::string_view separator);

// The name of one value of a tensor, with its zero-based index along each axis: "X[2, 0]"; of a scalar, just "X".
std::string value_name(std::string_view name, const Shape& shape, std::size_t position);

// An argument of a message as it stands in a call, so that checks add little code. Refers to what it is made from, and
// must not outlive it.
class MessageArgument {
 public:
  MessageArgument(const char*) = delete;  // a phrase is a Message, a name a std::string_view
  MessageArgument(const Message& phrase) : phrase_(&phrase), kind_(Kind::phrase) {}
  MessageArgument(std::string_view text) : text_(text), kind_(Kind::text) {}
  MessageArgument(const std::string& text) : MessageArgument(std::string_view(text)) {}
  MessageArgument(double number) : number_(number), kind_(Kind::number) {}
  MessageArgument(float number) : number_(static_cast<double>(number)), kind_(Kind::single) {}
  MessageArgument(std::integral auto number) : MessageArgument(static_cast<double>(number)) {}
  MessageArgument(const Shape& shape) : shape_(&shape), kind_(Kind::shape) {}
  MessageArgument(const std::vector<std::string>& names) : names_(&names), kind_(Kind::names) {}
  MessageArgument(FieldName field) : field_(field), kind_(Kind::field) {}

  void add_json(std::string& text) const;
  // In English: `form` is what stands after a colon in the braces of the sentence. Of native programs.
  std::string in_english(std::string_view form) const;

 private:
  union {
    FieldName field_;
    const Message* phrase_;
    std::string_view text_;
    double number_;
    const Shape* shape_;
    const std::vector<std::string>* names_;
  };
  enum class Kind { phrase, text, number, single, shape, names, field } kind_;
};
using MessageArguments = std::initializer_list<MessageArgument>;

Message message_of(const char* id, MessageArguments arguments);
[[noreturn]] void fail_with(ErrorCode code, Place place, const char* id, MessageArguments arguments);

// The sentences in English, for native programs, by id: engine/messages/en. (The page makes its own:
// web/src/messages/sentence.ts.) {0} is the place of the first argument, {1:axis|axes} of a word that goes with the
// second, which is a count, and {1: and } of names with that between them.
extern const std::map<std::string_view, std::string_view> english;

// Throws std::invalid_argument if the catalogue has no sentence of that id with places for just these arguments.
std::string sentence(const char* id, MessageArguments arguments);

// phrase("number_between", 0, 1) is an argument of several messages.
Message phrase(const char* id, const auto&... arguments) { return message_of(id, {MessageArgument(arguments)...}); }

// fail(ErrorCode::shape, "matmul_inner_sizes", a, b, …) throws an Error with the sentence of that id.
[[noreturn]] void fail(ErrorCode code, const char* id, const auto&... arguments) {
  fail_with(code, {}, id, {MessageArgument(arguments)...});
}
[[noreturn]] void fail(ErrorCode code, Place place, const char* id, const auto&... arguments) {
  fail_with(code, place, id, {MessageArgument(arguments)...});
}

}  // namespace unroll
