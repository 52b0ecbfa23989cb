// Comparing the engine's numbers with the expected ones.
#pragma once

#include <functional>
#include <string>

#include "tests/conform/case.h"

namespace unroll::conform {

// How far a value may be from the expected one.
using Tolerance = std::function<double(double expected)>;

Tolerance absolute(double atol);
Tolerance of_float32(double float32_error);  // max(10 · float32 error, 1e-6 · (1 + |value|))
Tolerance of_onnx();                         // 1e-7 + 1e-3 · |value|

// The tolerance a case states for a number of `group` ("outputs" or "grads"): its atol, or its f32_err.
Tolerance stated_tolerance(const Json& test, const std::string& group, const std::string& name);

// Adds a finding for a wrong shape, or for the value that is farthest outside its tolerance.
void compare(const std::string& name, const Tensor& actual, const Json& expected, const Tolerance& tolerance,
             Findings& findings);
void compare(const std::string& name, double actual, double expected, const Tolerance& tolerance, Findings& findings);

// Compares each expected output with the result of the same name.
void compare_outputs(const Json& test, const Results& results, Findings& findings);

}  // namespace unroll::conform
