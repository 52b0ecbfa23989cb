// Every wiring of a sequence-to-sequence model, small, with the names that tests report.
#pragma once

#include "tests/engine/support/models.h"

namespace unroll {

inline std::map<std::string, Config> seq2seq_wirings() {
  const Config small = {{"kind", Text("seq2seq")}, {"embedding", 5.0},         {"hidden", 6.0},
                        {"attention_size", 4.0},   {"source_vocabulary", 9.0}, {"target_vocabulary", 8.0}};
  const auto with = [&](const Fields& fields) { return unroll::with(small, fields); };
  return {
      {"first state", with({{"attention", Text("none")}})},
      {"first state, lstm, two layers",
       with({{"attention", Text("none")}, {"cell", Text("lstm")}, {"layers", 2.0}, {"forget_bias", 1.0}})},
      {"first state, bidirectional", with({{"attention", Text("none")}, {"bidirectional", true}})},
      {"first state, reversed", with({{"attention", Text("none")}, {"reverse_source", true}})},
      {"every step", with({{"attention", Text("none")}, {"context", Text("every_step")}, {"cell", Text("rnn")}})},
      {"every step, bidirectional",
       with({{"attention", Text("none")}, {"context", Text("every_step")}, {"bidirectional", true}})},
      {"bahdanau", with({})},
      {"bahdanau, lstm, two layers", with({{"cell", Text("lstm")}, {"layers", 2.0}})},
      {"bahdanau, one direction", with({{"bidirectional", false}, {"score", Text("general")}})},
      {"bahdanau, projected", with({{"project_keys", Text("tanh")},
                                    {"project_queries", Text("linear")},
                                    {"project_values", Text("linear")},
                                    {"score", Text("dot")}})},
      {"luong", with({{"attention", Text("luong")}, {"cell", Text("lstm")}})},
      {"luong, no input feeding", with({{"attention", Text("luong")}, {"input_feeding", false}})},
      {"luong, local-m", with({{"attention", Text("luong")}, {"window", Text("local_m")}, {"half_width", 1.0}})},
      {"luong, local-p", with({{"attention", Text("luong")}, {"window", Text("local_p")}, {"half_width", 2.0}})},
      {"luong, location, bidirectional",
       with({{"attention", Text("luong")}, {"score", Text("location")}, {"bidirectional", true}})},
  };
}

}  // namespace unroll
