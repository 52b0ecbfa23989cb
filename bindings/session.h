// The one class the page sees: a model that can be run, traced, edited and trained. Plain C++. The calls and their data
// are described here for JavaScript: see description.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/description.h"
#include "bindings/reply.h"
#include "bindings/trace.h"
#include "engine/autograd/tape.h"
#include "engine/generate/generator.h"
#include "engine/models/model.h"
#include "engine/train/task_trainer.h"

namespace unroll {

struct TensorInfo {
  std::string name;
  std::vector<int> shape;
};
UNROLL_FIELDS(TensorInfo, name, shape)

struct ModelInfo {
  std::string kind;
  double seed = 0;
  int steps = 0;  // training steps so far
  std::vector<TensorInfo> inputs, parameters;
};
UNROLL_FIELDS(ModelInfo, kind, seed, steps, inputs, parameters)

struct NamedTensor {
  std::string name;
  std::vector<int> shape;
  std::vector<float> values;
};
UNROLL_FIELDS(NamedTensor, name, shape, values)

// One value of a named tensor (flat, row-major index) and what replaces it.
struct ValueEdit {
  std::string name;
  int index = 0;
  float value = 0;
};
UNROLL_FIELDS(ValueEdit, name, index, value)

// What is done to a tensor, or to a part of it: see engine/ops/interventions.h. `from` names the pair that the other
// run reads. One with `training` also acts while the model trains.
struct InterventionInfo {
  std::string kind, tensor;
  bool training = false;
  std::string source, target;
};
UNROLL_FIELDS(InterventionInfo, kind, tensor, training, source, target)

// What comes of a run.
struct OutcomeInfo {
  double loss = 0;
  std::vector<double> logits;             // of each token of the target; empty without a task
  std::vector<double> log_probabilities;  // their logarithms after softmax
  std::vector<std::string> written;       // what greedy decoding writes for the source; empty if it was not asked for
};
UNROLL_FIELDS(OutcomeInfo, loss, logits, log_probabilities, written)

struct RunInfo {
  double loss = 0;
  int output = -1;                            // node id
  int forward = 0, backward = 0, update = 0;  // operation counts
  double trace = 0;                           // a hash: equal for runs with the same trace, whatever their values
};
UNROLL_FIELDS(RunInfo, loss, output, forward, backward, update, trace)

UNROLL_FIELDS(TraceColumns, numbers, texts)

struct GradientCheck {
  double analytic = 0, numeric = 0, difference = 0;
};
UNROLL_FIELDS(GradientCheck, analytic, numeric, difference)

// How a matrix stretches vectors; see linalg.h.
struct Spectrum {
  std::vector<float> singular_values;  // falling
  std::vector<float> eigenvalues;      // their absolute values, falling; empty unless the matrix is square
};
UNROLL_FIELDS(Spectrum, singular_values, eigenvalues)

// The rows of a matrix on their two principal axes; see linalg.h.
struct AxesInfo {
  std::vector<float> points;  // (rows, 2)
  std::vector<float> shares;  // of the variance
};
UNROLL_FIELDS(AxesInfo, points, shares)

struct TrainInfo {
  int step = 0;
  double loss = 0;
  double accuracy = 0;           // over the target tokens of the last batch; 0 without a task
  int examples = 0, tokens = 0;  // trained on in this call; 0 without a task
};
UNROLL_FIELDS(TrainInfo, step, loss, accuracy, examples, tokens)

struct TaskInfo {
  std::string name, separator;  // the separator joins the tokens of a text
  std::string form;             // pairs, texts or windows: see Form
  std::vector<std::string> source_words, target_words;
  int train = 0, validation = 0, test = 0;  // pairs
  double true_perplexity = 0;               // NaN where unknown
};
UNROLL_FIELDS(TaskInfo, name, separator, form, source_words, target_words, train, validation, test, true_perplexity)

struct PairInfo {
  std::vector<std::string> source, target;
  std::vector<int> alignment;  // source position, target position, source position, …
  bool held_out = false;
};
UNROLL_FIELDS(PairInfo, source, target, alignment, held_out)

// A node of a beam search's tree; see BeamNode.
struct TreeNode {
  int parent = -1;
  std::string token;
  double log_probability = 0, score = 0;
  double probability = 0, sequence_probability = 0;  // exp of these
  std::string state;                                 // kept, pruned or finished
};
UNROLL_FIELDS(TreeNode, parent, token, log_probability, score, probability, sequence_probability, state)

struct GenerationInfo {
  std::vector<std::string> source, tokens;  // without <eos>
  std::vector<std::string> target;          // of the source, by the task's rule; empty if it has none
  std::vector<double> log_probabilities;    // of each token, and of <eos> if it ended
  std::vector<float> probabilities;         // exp of these
  double probability = 0;                   // of the whole sequence
  std::vector<float> weights;               // attention weights, one row per log-probability; see DecodedSequence
  bool ended = false;
  std::vector<TreeNode> tree;  // of a beam search
  int best = -1;               // the node where the best hypothesis ends
};
UNROLL_FIELDS(GenerationInfo, source, tokens, target, log_probabilities, probabilities, probability, weights, ended,
              tree, best)

UNROLL_FIELDS(GenerationCost, cache_bytes, multiply_adds, multiply_adds_uncached)

struct LengthInfo {
  int length = 0, pairs = 0, exact = 0;
};
UNROLL_FIELDS(LengthInfo, length, pairs, exact)

struct EvaluationInfo {
  int done = 0, pairs = 0;
  double exact_match = 0, bleu = 0, brevity_penalty = 0, perplexity = 0;  // for texts, all but the last are NaN
  std::vector<double> precisions;                                         // of n-grams, n = 1 to 4; empty for texts
  double alignment_error_rate = 0;                                        // NaN without links to compare
  double attention_mass = 0;                          // mean total weight on a word's true links; NaN without any
  double token_error_rate = 0, misplaced_tokens = 0;  // see TokenErrors; NaN for texts
  double pronoun_accuracy = 0;                        // of pronouns whose gender another word decides; NaN without any
  std::vector<LengthInfo> by_length;
};
UNROLL_FIELDS(EvaluationInfo, done, pairs, exact_match, bleu, brevity_penalty, perplexity, precisions,
              alignment_error_rate, attention_mass, token_error_rate, misplaced_tokens, pronoun_accuracy, by_length)

struct SizeInfo {
  double parameters = 0;  // count
  double step_bytes = 0;  // approximate, of the largest batch
};
UNROLL_FIELDS(SizeInfo, parameters, step_bytes)

// Every call returns a Reply; a refused call leaves the session as it was.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;  // the tape points to the edits

  // With the field "task", "pairs" or "text" the model learns a task and uses its vocabularies. Then `writing` (none,
  // greedy, beam or sample) says what runs also trace, after the loss: how the model writes for the source that was
  // read last. The options are those of `generate`: writing_temperature, writing_top_k …, and writing_draw for its seed
  // (1). Last comes writing_measure (none, bleu or alignment): how what it writes or attends to is measured.
  Reply<ModelInfo> load(const Config& config);

  // Size of a model with a task, and of its training step, without loading it.
  Reply<SizeInfo> estimate(const Config& config) const;

  // Sets the named inputs, then traces forward, backward and the update that the next training step would make on them,
  // with its coins of scheduled sampling, and keeps the trace. No parameter changes. Edits stay in force.
  Reply<RunInfo> run(const std::vector<NamedTensor>& inputs);
  Reply<TraceColumns> trace();
  Reply<std::vector<float>> values(int id);
  // exp of the values of a node that holds log-probabilities.
  Reply<std::vector<float>> probabilities(int id);
  Reply<std::vector<float>> gradients(int id);

  // Replaces one value of the named node (flat, row-major index) wherever it is computed, and runs again. If other
  // inputs give a trace without that value, the edit waits for one that has it; `load` drops all edits.
  Reply<RunInfo> edit(const std::string& name, int index, float value);
  Reply<RunInfo> undo_edit(const std::string& name, int index);

  // Makes these the edits in force, in place of those before, and runs once. Those that are in force already may wait.
  Reply<RunInfo> set_edits(const std::vector<ValueEdit>& list);

  // Of the matrix of `rows` rows from row `start` on, where a row runs along the last axis of the node: a gate's block
  // of a cell's U, or a head. See matrices.cpp.
  Reply<Spectrum> spectrum(int id, int start, int rows);
  // Of all rows of the node.
  Reply<AxesInfo> principal_axes(int id);

  // Makes these the interventions in force, in this order, and runs; edits stay, and come after them. Each must be
  // possible in the present trace, unless it is in force already: then it may wait for a trace with its tensor. `load`
  // drops all. Those for training act from the next training step on.
  Reply<RunInfo> set_interventions(const std::vector<InterventionInfo>& list);

  // What would come of these interventions, in place of those in force: nothing changes. With a source, also what the
  // model would write for it, up to 63 tokens: each read with the tokens before it, as in training.
  Reply<OutcomeInfo> outcome(const std::vector<InterventionInfo>& list, const std::string& source);

  // ∂L/∂value by the backward pass and by finite differences of the loss.
  Reply<GradientCheck> check_gradient(const std::string& name, int index);

  // Runs optimiser steps without the edits, on batches of the task if there is one; recomputes the trace when next
  // used.
  Reply<TrainInfo> train(int steps);

  // Parameters, optimiser state and step count as a safetensors file; restore() needs a model of the same shapes.
  Reply<std::vector<std::uint8_t>> save() const;
  Reply<ModelInfo> restore(const std::vector<std::uint8_t>& bytes);

  // The calls from here to evaluate_more need a model with a task: see tasks.cpp.
  Reply<TaskInfo> task() const;

  // `count` pairs of a split ("train", "validation" or "test") from index `start`; fewer at its end.
  Reply<std::vector<PairInfo>> pairs(const std::string& split, int start, int count) const;

  // Makes a pair of texts the input; an empty target becomes what the model generates greedily. Returns the tokens, and
  // the true alignment if the task contains the pair. In tasks of texts the source is a prompt, and may be empty.
  Reply<PairInfo> read(const std::string& source, const std::string& target);

  // Options: method ("greedy", "beam" or "sample"), max_length (1 to 64, 64; see generation_length); width and
  // length_normalisation of beam search; temperature, top_k, top_p and seed of sampling. Edits of parameters are in
  // force; those of what is computed are not, since a model has other tensors while it writes.
  Reply<GenerationInfo> generate(const std::string& source, const Config& options);

  // Cost of the token after `positions` positions, 1 to 4096, of a model with a KV cache.
  Reply<GenerationCost> generation_cost(int positions) const;

  // Starts evaluating up to `limit` pairs of a split (0: all), or if `length` is not 0 up to `limit` pairs (0: 64) with
  // sources of exactly that many tokens. Each call of evaluate_more evaluates one more batch; finished when `done`
  // equals `pairs`. Outputs are written by beam search with the setting `writing` beam, else greedily. The split
  // "pronouns" holds the test pairs with a pronoun whose gender another word decides.
  Reply<EvaluationInfo> evaluate(const std::string& split, int limit, int length);
  Reply<EvaluationInfo> evaluate_more();

  // A complete configuration for learning the task. Independent of the loaded model, like estimate.
  Reply<Config> recipe(const std::string& task, const std::string& model) const;

  // The trace that was last asked for, in native programs.
  const Tape& tape() const { return tape_; }

 private:
  // A reply computed in the session's own context.
  template <typename Job>
  auto attempt(const char* call, Job job) const {
    const CurrentContext current(context_);
    return unroll::attempt(call, std::move(job));
  }

  struct TaskWork;  // the task, and the model as its learner
  // Sets the vocabularies of the config's task there, for the model made from it. nullptr without a task.
  static std::shared_ptr<const Task> read_task(Config& config);
  static std::shared_ptr<TaskWork> work_on(std::shared_ptr<const Task> task, Model& model, Trainer& trainer,
                                           const Config& config);

  void require_model() const;
  TaskWork& task_work() const;
  bool has_trace() const { return stale_ || !tape_.nodes().empty(); }
  void refresh();
  const Node& node(int id);
  int editable(const std::string& name, int index);
  void require_possible(const ValueEdit& edit);
  TrainingStep take_step();
  TrainInfo take_steps(int steps);
  RunInfo run_again();
  RunInfo run_with(Edits edits);
  void record_writing() const;
  void record_measure() const;
  std::function<void()> sample_as_in_next_step() const;
  double loss_with(const Edits& edits) const;

  struct InterventionWork;  // see interventions.cpp
  std::shared_ptr<const InterventionWork> work_of(const std::vector<InterventionInfo>& list);
  void check(const InterventionInfo& info);
  std::map<std::string, Tensor> computed_for(const InterventionInfo& info);
  void check_other_run(const InterventionInfo& info);
  void require_possible(const std::vector<InterventionInfo>& list);
  void renew_interventions();
  void put_in_force(std::shared_ptr<const InterventionWork> work);
  const Intervener* intervener() const;
  const Intervener* intervener_of_writing() const;
  const Intervener* writing_intervener(bool as_in_runs) const;

  // The model reads this pair until the result is called.
  std::function<void()> read_meanwhile(const std::string& source, const std::string& target);
  void tell_of_target(OutcomeInfo& outcome) const;
  std::vector<std::string> written_under(const Intervener& intervener, const std::string& source);
  ModelInfo info() const;

  mutable Context context_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Trainer> trainer_;
  std::shared_ptr<TaskWork> task_work_;  // shared, so that a module without tasks needs no destructor for it
  bool stale_ = false;  // the trace must be recomputed before use: model or inputs changed, or a run failed
  std::string kind_;
  double seed_ = 0;
  Edits edits_;
  std::shared_ptr<const InterventionWork> intervention_work_;  // those in force; or nullptr
  Tape tape_{Tape::Detail::trace, &edits_};
};

// The built-in tasks; none in a module without tasks.
std::vector<std::string> known_tasks();

// Every call of the session, with the names of its arguments; those of a module with interventions are apart.
void describe_session(auto call) {
  call("load", &Session::load, "config");
  call("estimate", &Session::estimate, "config");
  call("run", &Session::run, "inputs");
  call("trace", &Session::trace);
  call("values", &Session::values, "id");
  call("probabilities", &Session::probabilities, "id");
  call("gradients", &Session::gradients, "id");
  call("edit", &Session::edit, "name", "index", "value");
  call("undoEdit", &Session::undo_edit, "name", "index");
  call("setEdits", &Session::set_edits, "edits");
  call("checkGradient", &Session::check_gradient, "name", "index");
  call("train", &Session::train, "steps");
  call("save", &Session::save);
  call("restore", &Session::restore, "checkpoint");
  call("task", &Session::task);
  call("pairs", &Session::pairs, Argument{"split", "Split"}, "start", "count");
  call("read", &Session::read, "source", "target");
  call("generate", &Session::generate, "source", "options");
  call("generationCost", &Session::generation_cost, "positions");
  call("evaluate", &Session::evaluate, Argument{"split", "Split | 'pronouns'"}, "limit", "length");
  call("evaluateMore", &Session::evaluate_more);
  call("recipe", &Session::recipe, "task", "model");
}
void describe_interventions(auto call) {
  call("setInterventions", &Session::set_interventions, "interventions");
  call("outcome", &Session::outcome, "interventions", "source");
}

// The calls about matrices, of a module that has linear algebra.
void describe_matrices(auto call) {
  call("spectrum", &Session::spectrum, "id", "start", "rows");
  call("principalAxes", &Session::principal_axes, "id");
}

}  // namespace unroll
