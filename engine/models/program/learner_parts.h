// A function of the learner as a part of a model.
#pragma once

#include <memory>

#include "engine/models/config.h"
#include "engine/nn/parameters.h"
#include "engine/nn/parts.h"

namespace unroll {

// Config: part (score, attention, cell, positions, norm, feed_forward or block) and program, the text whose last
// function replaces the built-in one, everywhere in the model:
//   score(Q (B, T, K), K (B, S, K)) → (B, T, S)
//   attend(Q (B, T, K), K (B, S, K), V (B, S, size), mask) → (B, T, size), or a tuple of it and the weights (B, T, S).
//     The mask is (1 or B, 1 or T, S), and 0 where nothing is hidden. Heads are part of the batch.
//   cell(x (B, X), h (B, H)) → (B, H), the new h
//   positions(T, D) → (T, D), which is added to the words
//   norm(x (B, T, D)), feed_forward(x) and block(x, mask) → (B, T, D); a block of an encoder or a language model
// Each place has parameters of its own: parameter("γ", …) is decoder.0.norm1.γ in one and decoder.0.norm2.γ in another.
// They are found in two runs on small inputs, before the model is used.
//
// nullptr if config has no part. Throws Error(config) for a part that this kind of model does not take, Error(program)
// for a text that is no program or whose function does not fit its place. The result may not outlive `parameters`.
std::unique_ptr<const Parts> learner_parts(const Config& config, Parameters& parameters);

// Throws Error(config) as above; does nothing if config has no part.
void check_part(const Config& config);

}  // namespace unroll
