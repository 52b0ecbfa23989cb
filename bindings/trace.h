// A finished tape as plain data, for the page to step through.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/autograd/tape.h"

namespace unroll {

// In two arrays, which cross to another thread in a fraction of the time that objects take. A node's id is its place in
// the order of execution.
struct TraceColumns {
  std::vector<int> numbers;
  std::string texts;  // each once, with a line break after each; none has one
};

TraceColumns columns_of(const Tape& tape);

// Of everything that a trace tells: one with other values has the same.
std::uint64_t fingerprint(const TraceColumns& columns);

std::vector<float> floats(const Tensor& tensor);

// exp of the values of a node; throws Error(input) if one of them is above 0 and thus no log-probability.
std::vector<float> probabilities_of(const Node& node);

// "α[2, 0]" for a flat index; the name alone if the trace has no such value.
std::string value_at(const Tape& tape, const std::string& name, int index);

}  // namespace unroll
