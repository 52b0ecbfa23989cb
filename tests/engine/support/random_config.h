// Small configurations of every kind of model, some fields of which hold anything. Shared by tests and fuzzers.
#pragma once

#include <map>
#include <string>

#include "engine/kernels/random.h"
#include "engine/models/config.h"
#include "tests/engine/support/refused_fields.h"

namespace unroll {

// The fields of a kind, each with the words it takes.
using FieldWords = std::map<std::string, Words>;

// A configuration of this kind, with pairs or a text of its own if it learns a task.
Config small_config(const std::string& kind);

// The fields of such a configuration and their words. The learner's own data is left out.
FieldWords fields_and_words(const Refusal& refusal, const Config& config);

double any_number(Random& random);

// With one to three of the fields, and sometimes an unknown one, set to anything: a number of any size, a flag, a list,
// or a text, which half of the time is a word that the field takes.
Config any_config(Random& random, Config config, const FieldWords& fields);

// With up to three of the fields set to what they may well take: a word, a flag, or a small number.
Config likely_config(Random& random, Config config, const FieldWords& fields);

// No number in it is NaN or ∞, but for the sizes of vocabularies: a task puts its own in their place.
bool is_finite(const Config& config);

}  // namespace unroll
