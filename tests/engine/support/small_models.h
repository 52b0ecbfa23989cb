// Small models of every kind, by the names that tests report. Requirements for all models are tested on each.
#pragma once

#include "tests/engine/support/models.h"

namespace unroll {

using SmallModels = std::map<std::string, Config>;

// Every registered kind with its defaults, and all the variants below.
SmallModels small_models();

SmallModels small_attentions();  // one for each score function
SmallModels small_attention_layers();
SmallModels small_recurrents();
SmallModels small_seq2seqs();      // every wiring of encoder, attention and decoder
SmallModels small_transformers();  // with source_vocabulary 9 and target_vocabulary 8, as small_seq2seqs
SmallModels small_transformer_lms();
SmallModels small_recurrent_lms();
SmallModels small_captioners();

}  // namespace unroll
