// What is in each package besides what the files of the library define.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/value.h"

namespace unroll::program {

struct PackageContents {
  std::string_view name;
  const char* file = nullptr;                                        // of the library, without .py
  std::optional<Value> (*own)(const std::string& member) = nullptr;  // operations, words and numbers
  std::vector<std::string> (*names)() = nullptr;                     // of these
  const char* refusal = nullptr;  // the sentence that refuses a use of any other member
};

// nullptr if there is no such package.
const PackageContents* contents_of(std::string_view package);

// A member that can be imported, and whose use is refused.
Value refused_member(const char* refusal, const std::string& name);
// Throws Error(program) with that sentence if `value` is such a member.
void refuse_if_member(const Value& value, const Place& place);

}  // namespace unroll::program
