// The engine's floating-point type: float, or double in the build that checks gradients.
#pragma once

namespace unroll {

#ifdef UNROLL_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif

}  // namespace unroll
