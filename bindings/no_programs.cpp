// For a module without the language of the learner's programs: it knows neither of their fields, part and program.
#include "engine/models/program/learner_parts.h"

namespace unroll {

std::unique_ptr<const Parts> learner_parts(const Config&, Parameters&) { return nullptr; }

void check_part(const Config&) {}

std::optional<ModelSize> size_with_part(const Config&, const BatchSizes&) { return std::nullopt; }

}  // namespace unroll
