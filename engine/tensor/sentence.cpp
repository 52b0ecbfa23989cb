#include "engine/tensor/sentence.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace unroll {
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

}  // namespace unroll
