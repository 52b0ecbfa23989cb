// The parameters of an operation, read from their text: "x, dim=-1".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/program/library.h"

namespace unroll::program {

struct Signature {
  std::vector<std::string> names;
  std::vector<std::optional<Value>> fallbacks;
  bool takes_rest = false;  // the last takes the remaining arguments: "*sizes"
};
const Signature& signature_of(const Builtin& callee);

// Where `name` is among the names; throws Error(program) naming the nearest if it is none of them.
std::size_t index_of(const std::string& name, const std::vector<std::string>& names, const std::string& callee,
                     const Place& place);

// PyTorch takes NumPy's names of these parameters, too: axis and keepdims.
std::string modern(const std::string& name);

}  // namespace unroll::program
