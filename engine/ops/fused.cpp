// When fused kernels run; the kernels are in the files fused_….cpp.
#include "engine/ops/fused.h"

#include "engine/autograd/tape.h"

namespace unroll::fused {

bool runs() {
#ifdef UNROLL_DOUBLE
  return false;
#else
  return !Tape::live() || !Tape::live()->tracing();
#endif
}

}  // namespace unroll::fused
