// Checks a program for a script by the rule of script_rules.h, and says what it needs there.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/syntax.h"
#include "engine/tensor/error.h"

namespace unroll::program {

// A statement that a script must not contain.
struct Omission {
  enum class How {
    line,      // it is left out, in a function or a branch
    import,    // it imports less in a script, or nothing
    function,  // a def, whose text the parser has not kept
    refused    // it has run in the lab, so the program cannot be exported
  };
  How how;
  const Statement* statement;
  bool is_optional;  // in a function or a branch
  Error why;
};

// What a script must define for a program, or guard.
struct ScriptNeeds {
  std::set<std::string> names;      // not bound by the program: of the lab, of Python, or constants
  std::set<std::string> members;    // "torch.nn.functional.softmax"
  std::set<std::string> looked_up;  // packages whose members getattr looks up by computed names
  std::vector<std::pair<Place, std::string>> dictionaries;  // of each name.__dict__: the name and where it begins
  bool imports = false;                                     // any package
};

struct ScriptNames {
  std::vector<Omission> left_out;
  ScriptNeeds needs;
};

// `constants` are names that the script defines before the program, `own` those of its own, and `defined` says whether
// it can define a name of the lab.
struct ScriptScope {
  const std::set<std::string>& constants;
  const std::set<std::string>& own;
  bool (*defines)(std::string_view name);
};

ScriptNames names_for_script(const Program& program, const ScriptScope& scope);

}  // namespace unroll::program
