// Which operation each kind of case runs.
#pragma once

#include "tests/conform/case.h"

namespace unroll::conform {

// Runs a case and adds its failures to the findings. Throws Skip if the engine cannot run it yet, another exception if
// the case is invalid.
void run_case(const Json& test, Findings& findings);

}  // namespace unroll::conform
