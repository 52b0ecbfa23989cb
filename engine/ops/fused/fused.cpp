// When fused kernels run; the kernels are in the other files of this directory.
#include "engine/ops/fused/fused.h"

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
