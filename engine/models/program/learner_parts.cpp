// The learner's function in every place of a model.
#include "engine/models/program/learner_parts.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/models/program/learner_program.h"
#include "engine/nn/recurrent/cell.h"
#include "engine/nn/transformer_block.h"
#include "engine/tensor/hash.h"

namespace unroll {
namespace {

using program::fail_at;
using program::TypedTensor;
using program::Value;

// What a part is given and what it returns, for messages.
struct PartForm {
  const char* name;    // of the part, as the field "part" has it
  const char* call;    // "cell(x, h)"
  int arguments;       // how many these are
  const char* result;  // a phrase: "a new state has the shape of h"
};

constexpr PartForm score_form{"score", "score(Q, K)", 2, "scores_have_rows_of_queries"};
constexpr PartForm attention_form{"attention", "attend(Q, K, V, mask)", 4, "context_has_shape_of_q"};
constexpr PartForm cell_form{"cell", "cell(x, h)", 2, "state_has_shape_of_h"};
constexpr PartForm positions_form{"positions", "positions(T, D)", 2, "positions_have_rows_of_d"};
constexpr PartForm norm_form{"norm", "norm(x)", 1, "norm_keeps_shape"};
constexpr PartForm feed_forward_form{"feed_forward", "feed_forward(x)", 1, "feed_forward_keeps_shape"};
constexpr PartForm block_form{"block", "block(x, mask)", 2, "block_keeps_shape"};

// A tensor that the function is given and may not change.
Value given_tensor(const Tensor& x) { return TypedTensor{.tensor = x, .is_given = true}; }

// The function in one place of a model.
class LearnerPart {
 public:
  // Its parameters get names that begin with that of the place. Throws Error(program) for a text that is no program, or
  // whose last function cannot be called in this form.
  LearnerPart(const PartForm& form, const Config& config, Parameters& parameters, const std::string& place)
      : form_(form), program_(config, "", parameters, {}, {}, place + ".") {
    check_arguments();
  }

  // The tensor of the shape `wanted` that the function returns. Throws Error(program) if it returns anything else.
  Tensor call(const std::vector<Value>& arguments, const Shape& wanted) {
    return result(run(arguments), wanted, form_.result);
  }

  // The same, or two: a context, and weights of the shape `scores`.
  AttentionOutput attend(const std::vector<Value>& arguments, const Shape& wanted, const Shape& scores) {
    const Value value = run(arguments);
    const std::vector<Value>* both = program::items_of(value);
    if (!both || both->size() != 2) return {result(value, wanted, form_.result), {}};
    return {result((*both)[0], wanted, form_.result), result((*both)[1], scores, "weights_have_rows_of_queries")};
  }

 private:
  // The function may have more parameters, if they have defaults.
  void check_arguments() {
    const LearnerProgram::Entry& function = program_.entry();
    const auto wanted = static_cast<std::size_t>(form_.arguments);
    if (function.parameters.size() < wanted || program_.needed_arguments() > wanted)
      fail_at(function.place, "part_takes_other_arguments", function.name, function.parameters.size(),
              std::string_view(form_.call), form_.arguments);
  }

  Value run(const std::vector<Value>& arguments) {
    const Tape* tape = Tape::live();
    first_node_ = tape ? static_cast<int>(tape->nodes().size()) : 0;
    return program_.call(arguments);
  }

  Tensor checked(const Value& value, const Shape& wanted, const char* rule) const {
    const LearnerProgram::Entry& function = program_.entry();
    const auto* tensor = value.as<TypedTensor>();
    if (!tensor || tensor->tensor.shape() != wanted)
      fail_at(function.place, "part_returns_other_shape", function.name,
              tensor ? program::sizes(tensor->tensor.shape()) : program::described(value), phrase(rule),
              program::sizes(wanted));
    return tensor->tensor;
  }

  // What the function was given or has as a parameter is returned as a tensor of its own, for the model names it.
  Tensor result(const Value& value, const Shape& wanted, const char* rule) const {
    const Tensor found = checked(value, wanted, rule);
    const Tape* tape = Tape::live();
    if (!tape || tape->find(found) < 0 || tape->find(found) >= first_node_) return found;
    return slice({found, program_.where()}, 0, 0, wanted[0]);
  }

  PartForm form_;
  LearnerProgram program_;
  int first_node_ = 0;  // of the last run
};

using Part = std::shared_ptr<LearnerPart>;

// The sizes of the two runs that find the parameters.
struct TrialSizes {
  int B, T, S;
};
constexpr TrialSizes trials[] = {{1, 4, 5}, {2, 3, 2}};

Tensor some_values(const Shape& shape) {
  Tensor x(shape);
  Random random(1, hash_of("part"));
  for (Scalar& each : x.values()) each = random.normal();
  return x;
}

// x (…, T, K) as (B, T, K), a tensor of this name unless it is one already.
Tensor three_axes(Operand x, const char* name) {
  const Shape& shape = x.shape();
  const int T = shape[-2], K = shape[-1];
  return shape.rank() == 3 ? Tensor(x)
                           : reshape(forward_operand(x), {static_cast<int>(shape.size()) / (T * K), T, K})
                                 .as(name, Role::state, x.where);
}

// The mask of scores (…, T, S) as (1 or B, 1 or T, S); 0 if there is none.
Tensor three_axes_mask(const Tensor& mask, const Shape& scores, CallSite where) {
  if (!mask) return Tensor::full({1, 1, scores[-1]}, 0).as("mask", Role::input, where);
  const Shape& shape = mask.shape();
  const Shape one = {1, shape[-2], shape[-1]};
  if (shape.size() == one.size()) return reshape({mask, where}, one);
  return three_axes({broadcast_to({mask, where}, scores.with(-2, shape[-2])), where}, "mask");
}

Tensor scores_of(LearnerPart& part, const Operand& q, const Operand& k) {
  const Shape scores = q.shape().with(-1, k.shape()[-2]);
  const Tensor Q = three_axes({q, q.where}, "Q"), K = three_axes({k, q.where}, "K");
  const Tensor e = part.call({given_tensor(Q), given_tensor(K)}, Q.shape().with(-1, K.shape()[1]));
  return reshape({e, q.where}, scores);
}

AttentionOutput attended(LearnerPart& part, const Operand& q, const Operand& k, const Operand& v, const Tensor& mask) {
  const Shape scores = q.shape().with(-1, k.shape()[-2]), context = q.shape().with(-1, v.shape()[-1]);
  const Tensor Q = three_axes({q, q.where}, "Q"), K = three_axes({k, q.where}, "K");
  const Tensor V = three_axes({v, q.where}, "V");
  const Tensor added = three_axes_mask(mask, scores, q.where);
  AttentionOutput found = part.attend({given_tensor(Q), given_tensor(K), given_tensor(V), given_tensor(added)},
                                      Q.shape().with(-1, V.shape()[2]), Q.shape().with(-1, K.shape()[1]));
  if (found.weights) found.weights = reshape({found.weights, q.where}, scores).as("α", Role::weight, q.where);
  return {reshape({found.context, q.where}, context).as("c", Role::state, q.where), found.weights};
}

// Runs f for each of the trials, recording nothing.
void try_out(const auto& f) {
  const RecordingGuard nothing(nullptr);
  for (const TrialSizes& each : trials) f(each.B, each.T, each.S);
}

class LearnerBlock : public Block {
 public:
  explicit LearnerBlock(Part part) : part_(std::move(part)) {}

  BlockOutput advance(Operand x, KeysValues&, const Tensor& mask) const override {
    return (*this)(forward_operand(x), mask);
  }
  BlockOutput operator()(Operand x, const Tensor& mask) const override {
    const int B = x.shape()[0], T = x.shape()[1];
    const Tensor added = three_axes_mask(mask, {B, 1, T, T}, x.where);
    return {part_->call({given_tensor(x), given_tensor(added)}, x.shape()).as("y", Role::state, x.where)};
  }
  bool has_cache() const override { return false; }

 private:
  Part part_;
};

class LearnerParts : public Parts {
 public:
  LearnerParts(const Config& config, Parameters& parameters)
      : config_(config), parameters_(parameters), part_(config.any_text("part").value_or("")) {}

  ScoreFunction score(const std::string& place, int query, int key) const override {
    const Part part = at(place, score_form);
    if (!part) return {};
    try_out([&](int B, int T, int S) { scores_of(*part, some_values({B, T, query}), some_values({B, S, key})); });
    return [part](const Operand& q, const Operand& k) { return scores_of(*part, q, k); };
  }

  AttentionFunction attention(const std::string& place, int query, int key, int value) const override {
    const Part part = at(place, attention_form);
    if (!part) return {};
    try_out([&](int B, int T, int S) {
      attended(*part, some_values({B, T, query}), some_values({B, S, key}), some_values({B, S, value}), {});
    });
    return [part](const Operand& q, const Operand& k, const Operand& v, const Tensor& mask) {
      return attended(*part, q, k, v, mask);
    };
  }

  CellFunction cell(const std::string& place, int input, int hidden) const override {
    const Part part = at(place, cell_form);
    if (!part) return {};
    const auto step = [part](const Tensor& x, const Tensor& h) {
      return part->call({given_tensor(x), given_tensor(h)}, h.shape());
    };
    try_out([&](int B, int, int) { step(some_values({B, input}), some_values({B, hidden})); });
    return [step](const Operand& x, const CellState& previous) { return CellState{step(x, previous.h).as("h")}; };
  }

  PositionFunction positions(const std::string& place, int size) const override {
    const Part part = at(place, positions_form);
    if (!part) return {};
    const auto rows = [part](int T, int D) {
      return part->call({static_cast<std::int64_t>(T), static_cast<std::int64_t>(D)}, {T, D});
    };
    try_out([&](int, int T, int) { rows(T, size); });
    return rows;
  }

  LayerFunction norm(const std::string& place, int size) const override {
    return layer(norm_form, place, size, "normed");
  }
  LayerFunction feed_forward(const std::string& place, int size) const override {
    return layer(feed_forward_form, place, size, "y");
  }

  std::unique_ptr<const Block> block(const std::string& place, int size) const override {
    const Part part = at(place, block_form);
    if (!part) return {};
    try_out([&](int B, int T, int) { LearnerBlock{part}(some_values({B, T, size}), {}); });
    return std::make_unique<LearnerBlock>(part);
  }

 private:
  // The function at this place, if it is the part that the config names.
  Part at(const std::string& place, const PartForm& form) const {
    return part_ == form.name ? std::make_shared<LearnerPart>(form, config_, parameters_, place) : nullptr;
  }

  // A layer whose result has this name on the tape.
  LayerFunction layer(const PartForm& form, const std::string& place, int size, const char* result) const {
    const Part part = at(place, form);
    if (!part) return {};
    const auto layer = [part](const Tensor& x) { return part->call({given_tensor(x)}, x.shape()); };
    try_out([&](int B, int T, int) { layer(some_values({B, T, size})); });
    return [=](const Operand& x) { return layer(x).as(result); };
  }

  Config config_;
  Parameters& parameters_;
  std::string part_;
};

// A field that does not go with a part: if it has this value, or if it has any other.
struct Clash {
  std::vector<std::string> parts;
  const char* field;
  enum When { is, is_not } when;
  Config::Value value;
  const char* why;  // a phrase
};

const std::vector<Clash>& clashes() {
  using Text = std::string;
  static const std::vector<std::string> attending = {"score", "attention"}, cell = {"cell"}, positions = {"positions"};
  static const char own_values[] = "part_sets_its_values";
  static const char own_positions[] = "part_supplies_positions";
  static const std::vector<Clash> all = {
      {attending, "attention", Clash::is, Text("none"), "part_is_of_attention"},
      {attending, "window", Clash::is, Text("local_p"), "window_has_own_weights"},
      {attending, "form", Clash::is_not, Text("plain"), "part_computes_all_scores"},
      {{"attention"}, "positions", Clash::is, Text("alibi"), "penalty_is_for_own_scores"},
      {{"attention"}, "hard", Clash::is_not, false, "part_computes_weights"},
      {{"attention"}, "attention_temperature", Clash::is_not, 1.0, "part_computes_weights"},
      {cell, "cell", Clash::is, Text("lstm"), "part_has_one_state"},
      {cell, "orthogonal", Clash::is_not, false, own_values},
      {cell, "bias", Clash::is_not, true, own_values},
      {cell, "scale", Clash::is_not, 1.0, own_values},
      {positions, "positions", Clash::is, Text("learned"), own_positions},
      {positions, "positions", Clash::is, Text("alibi"), own_positions},
      {positions, "positions", Clash::is, Text("rotary"), own_positions},
  };
  return all;
}

void check_fields(const Config& config, const std::string& part) {
  for (const Clash& each : clashes()) {
    const auto field = config.fields().find(each.field);
    if (field == config.fields().end() || std::ranges::find(each.parts, part) == each.parts.end()) continue;
    if ((field->second == each.value) == (each.when == Clash::is)) config.reject_if_set(each.field, phrase(each.why));
  }
}

}  // namespace

std::unique_ptr<const Parts> learner_parts(const Config& config, Parameters& parameters) {
  if (!has_programs || !config.has("part")) return nullptr;
  if (!config.any_text("program")) fail(ErrorCode::config, "part_without_program");
  return std::make_unique<const LearnerParts>(config, parameters);
}

void check_part(const Config& config) {
  if (!has_programs || !config.has("part")) return;
  const std::vector<std::string> taken = parts_of(model_kind(config));
  if (taken.empty()) config.reject_if_set("part", phrase("model_has_no_part"));
  check_fields(config, config.text("part", "", taken));
}

}  // namespace unroll
