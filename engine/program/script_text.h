// The text of a program as a script contains it: see script_rules.h.
#pragma once

#include <string>

#include "engine/program/script_names.h"

namespace unroll::program {

struct ScriptText {
  std::string text;
  ScriptNeeds needs;
};

// Lines that a script must not contain are comments, imports have what a script may import, and name.__dict__ is
// `dictionary`(name). Throws Error(program) for a program that cannot be exported.
ScriptText text_for_script(std::string text, const ScriptScope& scope, const std::string& dictionary);

}  // namespace unroll::program
