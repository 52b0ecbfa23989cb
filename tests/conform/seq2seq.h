// Sequence-to-sequence cases as the engine's models.
#pragma once

#include "engine/models/seq2seq.h"
#include "tests/conform/case.h"

namespace unroll::conform {

// The model that a case describes, with the case's parameters.
Seq2Seq seq2seq_model(const Arguments& arguments);

// Loss, logits, attention weights and encoder states under teacher forcing.
Results seq2seq(const Arguments& arguments);

}  // namespace unroll::conform
