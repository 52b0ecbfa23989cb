// Configurations of all kinds of model: each makes a model and its trainer or is refused, within a model's memory
// limit. And sessions: whatever the model and the call, it is answered or refused, and a refused call leaves the model
// unchanged.
#include "bindings/session.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <set>

#include "engine/models/model_size.h"
#include "tests/engine/support/damage.h"
#include "tests/engine/support/random_config.h"
#include "tests/fuzz/fuzzer.h"

namespace unroll {
namespace {

struct Kind {
  Config small;
  FieldWords fields;
};

// As narrow as possible, so that many can be tried.
const std::pair<const char*, double> narrow[] = {{"attention_size", 4}, {"batch", 4},        {"channels", 4},
                                                 {"embedding", 4},      {"feed_forward", 8}, {"model_size", 8},
                                                 {"hidden", 4}};

Kind kind_named(const std::string& name) {
  const auto refusal = [](const Config& config) { return Session().load(config).message(); };
  Kind kind{small_config(name), {}};
  kind.fields = fields_and_words(refusal, kind.small);
  for (const auto& [field, size] : narrow)
    if (kind.fields.contains(field)) kind.small.set(field, size);
  return kind;
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (const std::string& name : model_kinds()) kinds.push_back(kind_named(name));
  return kinds;
}

const Kind& any_kind(Random& random) {
  static const std::vector<Kind> kinds = all_kinds();
  return pick(random, kinds);
}

// Some fields are set to anything; most of these configurations are refused.
Config any_model(Random& random) {
  const Kind& kind = any_kind(random);
  return any_config(random, kind.small, kind.fields);
}

// Fields are set to plausible values; most of these configurations make a model.
Config likely_model(Random& random) {
  const Kind& kind = any_kind(random);
  return likely_config(random, kind.small, kind.fields);
}

bool has_task(const Config& config) { return config.has("pairs") || config.has("text"); }

bool try_config(Random& random) {
  const Config config = any_model(random);
  Session session;
  const Reply<ModelInfo> loaded = session.load(config);
  require(loaded.ok || (loaded.failure.code == "E_CONFIG" && loaded.message().ends_with('.')),
          "refused, but not as a configuration: " + loaded.failure.code + ": " + loaded.message());
  if (!loaded.ok) return false;
  require(is_finite(config), "a model was made with a number that is not finite");
  require(!has_task(config) || session.estimate(config).ok, "a model was made that cannot be estimated");
  return true;
}

// Internal errors and running out of memory are findings.
const std::set<std::string> refusals = {"E_SHAPE", "E_CONFIG", "E_INPUT", "E_FORMAT", "E_PROGRAM", "E_DIVERGED"};

// Small, except one in eight.
int any_int(Random& random) {
  static const int odd[] = {-1, 8, 100'001, INT_MAX, INT_MIN};
  return random.below(8) ? random.below(5) : pick(random, odd);
}

int any_id(Random& random) { return random.below(8) ? random.below(200) : any_int(random); }

float any_float(Random& random) {
  return random.below(4) ? random.uniform(-2, 2) : static_cast<float>(any_number(random));
}

std::string any_words(Random& random) {
  static const std::string good[] = {"", "a", "ab", "a b a b", "cd"};
  return random.below(2) ? pick(random, good) : damaged(pick(random, good), stray_pieces, random);
}

std::string any_split(Random& random) {
  static const std::string splits[] = {"train", "validation", "test", "pronouns", "?"};
  return pick(random, splits);
}

Config any_options(Random& random) {
  static const FieldWords fields = {{"method", {"greedy", "beam", "sample"}},
                                    {"max_length", {}},
                                    {"width", {}},
                                    {"length_normalisation", {}},
                                    {"temperature", {}},
                                    {"top_k", {}},
                                    {"top_p", {}},
                                    {"seed", {}}};
  return any_config(random, {{"max_length", 4.0}}, fields);
}

// An input of the model with changed sizes and values; sometimes an unknown one.
NamedTensor any_input(const ModelInfo& model, Random& random) {
  if (model.inputs.empty() || random.below(16) == 0) return {"?", {1}, {0}};
  const TensorInfo& info = pick(random, model.inputs);
  NamedTensor input{info.name, info.shape, {}};
  for (int& size : input.shape)
    if (random.below(4) == 0) size = any_int(random);
  std::size_t count = random.below(16) ? 1 : 2;
  for (const int size : input.shape) count *= size > 0 && size < 200 ? static_cast<std::size_t>(size) : 1;
  const bool ids = random.below(2);
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 10'000); ++i)
    input.values.push_back(ids ? static_cast<float>(random.below(4)) : any_float(random));
  return input;
}

std::vector<std::uint8_t> any_checkpoint(const Session& session, Random& random) {
  const std::vector<std::uint8_t> saved = session.save().value;
  const std::string bytes = random.below(2) ? damaged({saved.begin(), saved.end()}, stray_pieces, random)
                                            : std::string(saved.begin(), saved.end());
  return {bytes.begin(), bytes.end()};
}

// A session and the calls to it.
struct Asked {
  Session& session;
  Random& random;
  Reply<ModelInfo> model;
  std::vector<std::string> names;  // in the first run

  template <typename Call>
  void answers(Call call) const;
  std::string any_name() const;
  void anything();
};

template <typename Call>
void Asked::answers(Call call) const {
  const std::vector<std::uint8_t> before = session.save().value;
  const auto reply = call();
  if (reply.ok) return;
  require(refusals.contains(reply.failure.code) && reply.message().ends_with('.'),
          reply.detail + " is refused with " + reply.failure.code + ": " + reply.message());
  require(session.save().value == before, reply.detail + " is refused and changes the model: " + reply.message());
}

// The name of a node, or an unknown one.
std::string Asked::any_name() const { return names.empty() || random.below(16) == 0 ? "?" : pick(random, names); }

using Call = void (*)(Asked&, Session&, Random&);

const Call calls[] = {
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.run({any_input(a.model.value, r)}); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.values(any_id(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.probabilities(any_id(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.gradients(any_id(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.edit(a.any_name(), any_int(r), any_float(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.undo_edit(a.any_name(), any_int(r)); }); },
    [](Asked& a, Session& s, Random& r) {
      std::vector<ValueEdit> edits(r.below(4));
      for (ValueEdit& edit : edits) edit = {a.any_name(), any_int(r), any_float(r)};
      a.answers([&] { return s.set_edits(edits); });
    },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.check_gradient(a.any_name(), any_int(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.train(any_int(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.restore(any_checkpoint(s, r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.pairs(any_split(r), any_int(r), any_int(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.read(any_words(r), any_words(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.generate(any_words(r), any_options(r)); }); },
    [](Asked& a, Session& s, Random& r) { a.answers([&] { return s.generation_cost(any_int(r)); }); },
    [](Asked& a, Session& s, Random& r) {
      a.answers([&] { return s.evaluate(any_split(r), any_int(r), any_int(r)); });
    },
    [](Asked& a, Session& s, Random&) { a.answers([&] { return s.evaluate_more(); }); },
};

void Asked::anything() { pick(random, calls)(*this, session, random); }

// If its loss is finite, an unmodified model computes only finite numbers.
void check_values(const Tape& tape) {
  for (const Node& node : tape.nodes())
    require(std::ranges::none_of(node.value.values(), [](Scalar x) { return std::isnan(x); }),
            node.name + " holds NaN");
}

bool try_session(Random& random) {
  Session session;
  Asked asked{session, random, session.load(likely_model(random)), {}};
  if (!asked.model.ok) return false;
  const Reply<RunInfo> run = session.run({});
  require(run.ok, "a model that was made does not run: " + run.message());
  for (const Node& node : session.tape().nodes()) asked.names.push_back(node.name);
  if (std::isfinite(run.value.loss)) check_values(session.tape());
  for (int calls = 1 + random.below(4); calls > 0; --calls) asked.anything();
  return true;
}

}  // namespace

const Fuzzer fuzz_config{"config", try_config, 1.3 * max_parameter_bytes};
const Fuzzer fuzz_session{"session", try_session, 7e8};

}  // namespace unroll
