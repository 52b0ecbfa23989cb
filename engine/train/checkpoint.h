// A training run as bytes: go on from them and it is as if it had never stopped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/models/model.h"
#include "engine/train/optimiser.h"

namespace unroll {

// Parameters under their names, the optimiser's kind, state and step count, as a safetensors file.
std::vector<std::uint8_t> save_checkpoint(const Model& model, const Optimiser& optimiser);

// Throws Error(format) when the file is damaged or belongs to another model or optimiser; nothing is changed then.
void restore_checkpoint(std::span<const std::uint8_t> bytes, Model& model, Optimiser& optimiser);

}  // namespace unroll
