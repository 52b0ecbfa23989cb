// A model's configuration: a flat table of names and values, each read with its range.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/tensor/scalar.h"

namespace unroll {

// The largest number that a learner may give, of either sign: in a list, an input or an edit.
constexpr Scalar largest_given = 1e6;

class Config {
 public:
  using Value = std::variant<double, bool, std::string, std::vector<double>>;

  Config() = default;
  Config(std::initializer_list<std::pair<const std::string, Value>> fields) : fields_(fields) {}
  void set(const std::string& name, Value value) { fields_[name] = std::move(value); }
  const std::map<std::string, Value>& fields() const { return fields_; }
  bool has(const std::string& name) const { return fields_.contains(name); }

  // Each of these throws Error(config) with the field, its value, the range and the fix when the value is of another
  // kind or out of range; a field that is absent takes the default. What one can do instead of giving a value in the
  // range is said behind it: ", or …".
  int integer(const std::string& name, int otherwise, int least, int most, const std::string& or_else = "") const;
  double number(const std::string& name, double otherwise, double least, double most,
                const std::string& or_else = "") const;
  std::string text(const std::string& name, const std::string& otherwise,
                   const std::vector<std::string>& allowed) const;
  // One of an enumeration, by its word; `words` stand in its order.
  template <typename Enum>
  Enum choice(const std::string& name, Enum otherwise, const std::vector<std::string>& words) const {
    return static_cast<Enum>(place_of(name, static_cast<std::size_t>(otherwise), words));
  }
  std::optional<std::string> any_text(const std::string& name) const;  // whatever it says
  bool flag(const std::string& name, bool otherwise) const;
  // A list of `least` to `most` numbers.
  std::optional<std::vector<double>> numbers(const std::string& name, std::size_t least, std::size_t most) const;
  std::uint64_t seed() const;  // the field "seed": 0 to 2^32 − 1, 1 when absent

  // Throws Error(config) if the field is given: "name is value, but …", and what to do.
  void refuse_needless(const std::string& name, std::string_view why) const;

  // Throws Error(config) for the first field that nobody has read.
  void refuse_unknown() const;

 private:
  const Value* find(const std::string& name) const;
  std::size_t place_of(const std::string& name, std::size_t otherwise, const std::vector<std::string>& words) const;

  std::map<std::string, Value> fields_;
  mutable std::set<std::string> read_;
};

}  // namespace unroll
