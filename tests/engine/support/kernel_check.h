// A kernel of engine/ops/fused/fused.h runs in training, its composite in tracing: both must give the same values and
// gradients, bit for bit.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/engine/support/samples.h"

namespace unroll {

using Tensors = std::vector<Tensor>;

// From inputs to any number of results.
using Function = std::function<Tensors(const Tensors&)>;

// Whether the sign of a zero counts. Some composites add zeros where the kernel adds nothing.
enum class Zeros { of_either_sign, of_same_sign };

// Runs f with the kernel and as a composite, and compares its results and the gradients of all inputs.
void check_kernel(const std::string& kernel, const Function& f, const Tensors& inputs, Samples& random,
                  Zeros zeros = Zeros::of_either_sign);

// The same for y of the first input, with other uses of the input before and after, zeros among its values, and zeros
// of both signs in the gradients.
void check_kernel_in_company(const std::string& kernel, const std::function<Tensor(const Tensors&)>& y,
                             const Tensors& inputs, Samples& random);

// Whether a step of training f runs the kernel.
bool trains_with(const std::string& kernel, const Function& f, const Tensors& inputs);

// for 24 seeds
void for_seeds(const std::function<void(Samples&)>& job);

}  // namespace unroll
