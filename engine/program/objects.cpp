#include "engine/program/objects.h"

#include <algorithm>

namespace unroll::program {

std::optional<Value>* Environment::find(Symbol symbol) {
  if (scope) {
    const auto found = scope->place_of_local.find(symbol);
    return found == scope->place_of_local.end() ? nullptr : &values_[found->second];
  }
  const auto index = static_cast<std::size_t>(symbol);
  if (index >= values_.size()) values_.resize(program->names.size());
  return &values_[index];
}

void Environment::clear() {
  std::vector<Value> values;
  for (std::optional<Value>& each : values_)
    if (each) values.push_back(*std::exchange(each, std::nullopt));
  release(std::move(values));
}

ClosureBody::~ClosureBody() {
  std::vector<Value> values;
  for (const std::optional<Value>& each : fallbacks)
    if (each) values.push_back(*each);
  fallbacks.clear();
  release(std::move(values));
}

const Value* ClassBody::find(std::string_view name) const {
  for (const ClassBody* each : order)
    if (const Value* found = each->attributes->find(name)) return found;
  return nullptr;
}

bool ClassBody::is_derived_from(const ClassBody& other) const {
  return std::find(order.begin(), order.end(), &other) != order.end();
}

}  // namespace unroll::program
