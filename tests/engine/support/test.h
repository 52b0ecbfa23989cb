// Included by every engine test, and only there: it has a using-directive for the engine's namespace.
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

using Text = std::string;
constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();

// Records everything computed during its lifetime.
struct LiveTape : Tape {
  using Tape::Tape;
  RecordingGuard recording{this};
};

}  // namespace unroll

using namespace unroll;

// The sentence that refuses an expression: REFUSAL(shape, matmul(a, b)).
#define REFUSAL(code, ...) refusal(ErrorCode::code, [&] { __VA_ARGS__; })
