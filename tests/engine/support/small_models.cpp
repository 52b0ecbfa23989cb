#include "tests/engine/support/small_models.h"

#include "engine/nn/attention/scores.h"
#include "engine/nn/recurrent/cell.h"

namespace unroll {
namespace {

using Variants = std::initializer_list<std::pair<const char*, Config>>;

// `base` with the changes of each variant, named "kind: variant".
SmallModels variants_of(const Config& base, const Variants& variants) {
  SmallModels models;
  for (const auto& [name, changes] : variants) models[*base.any_text("kind") + ": " + name] = with(base, changes);
  return models;
}

}  // namespace

SmallModels small_models() {
  SmallModels all;
  for (const std::string& kind : model_kinds()) all[kind] = {{"kind", kind}};
  for (SmallModels some : {small_attentions(), small_attention_layers(), small_recurrents(), small_seq2seqs(),
                           small_transformers(), small_transformer_lms(), small_recurrent_lms(), small_captioners()})
    all.merge(some);
  return all;
}

SmallModels small_attentions() {
  SmallModels models;
  for (const std::string& score : score_kinds())
    models["attention: " + score] = {{"kind", Text("attention")}, {"score", score}};
  return models;
}

SmallModels small_attention_layers() {
  return variants_of({{"kind", Text("attention_layer")}, {"heads", 2.0}},
                     {
                         {"linear", {{"form", Text("linear")}}},
                         {"blocks, causal", {{"form", Text("blocks")}, {"mask", Text("causal")}}},
                         {"learned positions", {{"positions", Text("learned")}}},
                         {"two sequences", {{"source_words", 3.0}, {"output_projection", true}}},
                         {"nothing projected", {{"projections", Text("none")}}},
                     });
}

SmallModels small_recurrents() {
  SmallModels models = variants_of({{"kind", Text("recurrent")}}, {
                                                                      {"two layers", {{"layers", 2.0}}},
                                                                      {"bidirectional", {{"bidirectional", true}}},
                                                                      {"attention", {{"attention", true}}},
                                                                  });
  for (const std::string& cell : cell_kinds())
    models["recurrent: " + cell] = {{"kind", Text("recurrent")}, {"cell", cell}};
  return models;
}

SmallModels small_seq2seqs() {
  const Text none = "none", luong = "luong", lstm = "lstm";
  return variants_of({{"kind", Text("seq2seq")},
                      {"embedding", 5.0},
                      {"hidden", 6.0},
                      {"attention_size", 4.0},
                      {"source_vocabulary", 9.0},
                      {"target_vocabulary", 8.0}},
                     {
                         {"first state", {{"attention", none}}},
                         {"first state, lstm, two layers",
                          {{"attention", none}, {"cell", lstm}, {"layers", 2.0}, {"forget_bias", 1.0}}},
                         {"first state, bidirectional", {{"attention", none}, {"bidirectional", true}}},
                         {"first state, reversed", {{"attention", none}, {"reverse_source", true}}},
                         {"every step", {{"attention", none}, {"context", Text("every_step")}, {"cell", Text("rnn")}}},
                         {"every step, bidirectional",
                          {{"attention", none}, {"context", Text("every_step")}, {"bidirectional", true}}},
                         {"bahdanau", {}},
                         {"bahdanau, lstm, two layers", {{"cell", lstm}, {"layers", 2.0}}},
                         {"bahdanau, one direction", {{"bidirectional", false}, {"score", Text("general")}}},
                         {"bahdanau, projected",
                          {{"project_keys", Text("tanh")},
                           {"project_queries", Text("linear")},
                           {"project_values", Text("linear")},
                           {"score", Text("dot")}}},
                         {"luong", {{"attention", luong}, {"cell", lstm}}},
                         {"luong, no input feeding", {{"attention", luong}, {"input_feeding", false}}},
                         {"luong, local-m", {{"attention", luong}, {"window", Text("local_m")}, {"half_width", 1.0}}},
                         {"luong, local-p", {{"attention", luong}, {"window", Text("local_p")}, {"half_width", 2.0}}},
                         {"luong, location, bidirectional",
                          {{"attention", luong}, {"score", Text("location")}, {"bidirectional", true}}},
                     });
}

SmallModels small_transformers() {
  return variants_of(
      {{"kind", Text("transformer")},
       {"model_size", 8.0},
       {"heads", 2.0},
       {"feed_forward", 11.0},
       {"source_vocabulary", 9.0},
       {"target_vocabulary", 8.0}},
      {
          {"pre-norm", {}},
          {"two layers, post-norm", {{"layers", 2.0}, {"norm_place", Text("post")}}},
          {"rms, swiglu, rotary",
           {{"norm", Text("rms")}, {"activation", Text("swiglu")}, {"positions", Text("rotary")}}},
          {"alibi, one head of keys", {{"positions", Text("alibi")}, {"key_value_heads", 1.0}}},
          {"learned positions, tied", {{"positions", Text("learned")}, {"longest", 7.0}, {"tied_embedding", true}}},
          {"no positions, gelu", {{"positions", Text("none")}, {"activation", Text("gelu")}, {"layers", 2.0}}},
          {"index, smoothed", {{"positions", Text("index")}, {"label_smoothing", 0.1}}},
          {"dropout", {{"dropout", 0.5}, {"layers", 2.0}}},
      });
}

SmallModels small_transformer_lms() {
  const Text post = "post", rms = "rms";
  SmallModels models = variants_of(
      {{"kind", Text("transformer_lm")},
       {"model_size", 12.0},
       {"heads", 3.0},
       {"feed_forward", 20.0},
       {"layers", 2.0},
       {"vocabulary", 11.0}},
      {
          {"pre-norm", {}},
          {"gpt", {{"activation", Text("gelu")}}},
          {"gpt, dropout", {{"activation", Text("gelu")}, {"layers", 3.0}, {"dropout", 0.5}}},
          {"post-norm, gelu", {{"norm_place", post}, {"activation", Text("gelu")}}},
          {"rms, swiglu, untied", {{"norm", rms}, {"activation", Text("swiglu")}, {"tied_embedding", false}}},
          {"grouped heads, dropout",
           {{"model_size", 16.0}, {"heads", 4.0}, {"key_value_heads", 2.0}, {"dropout", 0.5}}},
          {"one layer, one head, post-norm, rms",
           {{"layers", 1.0}, {"heads", 1.0}, {"norm_place", post}, {"norm", rms}}},
      });
  const Config base = models.at("transformer_lm: pre-norm");
  for (const Text positions : {"none", "index", "learned", "alibi", "rotary"})
    for (const double heads : {3.0, 1.0})
      models["transformer_lm: " + positions + ", heads of keys: " + std::to_string(int(heads))] =
          with(base, {{"positions", positions}, {"key_value_heads", heads}});
  return models;
}

SmallModels small_recurrent_lms() {
  return variants_of({{"kind", Text("language_model")},
                      {"embedding", 5.0},
                      {"hidden", 6.0},
                      {"attention_size", 4.0},
                      {"vocabulary", 8.0}},
                     {
                         {"gru", {}},
                         {"lstm, two layers", {{"cell", Text("lstm")}, {"layers", 2.0}}},
                         {"location", {{"score", Text("location")}}},
                         {"rnn, no attention", {{"attention", false}, {"cell", Text("rnn")}}},
                     });
}

SmallModels small_captioners() {
  return variants_of({{"kind", Text("captioner")},
                      {"channels", 8.0},
                      {"embedding", 5.0},
                      {"hidden", 6.0},
                      {"attention_size", 4.0},
                      {"target_vocabulary", 9.0}},
                     {
                         {"gru", {}},
                         {"lstm", {{"cell", Text("lstm")}}},
                         {"general", {{"score", Text("general")}}},
                         {"attention over the grid", {{"grid_attention", true}}},
                     });
}

}  // namespace unroll
