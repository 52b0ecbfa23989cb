// Transformers of every kind, small, with the names that tests report.
#pragma once

#include "tests/engine/support/models.h"

namespace unroll {

inline std::map<std::string, Config> small_transformers() {
  const Config small = {{"kind", Text("transformer")}, {"model_size", 8.0},        {"heads", 2.0},
                        {"feed_forward", 11.0},        {"source_vocabulary", 9.0}, {"target_vocabulary", 8.0}};
  const auto with = [&](const Fields& fields) { return unroll::with(small, fields); };
  return {
      {"as it is", with({})},
      {"two layers, post-norm", with({{"layers", 2.0}, {"norm_place", Text("post")}})},
      {"rms, swiglu, rotary",
       with({{"norm", Text("rms")}, {"activation", Text("swiglu")}, {"positions", Text("rotary")}})},
      {"alibi, one head of keys", with({{"positions", Text("alibi")}, {"key_value_heads", 1.0}})},
      {"learned positions, tied", with({{"positions", Text("learned")}, {"longest", 7.0}, {"tied_embedding", true}})},
      {"no positions, gelu", with({{"positions", Text("none")}, {"activation", Text("gelu")}, {"layers", 2.0}})},
      {"index, smoothed", with({{"positions", Text("index")}, {"label_smoothing", 0.1}})},
      {"dropout", with({{"dropout", 0.5}, {"layers", 2.0}})},
  };
}

}  // namespace unroll
