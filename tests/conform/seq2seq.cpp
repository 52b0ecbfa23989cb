// seq2seq: the engine's complete model, from its configuration, with the parameters of the case.
#include "tests/conform/seq2seq.h"

#include <algorithm>

#include "engine/autograd/tape.h"

namespace unroll::conform {
namespace {

// The engine's name for a parameter of the case, whose networks have one layer.
const std::map<std::string, std::string> engine_names = {
    {"src_emb.weight", "source_embedding.weight"},
    {"tgt_emb.weight", "target_embedding.weight"},
    {"enc.weight_ih_l0", "encoder.0.W"},
    {"enc.weight_hh_l0", "encoder.0.U"},
    {"enc.bias_ih_l0", "encoder.0.b"},
    {"enc.bias_hh_l0", "encoder.0.c"},
    {"enc.weight_ih_l0_reverse", "encoder.0_reverse.W"},
    {"enc.weight_hh_l0_reverse", "encoder.0_reverse.U"},
    {"enc.bias_ih_l0_reverse", "encoder.0_reverse.b"},
    {"enc.bias_hh_l0_reverse", "encoder.0_reverse.c"},
    {"dec.weight_ih_l0", "decoder.0.W"},
    {"dec.weight_hh_l0", "decoder.0.U"},
    {"dec.bias_ih_l0", "decoder.0.b"},
    {"dec.bias_hh_l0", "decoder.0.c"},
    {"init.weight", "init.0.weight"},
    {"init.bias", "init.0.bias"},
    {"Wq", "attention.W"},
    {"Uk", "attention.U"},
    {"ba", "attention.b"},
    {"va", "attention.v"},
    {"Wa", "attention.W"},
    {"Wc.weight", "W_c.weight"},
    {"out.weight", "out.weight"},
    {"out.bias", "out.bias"},
};

Config config_of(const Arguments& a) {
  static const std::map<std::string, std::string> cells = {{"RNN", "rnn"}, {"GRU", "gru"}, {"LSTM", "lstm"}};
  const std::string attention = a.option<std::string>("attention", "plain");
  Config config = {{"kind", std::string("seq2seq")},
                   {"cell", cells.at(a.option<std::string>("cell", ""))},
                   {"attention", attention == "plain" ? std::string("none") : attention},
                   {"bidirectional", bool(a.optional_param("enc.weight_ih_l0_reverse"))},
                   {"source_vocabulary", a.option("src_vocab", 0.0)},
                   {"target_vocabulary", a.option("tgt_vocab", 0.0)},
                   {"embedding", a.option("emb", 0.0)},
                   {"hidden", a.option("hidden", 0.0)}};
  if (const Tensor v = a.optional_param("va")) config.set("attention_size", static_cast<double>(v.size()));
  return config;
}

const Tensor& parameter_for(const Seq2Seq& model, const std::string& name) {
  return model.parameters().find(engine_names.at(name))->value;
}

Tensor encoder_states(Seq2Seq& model) {
  Tape trace(Tape::Detail::trace);
  RecordingGuard recording(&trace);
  model.loss();
  return trace.nodes()[trace.find("encoder/h")].value;
}

}  // namespace

Seq2Seq seq2seq_model(const Arguments& a) {
  Seq2Seq model(config_of(a));
  if (a.params().size() != model.parameters().all().size())
    throw std::runtime_error("it has other parameters than the model of its configuration");
  for (const auto& [name, value] : a.params()) {
    const Tensor& own = parameter_for(model, name);
    if (own.shape() != value.shape()) throw std::runtime_error(name + " has another shape in the engine");
    std::ranges::copy(value.values(), own.data());
  }
  return model;
}

Results seq2seq(const Arguments& a) {
  Seq2Seq model = seq2seq_model(a);
  model.set_input("source", a.input("src"));
  model.set_input("target_in", a.input("tgt_in"));
  model.set_input("target_out", a.input("tgt_out"));
  const Tensor states = encoder_states(model);
  const Tensor loss = model.loss();
  // From here on the case's parameters are the model's tensors, so that they get the model's gradients.
  for (const auto& [name, value] : a.params()) value.set_mark(parameter_for(model, name).mark());
  Results results = {{"enc", states}, {"logits", model.output()}, {"loss", loss}};
  if (model.weights()) results.emplace("attention", model.weights());
  return results;
}

}  // namespace unroll::conform
