// The sentence of a message in English, for native programs. (The page makes its own: web/src/messages/sentence.ts.)
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/tensor/error.h"

namespace unroll {

// By id: engine/messages/en. {0} is the place of the first argument, {1:axis|axes} of a word that goes with the
// second, which is a count, and {1: and } of names with that between them.
extern const std::map<std::string_view, std::string_view> english;

// Throws std::invalid_argument if the catalogue has no sentence of that id with places for just these arguments.
std::string sentence(const char* id, MessageArguments arguments);

}  // namespace unroll
