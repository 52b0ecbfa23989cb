// Decoding cases: the output of a sequence-to-sequence model for one source.
#pragma once

#include "tests/conform/case.h"

namespace unroll::conform {

void check_decoding(const Json& test, Findings& findings);

}  // namespace unroll::conform
