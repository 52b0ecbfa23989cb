// decode: greedy decoding, beam search, and the exhaustive ranking of all sequences.
#include "tests/conform/decode.h"

#include <algorithm>
#include <cmath>

#include "engine/generate/beam_search.h"
#include "engine/nn/tokens.h"
#include "tests/conform/compare.h"
#include "tests/conform/seq2seq.h"

namespace unroll::conform {
namespace {

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

}  // namespace

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

}  // namespace unroll::conform
