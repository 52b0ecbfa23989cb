// Small models of every kind, by the names that tests report. Requirements for all models are tested on each.
#pragma once

#include "tests/engine/support/models.h"

namespace unroll {

using SmallModels = std::map<std::string, Config>;

// Every registered kind with its defaults, and all the variants below.
SmallModels small_models();

SmallModels small_seq2seqs();      // every wiring of encoder, attention and decoder
SmallModels small_transformers();  // with source_vocabulary 9 and target_vocabulary 8, as small_seq2seqs
SmallModels small_transformer_lms();
SmallModels small_recurrent_lms();
SmallModels small_captioners();

// Calls `check` for each; a failure says the name.
inline void for_each(const SmallModels& models, const std::function<void(const Config&, const Text& name)>& check) {
  for (const auto& each : models) {
    CAPTURE(each.first);
    check(each.second, each.first);
  }
}

// The same with the model, on the batch.
using CheckModel = std::function<void(Model&, const Config&)>;
inline void for_each_model(const CheckModel& check) {
  for_each(small_models(), [&](const Config& config, const Text&) {
    const std::unique_ptr<Model> model = make_model(config);
    set_batch(*model);
    check(*model, config);
  });
}

}  // namespace unroll
