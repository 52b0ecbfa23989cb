#include "engine/generate/decoding.h"

#include "engine/generate/beam_search.h"
#include "engine/generate/sampling.h"
#include "engine/models/model.h"
#include "tests/engine/support/test.h"
#include "tests/engine/train/chain.h"

namespace {

using Ids = std::vector<int>;

// 3 → 4 → 3 → 4 … forever.
Tensor endless() {
  Tensor table = Tensor::full({5, 5}, 0.2);
  for (const auto& [from, to] : {std::pair{1, 3}, {3, 4}, {4, 3}}) {
    for (int next = 0; next < 5; ++next) table.data()[from * 5 + next] = next == to ? 0.6 : 0.1;
  }
  return table;
}

}  // namespace

TEST_CASE("greedy decoding writes the most probable token at each position") {
  Chain chain({trap()});
  const DecodedSequence written = greedy_decode(chain, tables_numbered({0}), 8)[0];
  CHECK(written.tokens == Ids{3});
  CHECK(written.ended);
  REQUIRE(written.log_probabilities.size() == 2);
  CHECK(written.log_probabilities[0] == doctest::Approx(std::log(0.5)));
  CHECK(written.log_probabilities[1] == doctest::Approx(std::log(0.35)));
  CHECK(written.log_probability() == doctest::Approx(std::log(0.175)));
}

TEST_CASE("decoding keeps its attention weights, a row for each token and for <eos>") {
  Chain chain({trap()});
  const DecodedSequence written = greedy_decode(chain, tables_numbered({0}), 8)[0];
  CHECK(written.weights == std::vector<std::vector<Scalar>>{{0, 1, 0, 0, 0}, {0, 0, 0, 1, 0}});
}

TEST_CASE("decoding stops at the length limit, and as soon as every row has ended") {
  Chain chain({trap(), endless()});
  const auto both = greedy_decode(chain, tables_numbered({0, 1}), 5);
  CHECK(chain.positions == 5);
  CHECK(both[0].tokens == Ids{3});
  CHECK(both[0].log_probabilities.size() == 2);
  CHECK(both[1].tokens == Ids{3, 4, 3, 4, 3});
  CHECK(both[1].log_probabilities.size() == 5);
  CHECK_FALSE(both[1].ended);

  chain.positions = 0;
  greedy_decode(chain, tables_numbered({0, 0}), 5);
  CHECK(chain.positions == 2);
}

TEST_CASE("a row is decoded as if it were alone") {
  const std::vector<Tensor> tables = {random_table(7, 1), random_table(7, 2), random_table(7, 3)};
  Chain chain(tables);
  const auto together = greedy_decode(chain, tables_numbered({0, 1, 2}), 6);
  for (const int row : {0, 1, 2}) {
    const DecodedSequence alone = greedy_decode(chain, tables_numbered({static_cast<Scalar>(row)}), 6)[0];
    CHECK(alone.tokens == together[row].tokens);
    CHECK(alone.log_probabilities == together[row].log_probabilities);
  }
}

TEST_CASE("among equally probable tokens greedy decoding takes the smaller id") {
  Tensor table = Tensor::full({5, 5}, 0.1);
  for (int from = 0; from < 5; ++from) table.data()[from * 5 + 3] = table.data()[from * 5 + 4] = 0.35;
  Chain chain({table});
  CHECK(greedy_decode(chain, tables_numbered({0}), 2)[0].tokens == Ids{3, 3});
}

TEST_CASE("forced decoding gives the log-probabilities of the given tokens") {
  Chain chain({trap()});
  const auto forced = forced_decode(chain, tables_numbered({0, 0}), Tensor({2, 3}, {4, 3, 2, 3, 2, 0}));
  CHECK(forced[0].tokens == Ids{4, 3});
  CHECK(forced[0].log_probability() == doctest::Approx(std::log(0.4 * 0.1 * 0.35)));
  CHECK(forced[1].tokens == Ids{3});
  CHECK(forced[1].log_probability() == doctest::Approx(std::log(0.175)));
  CHECK(forced[1].weights == std::vector<std::vector<Scalar>>{{0, 1, 0, 0, 0}, {0, 0, 0, 1, 0}});
  CHECK(REFUSAL(shape, forced_decode(chain, tables_numbered({0, 0}), Tensor({1, 2}, {4, 2}))) ==
        "target_out is (1, 2), source is (2, 1): give token ids as (rows, positions), with a row of target_out for "
        "each of source.");
}

TEST_CASE("a decoding run is a trace: each token depends on the one before") {
  Chain chain({endless()});
  LiveTape trace(Tape::Detail::trace);
  greedy_decode(chain, tables_numbered({0}), 2);
  for (const char* name : {"t0/log_p", "t0/token", "t1/log_p", "t1/token"}) CHECK(trace.find(name) >= 0);
  const Node& token = trace.nodes()[trace.find("t1/token")];
  int at = trace.edge(token, 0).node;
  CHECK(trace.nodes()[at].name == "t1/log_p");
  const int before = trace.find("t0/token");
  std::vector<bool> used(trace.nodes().size());
  for (used[at] = true; at > before; --at)
    for (int i = 0; used[at] && i < trace.nodes()[at].edges; ++i) used[trace.edge(trace.nodes()[at], i).node] = true;
  CHECK(used[before]);
}

TEST_CASE("the nodes of a decoding step are in the scope of its position, which is named once") {
  const Config models[] = {{{"kind", "seq2seq"}, {"layers", 2.0}, {"hidden", 5.0}, {"embedding", 4.0}},
                           {{"kind", "language_model"}, {"layers", 2.0}, {"hidden", 5.0}, {"embedding", 4.0}}};
  const std::vector<Text> names[] = {{"t2.decoder/s", "t2.decoder.0/h", "t2.decoder.attention/α", "t2.decoder/logits"},
                                     {"t2.network.0/h", "t2.network.1/h", "t2.attention/α", "t2/logits"}};
  for (int i = 0; i < 2; ++i) {
    const std::unique_ptr<Model> model = make_model(models[i]);
    LiveTape trace(Tape::Detail::trace);
    forced_decode(dynamic_cast<Generator&>(*model), Tensor({1, 3}, {4, 5, 6}), Tensor({1, 3}, {4, 5, 6}));
    for (const Text& name : names[i]) CHECK_MESSAGE(trace.find(name) >= 0, name);
    for (const Node& node : trace.nodes())
      if (node.name.starts_with("t2.")) CHECK_MESSAGE(node.name.find(".t") == Text::npos, node.name);
  }
}

TEST_CASE("decoding ends where the table of positions ends, whatever the length limit") {
  const Tensor source({1, 3}, {4, 5, 6});
  for (const auto& each : {std::pair{"transformer", 7}, {"transformer_lm", 4}}) {  // the second counts its prompt
    const auto& [kind, room] = each;
    int reached = 0;
    for (const double seed : {1, 2, 3, 4, 5, 6}) {
      CAPTURE(each.first);
      CAPTURE(seed);
      const std::unique_ptr<Model> model =
          make_model({{"kind", kind}, {"positions", "learned"}, {"longest", 7.0}, {"seed", seed}});
      Generator& writer = dynamic_cast<Generator&>(*model);
      const DecodedSequence greedy = greedy_decode(writer, source, 64)[0];
      CHECK(greedy.tokens == greedy_decode(writer, source, room)[0].tokens);
      reached += !greedy.ended && static_cast<int>(greedy.tokens.size()) == room;
      const DecodedSequence sampled = sample_decode(writer, source, 64, {}, 1)[0];
      CHECK(sampled.tokens == sample_decode(writer, source, room, {}, 1)[0].tokens);
      const BeamResult whole = beam_search(writer, source, {.length_normalisation = 1});
      const BeamResult cut = beam_search(writer, source, {.max_length = room, .length_normalisation = 1});
      CHECK(whole.hypotheses.at(0).score == cut.hypotheses.at(0).score);
      CHECK(whole.tree.size() == cut.tree.size());
    }
    CHECK(reached > 0);
  }
}

TEST_CASE("forced tokens are not cut off: if the model has no room for them, they are refused") {
  struct {
    Config config;
    int room;
  } const cases[] = {{{{"kind", "transformer"}, {"positions", "learned"}, {"longest", 7.0}}, 7},
                     {{{"kind", "transformer"}, {"positions", "rotary"}}, 64},
                     {{{"kind", "transformer_lm"}}, 61},
                     {{{"kind", "seq2seq"}}, 64}};
  for (const auto& each : cases) {
    const int room = each.room;
    const std::unique_ptr<Model> model = make_model(each.config);
    Generator& writer = dynamic_cast<Generator&>(*model);
    const Tensor source({1, 3}, {4, 5, 6});
    CHECK(forced_decode(writer, source, Tensor::full({1, room}, 4))[0].tokens.size() == std::size_t(room));
    CHECK(REFUSAL(shape, forced_decode(writer, source, Tensor::full({1, room + 1}, 4))) ==
          "target_out is (1, " + std::to_string(room + 1) + "), and the model has room for " + std::to_string(room) +
              " tokens after this source: use at most " + std::to_string(room) + ".");
  }
}

TEST_CASE("decoding refuses invalid lengths, sources and logits") {
  Chain chain({trap()});
  const auto decoded = [&](const Tensor& source, int max_length) {
    return [&chain, source, max_length] { greedy_decode(chain, source, max_length); };
  };
  CHECK(refusal(ErrorCode::config, decoded(tables_numbered({0}), 0)) == "max_length is 0: use 1 to 64 tokens.");
  CHECK(refusal(ErrorCode::config, decoded(tables_numbered({0}), 65)) == "max_length is 65: use 1 to 64 tokens.");
  CHECK(refusal(ErrorCode::shape, decoded(Tensor({1}, {0}), 4)) ==
        "source is (1): give token ids as (rows, positions).");
  Chain nothing({Tensor::full({5, 5}, 0)}), broken({Tensor::full({5, 5}, -1)});
  for (Chain* each : {&nothing, &broken})
    CHECK(REFUSAL(diverged, greedy_decode(*each, tables_numbered({0}), 4))
              .starts_with("Row 0 of the logits gives no token a probability"));
}
