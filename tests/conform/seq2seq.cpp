// The engine's complete model, from its configuration, with the parameters of the case; and what it writes: by greedy
// decoding, by beam search, and the exhaustive ranking of all sequences.
#include "engine/models/seq2seq.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/generate/beam_search.h"
#include "engine/nn/tokens.h"
#include "tests/conform/case.h"

namespace unroll::conform {
namespace {

// The engine's names for the parameters of a case, whose networks have one layer.
std::map<std::string, std::string> all_engine_names() {
  std::map<std::string, std::string> names = {{"src_emb.weight", "source_embedding.weight"},
                                              {"tgt_emb.weight", "target_embedding.weight"},
                                              {"init.weight", "init.0.weight"},
                                              {"init.bias", "init.0.bias"},
                                              {"Wq", "attention.W"},
                                              {"Uk", "attention.U"},
                                              {"ba", "attention.b"},
                                              {"va", "attention.v"},
                                              {"Wa", "attention.W"},
                                              {"Wc.weight", "W_c.weight"},
                                              {"out.weight", "out.weight"},
                                              {"out.bias", "out.bias"}};
  for (const auto& [letter, member] :
       {std::pair{"W", "weight_ih"}, {"U", "weight_hh"}, {"b", "bias_ih"}, {"c", "bias_hh"}})
    for (const std::string direction : {"", "_reverse"}) {
      names["enc." + std::string(member) + "_l0" + direction] = "encoder.0" + direction + "." + letter;
      names["dec." + std::string(member) + "_l0" + direction] = "decoder.0" + direction + "." + letter;
    }
  return names;
}

Config config_of(const Arguments& a) {
  static const std::map<std::string, std::string> cells = {{"RNN", "rnn"}, {"GRU", "gru"}, {"LSTM", "lstm"}};
  const std::string attention = a.option<std::string>("attention", "plain");
  Config config = {{"kind", "seq2seq"},
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
  static const std::map<std::string, std::string> names = all_engine_names();
  return model.parameters().find(names.at(name))->value;
}

Tensor encoder_states(Seq2Seq& model) {
  Tape trace(Tape::Detail::trace);
  RecordingGuard recording(&trace);
  model.loss();
  return trace.nodes()[trace.find("encoder/h")].value;
}

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

// Under teacher forcing.
CASES(seq2seq) {
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

using Ids = std::vector<int>;

// Tokens including <eos>, as in the cases.
struct Sequence {
  Ids tokens;
  double log_probability = 0;
};

Sequence with_end(const DecodedSequence& decoded) {
  Sequence sequence{decoded.tokens, decoded.log_probability()};
  if (decoded.ended) sequence.tokens.push_back(eos_id);
  return sequence;
}

std::string text_of(const Ids& tokens) { return Json(tokens).dump(); }

// The open prefixes of one length, and the generator's state rows for them.
struct Frontier {
  std::vector<Sequence> open;
  GeneratorState state;
};

// All sequences, by increasing length.
std::vector<Sequence> all_sequences(Generator& writer, const Tensor& source, int max_length) {
  std::vector<Sequence> all;
  Frontier at{{{}}, writer.start(source)};
  for (int length = 1; length <= max_length; ++length) {
    Tensor last({static_cast<int>(at.open.size())});
    std::ranges::transform(at.open, last.data(), [](const Sequence& each) {
      return static_cast<Scalar>(each.tokens.empty() ? bos_id : each.tokens.back());
    });
    const Tensor log_p = next_token(writer, last, at.state).log_p;
    std::vector<Sequence> open;
    std::vector<int> rows;
    const int V = log_p.shape()[1];
    for (std::size_t row = 0; row < at.open.size(); ++row)
      for (int token = 0; token < V; ++token) {
        Sequence next = at.open[row];
        next.tokens.push_back(token);
        next.log_probability += static_cast<double>(log_p.data()[row * static_cast<std::size_t>(V) + token]);
        const bool whole = token == eos_id || length == max_length;
        (whole ? all : open).push_back(next);
        if (!whole) rows.push_back(static_cast<int>(row));
      }
    at = {open, at.state.select(rows)};
  }
  std::ranges::stable_sort(all, std::greater(), &Sequence::log_probability);
  return all;
}

struct DecodeCase {
  const Json& test;
  Findings& findings;

  void compare_sequence(const std::string& name, const Sequence& actual, const Json& tokens,
                        const Json& log_probability) const {
    if (actual.tokens != tokens.get<Ids>())
      findings.push_back(name + " is " + text_of(actual.tokens) + ", expected " + tokens.dump());
    compare(name + " logprob", actual.log_probability, log_probability.get<double>(),
            stated_tolerance(test, "outputs", name), findings);
  }

  // The cases list some of all sequences, best first.
  void compare_ranking(const std::vector<Sequence>& all, const Json& outputs) const {
    const Json& best = outputs.at("best");
    for (std::size_t i = 0; i < best.size() && i < all.size(); ++i)
      compare_sequence("sequence " + std::to_string(i), all[i], best[i].at("tokens"), best[i].at("logprob"));
    if (all.size() != outputs.at("sequences").get<std::size_t>())
      findings.push_back("there are " + std::to_string(all.size()) + " sequences, expected " +
                         outputs.at("sequences").dump());
    double together = 0;
    for (const Sequence& each : all) together += std::exp(each.log_probability);
    compare("probability of all sequences", together, 1, absolute(1e-5), findings);
  }
};

void check_decoding(const Json& test, Findings& findings) {
  const Arguments a(test);
  if (a.option("bos", bos_id) != bos_id || a.option("eos", eos_id) != eos_id)
    throw Skip("in the engine <bos> is " + std::to_string(bos_id) + " and <eos> " + std::to_string(eos_id));
  Seq2Seq model = seq2seq_model(a);
  const Tensor& source = a.input("src");
  const int max_length = a.option("max_len", 0), V = model.options().decoder.vocabulary;
  const Json& outputs = test.at("outputs");
  const DecodeCase expected{test, findings};

  expected.compare_sequence("greedy", with_end(greedy_decode(model, source, max_length)[0]), outputs.at("greedy"),
                            outputs.at("greedy_logprob"));
  const BeamResult found =
      beam_search(model, source, {.width = std::min(V * V * V, max_beam_width), .max_length = max_length});
  const Json& best = outputs.at("best").at(0);
  expected.compare_sequence("beam search", with_end(found.hypotheses.at(0).sequence), best.at("tokens"),
                            best.at("logprob"));
  expected.compare_ranking(all_sequences(model, source, max_length), outputs);
}

const Kind decode("decode", check_decoding);

}  // namespace
}  // namespace unroll::conform
