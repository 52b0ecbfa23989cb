// Checkpoints: a training run as bytes. A resumed run continues as if it had never stopped.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/models/model.h"
#include "engine/train/optimiser.h"

namespace unroll {

// Parameters by name, and the optimiser's kind, state and step count, as a safetensors file.
std::vector<std::uint8_t> save_checkpoint(const Model& model, const Optimiser& optimiser);

// Throws Error(format) if the file is damaged or belongs to another model or optimiser; nothing is then changed.
void restore_checkpoint(std::span<const std::uint8_t> bytes, Model& model, Optimiser& optimiser);

// Continues the training of another model as far as it fits: copies the parameters that have the same name and shape
// here, their part of the optimiser's state if that is of the same kind, and the step count. Throws Error(format) if
// the file is damaged.
struct CarriedOver {
  std::vector<std::string> kept, drawn;  // parameters of this model: those that were copied, and the others
  std::vector<std::string> dropped;      // parameters of the file that were not
};
CarriedOver carry_over(std::span<const std::uint8_t> bytes, Model& model, Optimiser& optimiser);

}  // namespace unroll
