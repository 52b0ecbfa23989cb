#include "engine/tensor/error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <stdexcept>

#include "engine/tensor/decimals.h"

namespace unroll {
namespace {

std::string special(double number) { return std::isnan(number) ? "NaN" : number > 0 ? "∞" : "−∞"; }

void add_quoted(std::string& json, std::string_view text) {
  json += '"';
  for (const char each : text) {
    if (each == '"' || each == '\\') json += '\\';
    if (static_cast<unsigned char>(each) >= ' ')
      json += each;
    else if (each != '\0')
      json.append("\\u00").append(1, static_cast<char>('0' + each / 16)).append(1, "0123456789abcdef"[each % 16]);
  }
  json += '"';
}

// JSON has no infinity and no NaN.
void add_number(std::string& json, const std::string& text) {
  if (std::isdigit(static_cast<unsigned char>(text.back())))
    json += text;
  else
    add_quoted(json, text);
}

}  // namespace

std::string text_of(double number) { return std::isfinite(number) ? general_text(number, 15) : special(number); }

std::string text_of(float number) {
  if (!std::isfinite(number)) return special(static_cast<double>(number));
  const bool whole = number == std::trunc(number) && std::abs(number) < 1e9f;
  return whole ? fixed_text(static_cast<double>(number), 0) : general_text(static_cast<double>(number), 7);
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

namespace {

// "line 3, column 5: " before the English sentence of an error that has a place.
std::string prefix_of(Place place) {
  if (place.column == 0) return "";
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": ";
}

}  // namespace

Error::Error(ErrorCode code, Message message, Place place) : code(code), message(std::move(message)), place(place) {
  if (!this->message.english.empty()) this->message.english.insert(0, prefix_of(place));
}

Error Error::moved_to(Place other) const {
  Message moved = message;
  if (!moved.english.empty()) moved.english.erase(0, prefix_of(place).size());
  return {code, std::move(moved), other};
}

const char* Error::what() const noexcept { return message.english.empty() ? message.id : message.english.c_str(); }

void MessageArgument::add_json(std::string& json) const {
  switch (kind_) {
    case Kind::phrase:
      json.append(R"({"id":")").append(phrase_->id).append(R"(","arguments":)").append(phrase_->arguments) += '}';
      break;
    case Kind::number:
      add_number(json, text_of(number_));
      break;
    case Kind::single:
      add_number(json, text_of(static_cast<float>(number_)));
      break;
    case Kind::shape:
      json += R"({"shape":[)";
      for (const int* size = shape_->begin(); size != shape_->end(); ++size)
        (json += size == shape_->begin() ? "" : ",") += std::to_string(*size);
      json += "]}";
      break;
    case Kind::names:
      json += '[';
      for (const std::string& name : *names_) {
        if (&name != names_->data()) json += ',';
        add_quoted(json, name);
      }
      json += ']';
      break;
    case Kind::field:
      json.append(R"({"field":")").append(field_.value) += "\"}";
      break;
    default:
      add_quoted(json, text_);
  }
}

#ifdef UNROLL_SENTENCES

namespace {

// "0" or "1:axis|axes", but no brace that the sentence speaks of.
bool is_place(std::string_view braces) {
  return !braces.empty() && braces[0] >= '0' && braces[0] <= '9' && (braces.size() == 1 || braces[1] == ':');
}

}  // namespace

std::string MessageArgument::in_english(std::string_view form) const {
  switch (kind_) {
    case Kind::phrase:
      return phrase_->english;
    case Kind::number: {
      const std::size_t bar = form.find('|');
      if (bar == form.npos) return text_of(number_);
      return std::string(number_ == 1 ? form.substr(0, bar) : form.substr(bar + 1));
    }
    case Kind::single:
      return text_of(static_cast<float>(number_));
    case Kind::shape:
      return text_of(*shape_);
    case Kind::names:
      return join(*names_, form.empty() ? ", " : form);
    case Kind::field:
      return field_.value;
    default: {
      std::string text(text_);
      std::erase(text, '\0');  // what() would end there
      return text;
    }
  }
}

std::string sentence(const char* id, MessageArguments arguments) {
  const auto found = english.find(id);
  if (found == english.end()) throw std::invalid_argument("there is no sentence " + std::string(id));
  std::string text;
  std::set<std::size_t> used;
  for (std::string_view rest = found->second; !rest.empty();) {
    const std::size_t end = rest.find('}');
    const std::string_view braces = rest[0] == '{' && end != rest.npos ? rest.substr(1, end - 1) : "";
    if (!is_place(braces)) {
      text += rest[0];
      rest.remove_prefix(1);
      continue;
    }
    const auto i = static_cast<std::size_t>(braces[0] - '0');
    used.insert(i);
    if (i < arguments.size())
      text += arguments.begin()[i].in_english(braces.substr(std::min<std::size_t>(2, braces.size())));
    rest.remove_prefix(end + 1);
  }
  // All of them, and no others.
  if (used.size() != arguments.size() || (!used.empty() && *used.rbegin() >= arguments.size()))
    throw std::invalid_argument(std::string(id) + " has other arguments");
  return text;
}

#endif

Message message_of(const char* id, MessageArguments arguments) {
  Message message{id, "[", {}};
  for (const MessageArgument& each : arguments) {
    if (&each != arguments.begin()) message.arguments += ',';
    each.add_json(message.arguments);
  }
  message.arguments += ']';
#ifdef UNROLL_SENTENCES
  message.english = sentence(id, arguments);
#endif
  return message;
}

void fail_with(ErrorCode code, Place place, const char* id, MessageArguments arguments) {
  throw Error(code, message_of(id, arguments), place);
}

}  // namespace unroll
