// What every test of the engine begins with; nothing else may include it, for the names of the engine stand bare in it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/autograd/backward.h"
#include "engine/autograd/tape.h"
#include "engine/kernels/random.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"
#include "tests/engine/support/expect.h"
#include "tests/engine/support/samples.h"

namespace unroll {

using Text = std::string;  // for a Config, in which a literal would be a flag
constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();

// What is computed as long as it lives is on it.
struct LiveTape : Tape {
  using Tape::Tape;
  RecordingGuard recording{this};
};

}  // namespace unroll

using namespace unroll;

// The sentence with which an expression is refused: REFUSAL(shape, matmul(a, b)).
#define REFUSAL(code, ...) refusal(ErrorCode::code, [&] { __VA_ARGS__; })
