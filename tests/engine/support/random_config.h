// Small configurations of every kind of model, with some fields set to anything. Shared by tests and fuzzers.
#pragma once

#include <map>
#include <string>

#include "engine/kernels/random.h"
#include "engine/models/config.h"
#include "tests/engine/support/refused_fields.h"

namespace unroll {

// The fields of a kind, each with its options.
using FieldWords = std::map<std::string, Words>;

// A configuration of this kind, with own pairs or text if it learns a task.
Config small_config(const std::string& kind);

// The fields of such a configuration and their options, without the learner's own data.
FieldWords fields_and_words(const Refusal& refusal, const Config& config);

double any_number(Random& random);

// Sets one to three of the fields, and sometimes an unknown one, to anything: a number of any size, a flag, a list, or
// a text, which half of the time is an option of the field.
Config any_config(Random& random, Config config, const FieldWords& fields);

// Sets up to three of the fields to plausible values: an option, a flag, or a small number.
Config likely_config(Random& random, Config config, const FieldWords& fields);

// No number in it is NaN or ∞, except the sizes of vocabularies, which a task replaces.
bool is_finite(const Config& config);

}  // namespace unroll
