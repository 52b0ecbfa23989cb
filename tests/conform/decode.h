// Decoding cases: what a sequence-to-sequence model writes for one source.
#pragma once

#include "tests/conform/case.h"

namespace unroll::conform {

void check_decoding(const Json& test, Findings& findings);

}  // namespace unroll::conform
