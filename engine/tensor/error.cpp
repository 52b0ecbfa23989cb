#include "engine/tensor/error.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace unroll {
namespace {

std::string special(double number) { return std::isnan(number) ? "NaN" : number > 0 ? "∞" : "−∞"; }

}  // namespace

// (std::to_chars, for the shortest text that round-trips, would add tables to the WebAssembly module: 4 KB compressed
// for float, 50 KB for double.)
std::string text_of(double number) {
  if (!std::isfinite(number)) return special(number);
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.15g", number);
  return text.data();
}

std::string text_of(float number) {
  if (!std::isfinite(number)) return special(static_cast<double>(number));
  const bool whole = number == std::trunc(number) && std::abs(number) < 1e9f;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.7g", static_cast<double>(number));
  return text.data();
}

std::string text_of(const Shape& shape) {
  std::string text = "(";
  for (const int* size = shape.begin(); size != shape.end(); ++size)
    text += (size == shape.begin() ? "" : ", ") + std::to_string(*size);
  return text + ')';
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) text.append(&word == words.data() ? "" : separator).append(word);
  return text;
}

std::string value_name(std::string_view name, const Shape& shape, std::size_t position) {
  std::string indices;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    indices = std::to_string(position % size) + (indices.empty() ? "" : ", ") + indices;
    position /= size;
  }
  return std::string(name) + (indices.empty() ? "" : '[' + indices + ']');
}

std::string MessagePart::text() const {
  switch (kind_) {
    case Kind::number:
      return text_of(number_);
    case Kind::single:
      return text_of(static_cast<float>(number_));
    case Kind::integer:
    case Kind::line:
      return std::to_string(integer_);
    case Kind::shape:
      return text_of(*shape_);
    case Kind::list:
      return join(*names_, ", ");
    case Kind::field:
      return words_;
    default:
      return std::string(text_);
  }
}

const char* MessagePart::place() const {
  constexpr std::array<const char*, 10> places{"",         "",        "{text}", "{number}", "{number}",
                                               "{number}", "{shape}", "{list}", "{line}",   "{field}"};
  return places[static_cast<std::size_t>(kind_)];
}

void Message::append(const MessagePart& part) {
  if (part.kind_ == MessagePart::Kind::words) {
    text += part.words_;
    pattern += part.words_;
  } else if (part.kind_ == MessagePart::Kind::message) {
    text += part.message_->text;
    pattern += part.message_->pattern;
    arguments.insert(arguments.end(), part.message_->arguments.begin(), part.message_->arguments.end());
  } else {
    std::string& argument = arguments.emplace_back(part.text());
    std::erase(argument, '\0');  // a learner's text may contain one, and what() would end there
    text += argument;
    pattern += part.place();
  }
}

Message message_of(std::initializer_list<MessagePart> parts) {
  Message message;
  for (const MessagePart& part : parts) message.append(part);
  return message;
}

void fail_with(ErrorCode code, std::initializer_list<MessagePart> parts) { throw Error(code, message_of(parts)); }

}  // namespace unroll
