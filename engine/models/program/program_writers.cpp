// Whole models that the learner writes, which learn a task and write: of texts, or from a source.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/program/first_nan.h"
#include "engine/models/program/fitting.h"
#include "engine/models/program/learner_program.h"
#include "engine/models/sequence_model.h"
#include "engine/nn/recurrent/recurrent.h"
#include "engine/nn/tokens.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

using program::TypedTensor;
using program::Value;

constexpr char language_model[] =
    "def forward(ids):\n"
    "    E = parameter('E', (VOCABULARY, 32))\n"
    "    return embedding(ids, E) @ E.T\n";

constexpr char translator[] =
    "def forward(source, target_in):\n"
    "    S = parameter('S', (SOURCE_VOCABULARY, 32))\n"
    "    T = parameter('T', (TARGET_VOCABULARY, 32))\n"
    "    is_word = (source != PAD).float()[:, :, None]\n"
    "    c = (embedding(source, S) * is_word).sum(1, keepdim=True) / is_word.sum(1, keepdim=True)\n"
    "    return (embedding(target_in, T) + c) @ T.T\n";

LearnerProgram::Values constants_of(std::initializer_list<std::pair<const char*, int>> sizes) {
  LearnerProgram::Values all = {
      {"PAD", std::int64_t{pad_id}}, {"BOS", std::int64_t{bos_id}}, {"EOS", std::int64_t{eos_id}}};
  for (const auto& [name, size] : sizes) all[name] = std::int64_t{size};
  return all;
}

Value given_ids(const Tensor& ids) {
  return TypedTensor{.tensor = ids, .type = program::Type::integer, .is_given = true};
}

// Refuses a result that is not (B, T, V).
Tensor checked_logits(const LearnerProgram& program, const Value& value, const Tensor& ids, int vocabulary) {
  const Tensor logits = program.output_of(value);
  const Shape wanted{ids.shape()[0], ids.shape()[1], vocabulary};
  if (logits.shape() != wanted)
    program::fail_at(program.entry().place, "forward_returns_no_logits", program::sizes(logits.shape()),
                     program::sizes(wanted));
  return logits;
}

Tensor some_ids(int rows, int positions) { return Tensor::full({rows, positions}, bos_id); }

// The last row is shorter than the others.
Tensor padded_ids(int rows, int positions) {
  Tensor ids = some_ids(rows, positions);
  ids.data()[ids.size() - 1] = pad_id;
  return ids;
}

Tensor logits_of_all(LearnerProgram& program, const std::vector<Tensor>& ids, int vocabulary) {
  std::vector<Value> arguments;
  for (const Tensor& each : ids) arguments.push_back(given_ids(each));
  return checked_logits(program, program.call(arguments), ids.back(), vocabulary);
}

// (B, T, vocabulary), for ids of which the last are the targets so far. Where nothing is recorded, some rows at a time:
// a large batch is evaluated within the budget of a run.
Tensor logits_of(LearnerProgram& program, const std::vector<Tensor>& ids, int vocabulary) {
  constexpr int most = 16;
  const int rows = ids[0].shape()[0];
  if (Tape::live() || rows <= most) return logits_of_all(program, ids, vocabulary);
  std::vector<Operand> parts;
  for (int row = 0; row < rows; row += most) {
    std::vector<Tensor> some;
    for (const Tensor& each : ids) some.push_back(slice(each, 0, row, std::min(most, rows - row)));
    parts.emplace_back(logits_of_all(program, some, vocabulary));
  }
  return concat(parts, 0);
}

Tensor loss_of(const Tensor& logits, const Tensor& target_out) {
  return cross_entropy(logits, target_out, {.ignored = pad_id}).as("L");
}

// The last function must be the model, and take what a model is given: `wanted` is "forward(ids)", of one name.
void check_head(const LearnerProgram& program, std::string_view wanted, std::size_t count) {
  const LearnerProgram::Entry& last = program.entry();
  if (last.name != "forward") program::fail_at(last.place, "last_function_is_not_forward", last.name, wanted);
  const std::size_t taken = last.parameters.size();
  if (taken < count || program.needed_arguments() > count)
    program::fail_at(last.place, "forward_takes_other_arguments", taken, count, wanted);
}

// Both get token ids, padded with PAD, and return logits (B, T, V); PAD, BOS, EOS and the sizes of the vocabularies are
// constants of the program. Writing passes the whole prefix for each token. The first two runs, of batches of two
// sizes, must make the same parameters.

// forward(ids (B, T)) → logits (B, T, VOCABULARY). Config: program, vocabulary.
class ProgramLm : public LanguageModel, public LearnerModel {
 public:
  explicit ProgramLm(const Config& config)
      : LanguageModel(config),
        vocabulary_(read_vocabulary(config, "vocabulary")),
        program_(config, language_model, parameters_, constants_of({{"VOCABULARY", vocabulary_}})) {
    check_head(program_, "forward(ids)", 1);
    add_text_inputs(vocabulary_, 5);
    logits_of(program_, {some_ids(1, 5)}, vocabulary_);
    logits_of(program_, {padded_ids(2, 3)}, vocabulary_);
    program_.check_names(inputs());
  }

  Tensor loss() override {
    output_ = {};
    parameters_.record();
    const Tensor target_in = use_input("target_in"), target_out = use_input("target_out");
    output_ = logits_of(program_, {target_in}, vocabulary_).as("logits");
    return loss_of(output_, target_out);
  }

  void explain_divergence() override { explain_divergence_of(*this); }

  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    const Tensor now = pending_tokens(tokens, state);
    const Tensor ids = state.position == 0 ? now : concat({state.as<Tensor>(), now}, 1);
    state = GeneratorState(ids, ids.shape()[1]);
    return {at_position(logits_of(program_, {ids}, vocabulary_), ids.shape()[1] - 1).as("logits")};
  }

  const LearnerModel* learners() const override { return this; }
  std::string pytorch() const override {
    return program_.pytorch({given_ids(value_of("target_in"))}, value_of("target_out"));
  }

 private:
  int vocabulary_;
  LearnerProgram program_;
};

// forward(source (B, S), target_in (B, T)) → logits (B, T, TARGET_VOCABULARY). Config: program, source_vocabulary,
// target_vocabulary.
class ProgramSeq2Seq : public EncoderDecoderModel, public LearnerModel {
 public:
  explicit ProgramSeq2Seq(const Config& config)
      : EncoderDecoderModel(config),
        source_vocabulary_(read_vocabulary(config, "source_vocabulary")),
        target_vocabulary_(read_vocabulary(config, "target_vocabulary")),
        program_(config, translator, parameters_,
                 constants_of({{"SOURCE_VOCABULARY", source_vocabulary_}, {"TARGET_VOCABULARY", target_vocabulary_}})) {
    check_head(program_, "forward(source, target_in)", 2);
    add_pair_inputs(source_vocabulary_, target_vocabulary_);
    logits_of(program_, {some_ids(1, 4), some_ids(1, 5)}, target_vocabulary_);
    // all sizes differ, so that none can be taken for another
    logits_of(program_, {padded_ids(3, 4), padded_ids(3, 2)}, target_vocabulary_);
    program_.check_names(inputs());
  }

  Tensor loss() override {
    output_ = {};
    parameters_.record();
    const Tensor source = use_input("source"), target_in = use_input("target_in"), target_out = use_input("target_out");
    output_ = logits_of(program_, {source, target_in}, target_vocabulary_).as("logits");
    return loss_of(output_, target_out);
  }

  void explain_divergence() override { explain_divergence_of(*this); }

  // The state is the source, and the target so far, which is empty at first.
  GeneratorState start(const Tensor& source) override {
    parameters_.record();
    return GeneratorState(std::vector<Tensor>{source, {}});
  }

  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    const Tensor now = reshape(tokens, tokens.shape().inserted(1));
    const std::vector<Tensor> kept = state.as<std::vector<Tensor>>();
    const Tensor source = kept[0], target_in = kept[1] ? concat({kept[1], now}, 1) : now;
    state = GeneratorState(std::vector<Tensor>{source, target_in});
    const Tensor logits = logits_of(program_, {source, target_in}, target_vocabulary_);
    return {at_position(logits, target_in.shape()[1] - 1).as("logits")};
  }

  const LearnerModel* learners() const override { return this; }
  std::string pytorch() const override {
    return program_.pytorch({given_ids(value_of("source")), given_ids(value_of("target_in"))}, value_of("target_out"));
  }

 private:
  int source_vocabulary_, target_vocabulary_;
  LearnerProgram program_;
};

}  // namespace

ModelKind program_lm_kind() { return program_kind_of<new_fitting<ProgramLm>>("program_lm"); }
ModelKind program_seq2seq_kind() { return program_kind_of<new_fitting<ProgramSeq2Seq>>("program_seq2seq"); }

}  // namespace unroll
