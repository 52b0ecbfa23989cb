// An edit changes every node that depends on it, and no other.
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/small_models.h"

namespace {

using Forward = std::vector<std::pair<TracedNode, std::vector<float>>>;

// The nodes up to the loss, with their values.
Forward forward_of(Session& session) {
  Forward forward;
  for (const TracedNode& node : nodes_of(session)) {
    forward.emplace_back(node, session.values(node.id).value);
    if (node.name == "L") break;
  }
  return forward;
}

// Nodes that depend on the edited one but kept their values, and nodes that do not but changed.
std::string strays(Session& session, const std::string& name, int index, float value) {
  const Forward before = forward_of(session);
  value_of(session.edit(name, index, value));
  const Forward after = forward_of(session);
  REQUIRE(session.undo_edit(name, index).ok);
  REQUIRE(after.size() == before.size());

  std::vector<bool> reached;
  std::string found;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto& [node, values] = before[i];
    const auto is_reached = [&](int id) -> bool { return reached[static_cast<std::size_t>(id)]; };
    reached.push_back(node.name == name || std::ranges::any_of(node.inputs, is_reached));
    if (reached[i] == (values == after[i].second)) found += node.name + ' ';
  }
  CHECK(std::ranges::count(reached, true) > 1);
  return found;
}

void check_exact(Session& session, const std::string& name, int index, float value) {
  CAPTURE(name);
  CAPTURE(index);
  CHECK(strays(session, name, index, value) == "");
}

Ran words(const std::string& mask, double seed = 1) {
  return Ran({{"kind", "attention"}, {"mask", mask}, {"seed", seed}});
}

constexpr int n = 4;  // words, so the scores are 4 × 4

// The last cell of every score and attention weight, which no causal mask hides. A score becomes the largest of its
// row, as otherwise the softmax would find the same maximum as before. attention/α, all positions side by side, is only
// for the page: nothing depends on it.
int check_scores_and_weights(Session& session) {
  int checked = 0;
  for (const TracedNode& node : nodes_of(session)) {
    if (node.phase == Phase::backward || node.name == "attention/α" ||
        (node.role != Role::score && node.role != Role::weight))
      continue;
    const int last = static_cast<int>(session.values(node.id).value.size()) - 1;
    check_exact(session, node.name, last, node.role == Role::score ? 9 : 0.75f);
    ++checked;
  }
  return checked;
}

// Everything visible of a session that made these edits one by one.
SessionState one_by_one(const Config& config, const std::vector<ValueEdit>& edits) {
  Ran session(config);
  for (const auto& [name, index, value] : edits) REQUIRE(session.edit(name, index, value).ok);
  return state_of(session);
}

}  // namespace

TEST_CASE("attention: every entry of the words, the weights, the scores and α") {
  Ran session = words("none");
  for (const std::string name : {"X", "W_Q", "W_K", "W_V", "attention/e", "attention/α"}) {
    const std::vector<float> values = values_of(session, name);
    for (std::size_t i = 0; i < values.size(); ++i)
      check_exact(session, name, static_cast<int>(i), name == "attention/e" ? 9 : values[i] + 0.5f);
  }
}

TEST_CASE("attention: hiding a score, the largest of its row") {
  Ran session = words("none");
  const std::vector<float> e = values_of(session, "attention/e");
  for (auto row = e.begin(); row != e.end(); row += n)
    check_exact(session, "mask", static_cast<int>(std::max_element(row, row + n) - e.begin()), -INFINITY);
}

TEST_CASE("attention: revealing a hidden score, larger than the others of its row") {
  int checked = 0;
  for (double seed = 1; seed <= 8; ++seed) {
    Ran session = words("causal", seed);
    const std::vector<float> e = values_of(session, "attention/e");
    for (int i = 0; i < n * n; ++i) {
      const int query = i / n, key = i % n;
      const auto row = e.begin() + query * n;
      if (key <= query || row[key] <= *std::max_element(row, row + query + 1)) continue;
      check_exact(session, "mask", i, 0);
      ++checked;
    }
  }
  CHECK(checked > 5);
}

TEST_CASE("seq2seq: a word's vector, states of the encoder, scores and α at every position, and parameters") {
  Ran session(small_seq2seqs().at("seq2seq: bahdanau"));
  REQUIRE(session.run({{"target_in", {1, 5}, {4, 4, 4, 4, 4}}}).ok);  // one word, read at every position
  for (const char* name : {"encoder.0.t1/h", "encoder.0_reverse.t2/h", "encoder/h"}) check_exact(session, name, 1, 3);
  check_exact(session, "target_embedding.weight", 4 * 5, 2);
  check_exact(session, "out.bias", 3, 2);
  CHECK(check_scores_and_weights(session) >= 2 * 5);
}

TEST_CASE("transformer: words, memory, scores and α of every layer, and parameters") {
  Ran session(small_transformers().at("transformer: pre-norm"));
  check_exact(session, "source", 3, 5);
  check_exact(session, "encoder/memory", 1, 3);
  check_exact(session, "out.weight", 5, 2);
  CHECK(check_scores_and_weights(session) >= 2 * 3);
}

TEST_CASE("edits that are set together give the bits of edits made one by one") {
  const Config config = {{"kind", "attention"}, {"seed", 3.0}};
  const std::vector<ValueEdit> edits = {
      {"X", 0, 0.25f}, {"attention/α", 2, 0.5f}, {"W_Q", 1, -2.0f}, {"X", 0, 0.75f}, {"mask", 1, -INFINITY}};
  Ran session(config);
  value_of(session.set_edits(edits));
  CHECK(state_of(session) == one_by_one(config, edits));

  SUBCASE("they replace the edits before") {
    REQUIRE(session.set_edits({edits[1]}).ok);
    CHECK(state_of(session) == one_by_one(config, {edits[1]}));
    REQUIRE(session.set_edits({}).ok);
    CHECK(state_of(session) == one_by_one(config, {}));
  }
  SUBCASE("one that is refused leaves those before") {
    const std::string said = refused(session, "E_INPUT", [&] {
      return session.set_edits({edits[0], {"nothing", 0, 1.0f}});
    });
    CHECK(said.find("\"nothing\"") != std::string::npos);
  }
}
