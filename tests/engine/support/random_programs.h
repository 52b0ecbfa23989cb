// Random programs of the learner's language that run: each value fits where it is used, and no operation is given what
// it is not defined for.
#pragma once

#include <cstdint>
#include <string>

namespace unroll {

// A program of one to four functions, whose last takes two or three tensors by default and returns several. All that it
// computes goes into what it returns. The same seed gives the same text everywhere.
std::string random_program(std::uint64_t seed);

}  // namespace unroll
