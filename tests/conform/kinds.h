// Which operation each kind of case runs.
#pragma once

#include "tests/conform/case.h"

namespace unroll::conform {

// Runs a case and adds what is wrong to the findings. Throws Skip where the engine cannot run it yet, another exception
// where the case makes no sense.
void run_case(const Json& test, Findings& findings);

}  // namespace unroll::conform
