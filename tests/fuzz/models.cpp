#include "tests/fuzz/models.h"

#include "bindings/session.h"
#include "tests/engine/support/damage.h"

namespace unroll {
namespace {

struct Kind {
  Config small;
  FieldWords fields;
};

// As narrow as possible, so that many can be tried.
const std::pair<const char*, double> narrow[] = {{"attention_size", 4}, {"batch", 4},        {"channels", 4},
                                                 {"embedding", 4},      {"feed_forward", 8}, {"model_size", 8},
                                                 {"hidden", 4}};

Kind kind_named(const std::string& name) {
  const auto refusal = [](const Config& config) { return Session().load(config).message(); };
  Kind kind{small_config(name), {}};
  kind.fields = fields_and_words(refusal, kind.small);
  for (const auto& [field, size] : narrow)
    if (kind.fields.contains(field)) kind.small.set(field, size);
  return kind;
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (const std::string& name : model_kinds()) kinds.push_back(kind_named(name));
  return kinds;
}

const Kind& any_kind(Random& random) {
  static const std::vector<Kind> kinds = all_kinds();
  return pick(random, kinds);
}

}  // namespace

Config any_model(Random& random) {
  const Kind& kind = any_kind(random);
  return any_config(random, kind.small, kind.fields);
}

Config likely_model(Random& random) {
  const Kind& kind = any_kind(random);
  return likely_config(random, kind.small, kind.fields);
}

}  // namespace unroll
