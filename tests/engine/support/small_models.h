// Small models of every kind, by the names that tests report. Requirements for all models are tested on each.
#pragma once

#include "engine/nn/attention/scores.h"
#include "engine/nn/recurrent/cell.h"
#include "tests/engine/support/models.h"

namespace unroll {

using SmallModels = std::map<std::string, Config>;

using Variants = std::initializer_list<std::pair<const char*, const char*>>;

// A model of this kind with the changes of each variant, named "kind: variant".
inline SmallModels variants_of(const std::string& kind, const char* base, const Variants& variants) {
  SmallModels models;
  for (const auto& [name, changes] : variants) models[kind + ": " + name] = with(with({{"kind", kind}}, base), changes);
  return models;
}

// A model of this kind for each value of a field, named "kind: value".
inline SmallModels one_for_each(const std::string& kind, const char* field, const std::vector<std::string>& values) {
  SmallModels models;
  for (const std::string& value : values) models[kind + ": " + value] = {{"kind", kind}, {field, value}};
  return models;
}

inline SmallModels small_attention_layers() {
  return variants_of("attention_layer", "heads=2",
                     {
                         {"linear", "form=linear"},
                         {"blocks, causal", "form=blocks mask=causal"},
                         {"learned positions", "positions=learned"},
                         {"two sequences", "source_words=3 output_projection=true"},
                         {"nothing projected", "projections=none"},
                     });
}

inline SmallModels small_recurrents() {
  return variants_of(
      "recurrent", "",
      {{"two layers", "layers=2"}, {"bidirectional", "bidirectional=true"}, {"attention", "attention=true"}});
}

// Every wiring of encoder, attention and decoder.
inline SmallModels small_seq2seqs() {
  return variants_of(
      "seq2seq", "embedding=5 hidden=6 attention_size=4 source_vocabulary=9 target_vocabulary=8",
      {
          {"first state", "attention=none"},
          {"first state, lstm, two layers", "attention=none cell=lstm layers=2 forget_bias=1"},
          {"first state, bidirectional", "attention=none bidirectional=true"},
          {"first state, reversed", "attention=none reverse_source=true"},
          {"every step", "attention=none context=every_step cell=rnn"},
          {"every step, bidirectional", "attention=none context=every_step bidirectional=true"},
          {"bahdanau", ""},
          {"bahdanau, lstm, two layers", "cell=lstm layers=2"},
          {"bahdanau, one direction", "bidirectional=false score=general"},
          {"bahdanau, projected", "project_keys=tanh project_queries=linear project_values=linear score=dot"},
          {"bahdanau, through relu and sigmoid", "project_keys=relu project_queries=sigmoid score=dot"},
          {"luong", "attention=luong cell=lstm"},
          {"luong, no input feeding", "attention=luong input_feeding=false"},
          {"luong, local-m", "attention=luong window=local_m half_width=1"},
          {"luong, local-p", "attention=luong window=local_p half_width=2"},
          {"luong, location, bidirectional", "attention=luong score=location bidirectional=true"},
      });
}

// With source_vocabulary 9 and target_vocabulary 8, as small_seq2seqs.
inline SmallModels small_transformers() {
  return variants_of("transformer", "model_size=8 heads=2 feed_forward=11 source_vocabulary=9 target_vocabulary=8",
                     {
                         {"pre-norm", ""},
                         {"two layers, post-norm", "layers=2 norm_place=post"},
                         {"rms, swiglu, rotary", "norm=rms activation=swiglu positions=rotary"},
                         {"alibi, one head of keys", "positions=alibi key_value_heads=1"},
                         {"learned positions, tied", "positions=learned longest=7 tied_embedding=true"},
                         {"no positions, gelu", "positions=none activation=gelu layers=2"},
                         {"index, smoothed", "positions=index label_smoothing=0.1"},
                         {"dropout", "dropout=0.5 layers=2"},
                     });
}

inline SmallModels small_transformer_lms() {
  SmallModels models =
      variants_of("transformer_lm", "model_size=12 heads=3 feed_forward=20 layers=2 vocabulary=11",
                  {
                      {"pre-norm", ""},
                      {"gpt", "activation=gelu"},
                      {"gpt, dropout", "activation=gelu layers=3 dropout=0.5"},
                      {"post-norm, gelu", "norm_place=post activation=gelu"},
                      {"rms, swiglu, untied", "norm=rms activation=swiglu tied_embedding=false"},
                      {"grouped heads, dropout", "model_size=16 heads=4 key_value_heads=2 dropout=0.5"},
                      {"one layer, one head, post-norm, rms", "layers=1 heads=1 norm_place=post norm=rms"},
                  });
  const Config base = models.at("transformer_lm: pre-norm");
  for (const std::string positions : {"none", "index", "learned", "alibi", "rotary"})
    for (const double heads : {3.0, 1.0})
      models["transformer_lm: " + positions + ", heads of keys: " + std::to_string(int(heads))] =
          with(base, {{"positions", positions}, {"key_value_heads", heads}});
  return models;
}

inline SmallModels small_recurrent_lms() {
  return variants_of("language_model", "embedding=5 hidden=6 attention_size=4 vocabulary=8",
                     {
                         {"gru", ""},
                         {"lstm, two layers", "cell=lstm layers=2"},
                         {"location", "score=location"},
                         {"rnn, no attention", "attention=false cell=rnn"},
                     });
}

inline SmallModels small_captioners() {
  return variants_of("captioner", "channels=8 embedding=5 hidden=6 attention_size=4 target_vocabulary=9",
                     {
                         {"gru", ""},
                         {"lstm", "cell=lstm"},
                         {"general", "score=general"},
                         {"attention over the grid", "grid_attention=true"},
                     });
}

inline SmallModels small_unigrams() { return variants_of("unigram", "", {{"zero-one loss", "loss=zero_one"}}); }

// Every registered kind with its defaults, and all the variants above.
inline SmallModels small_models() {
  SmallModels all;
  for (const std::string& kind : model_kinds()) all[kind] = {{"kind", kind}};
  for (SmallModels some :
       {one_for_each("attention", "score", score_kinds()), small_attention_layers(),
        one_for_each("recurrent", "cell", cell_kinds()), small_recurrents(), small_seq2seqs(), small_transformers(),
        small_transformer_lms(), small_recurrent_lms(), small_captioners(), small_unigrams()})
    all.merge(some);
  return all;
}

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
    const std::unique_ptr<Model> model = model_on_batch(config);
    check(*model, config);
  });
}

}  // namespace unroll
