// A model's configuration: a flat table of named values, range-checked when read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/nn/parameters.h"
#include "engine/tensor/error.h"
#include "engine/tensor/scalar.h"

namespace unroll {

// Largest absolute value accepted from the user in a list, an input or an edit.
constexpr Scalar max_abs_input = 1e6;

class Config {
 public:
  using Value = std::variant<double, bool, std::string, std::vector<double>>;

  Config() = default;
  Config(std::initializer_list<std::pair<const std::string, Value>> fields) : fields_(fields) {}
  void set(const std::string& name, Value value) { fields_[name] = std::move(value); }
  void erase(const std::string& name) { fields_.erase(name); }
  const std::map<std::string, Value>& fields() const { return fields_; }
  bool has(const std::string& name) const { return fields_.contains(name); }

  // Each reads a field; an absent field gives the fallback, or nullopt. A value of the wrong type or out of range
  // throws Error(config) with the field, its value, the range and the fix. `or_else` names an alternative to a value in
  // range: ", or …".
  int integer(const std::string& name, int fallback, int min, int max, const char* or_else = "") const;
  double number(const std::string& name, double fallback, double min, double max, const char* or_else = "") const;
  std::string text(const std::string& name, const std::string& fallback, const std::vector<std::string>& allowed) const;
  // An enumerator by name; `words` lists the names in enumerator order.
  template <typename Enum>
  Enum choice(const std::string& name, Enum fallback, const std::vector<std::string>& words) const {
    return static_cast<Enum>(index_of(name, static_cast<std::size_t>(fallback), words));
  }
  std::optional<std::string> any_text(const std::string& name) const;
  bool flag(const std::string& name, bool fallback) const;
  // A list of `min` to `max` values.
  std::optional<std::vector<double>> numbers(const std::string& name, std::size_t min, std::size_t max) const;
  std::uint64_t seed() const;  // the field "seed": 0 to 2^32 − 1, 1 when absent

  // The same configuration, of a model whose parameters are made in another way; no field says so.
  Config with(Making making) const;
  Making making() const { return making_; }

  // Throws Error(config) if the field is set: "name is value, but why."; `why` includes the fix.
  void reject_if_set(const std::string& name, const Message& why) const;

  // Throws Error(config) for the first field that was never read.
  void reject_unknown() const;

 private:
  const Value* find(const std::string& name) const;
  std::size_t index_of(const std::string& name, std::size_t fallback, const std::vector<std::string>& words) const;

  std::map<std::string, Value> fields_;
  Making making_ = Making::drawn;
  mutable std::set<std::string> read_;
};

}  // namespace unroll
