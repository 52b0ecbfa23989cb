#include "engine/program/signature.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "engine/program/spelling.h"

namespace unroll::program {
namespace {

Value constant_of(const std::string& text) {
  if (text == "None") return None{};
  if (text == "True" || text == "False") return text == "True";
  if (text.front() == '"') return text.substr(1, text.size() - 2);
  if (text.find_first_of(".e") != std::string::npos) return std::strtod(text.c_str(), nullptr);
  return static_cast<std::int64_t>(std::strtol(text.c_str(), nullptr, 10));
}

Signature read(std::string text) {
  Signature signature;
  for (std::size_t end; !text.empty(); text.erase(0, end)) {
    end = std::min(text.find(", "), text.size());
    std::string name = text.substr(0, end);
    const std::size_t equals = name.find('=');
    signature.fallbacks.push_back(equals == std::string::npos ? std::nullopt
                                                              : std::optional(constant_of(name.substr(equals + 1))));
    name.resize(std::min(equals, name.size()));
    signature.takes_rest = name.front() == '*';
    signature.names.push_back(name.substr(signature.takes_rest ? 1 : 0));
    end = std::min(end + 2, text.size());
  }
  return signature;
}

}  // namespace

const Signature& signature_of(const Builtin& callee) {
  static std::unordered_map<const Builtin*, Signature> read_already;
  const auto found = read_already.find(&callee);
  return found != read_already.end()
             ? found->second
             : read_already.emplace(&callee, read(std::string(callee.parameters))).first->second;
}

std::size_t index_of(const std::string& name, const std::vector<std::string>& names, const std::string& callee,
                     const Place& place) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearest_of(name, names);
  if (!nearest.empty()) fail_at(place, "no_such_parameter_but_similar", callee, name, nearest);
  fail_at(place, "no_such_parameter", callee, name, names);
}

std::string modern(const std::string& name) {
  if (name == "axis") return "dim";
  if (name == "keepdims") return "keepdim";
  return name;
}

}  // namespace unroll::program
