// What a session does with a task: shows pairs, generates and evaluates. A module without tasks (has_tasks) needs none
// of it, and the linker drops it there: nothing below is reached without a TaskWork.

#include <algorithm>
#include <cmath>
#include <optional>

#include "bindings/guards.h"
#include "bindings/session.h"
#include "engine/autograd/tape.h"
#include "engine/generate/beam_search.h"
#include "engine/generate/decoding.h"
#include "engine/kernels/functions.h"
#include "engine/models/model.h"
#include "engine/models/sequence_model.h"
#include "engine/tensor/error.h"
#include "engine/train/evaluate.h"
#include "engine/train/recipes.h"

namespace unroll {
namespace {

[[noreturn]] void reject_task() { fail(ErrorCode::config, "model_writes_no_sequences"); }

constexpr std::string_view split_names[] = {"train", "validation", "test"};

Split split_named(const std::string& name) {
  const auto* found = std::ranges::find(split_names, name);
  if (found == std::end(split_names)) fail(ErrorCode::input, "no_such_split", name);
  return static_cast<Split>(found - split_names);
}

std::vector<std::string> words_of(const Vocabulary& vocabulary) {
  std::vector<std::string> words;
  for (int id = 0; id < vocabulary.size(); ++id) words.push_back(vocabulary.token(id));
  return words;
}

PairInfo pair_info(const Pair& pair) {
  PairInfo info{pair.source, pair.target, {}, pair.held_out};
  for (const auto& [source, target] : pair.alignment) {
    info.alignment.push_back(source);
    info.alignment.push_back(target);
  }
  return info;
}

constexpr const char* form_names[] = {"pairs", "texts", "windows"};
constexpr const char* beam_state_names[] = {"kept", "pruned", "finished"};

float probability_of(double log_probability) { return kernels::exp(static_cast<Scalar>(log_probability)); }

// Decoding takes temperature 0 for greedy and top_k 0 for all tokens. Users cannot give either as a number: they choose
// method "greedy", or leave top_k out.
SamplingOptions sampling_options(const Config& options, const std::string& prefix = "") {
  return {.temperature = options.number(prefix + "temperature", 1, 0.001, 100, "method_greedy"),
          .top_k = options.integer(prefix + "top_k", 0, 1, max_vocabulary, "leave_out_for_all_tokens"),
          .top_p = options.number(prefix + "top_p", 1, 1e-6, 1)};
}

// How a model writes; and what is measured of it, in a trace.
struct Writing {
  std::string method, measure;
  BeamOptions beam;
  SamplingOptions sampling;
  std::uint64_t seed = 1;
};

BeamOptions beam_options(const Config& options, const std::string& prefix = "") {
  return {.width = options.integer(prefix + "width", 4, 1, 64),
          .length_normalisation = options.number(prefix + "length_normalisation", 0, 0, 2)};
}

// Of a model's settings, for its trace.
Writing traced_writing(const Config& config) {
  return {.method = config.text("writing", "none", {"none", "greedy", "beam", "sample"}),
          .measure = config.text("writing_measure", "none", {"none", "bleu", "alignment"}),
          .beam = beam_options(config, "writing_"),
          .sampling = sampling_options(config, "writing_"),
          .seed = static_cast<std::uint64_t>(config.integer("writing_draw", 1, 1, 1'000'000))};
}

// A model whose step of writing is one operation on the tape; what it does within is in the trace of its loss.
class StepAsOneOperation : public Generator {
 public:
  StepAsOneOperation(Generator& model, const Intervener* intervener, const Parameters& parameters)
      : model_(model), intervener_(intervener), parameters_(parameters) {}

  GeneratorState start(const Tensor& source) override {
    return write_under(intervener_, parameters_, [&] { return model_.start(source); });
  }
  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    const StepOutput output = write_under(intervener_, parameters_, [&] {
      Scope position("t" + std::to_string(state.position));
      return model_.next(tokens, state);
    });
    return {record({"step_of_model", "", "the logits after {0}"}, output.logits, Input{tokens}), output.weights};
  }
  int max_new_tokens(int source) const override { return model_.max_new_tokens(source); }

 private:
  Generator& model_;
  const Intervener* intervener_;
  const Parameters& parameters_;
};

Tensor tensor_of(const std::vector<int>& ids) {
  return {{static_cast<int>(ids.size())}, std::vector<Scalar>(ids.begin(), ids.end())};
}

// 1 for each link, (T, S).
Tensor matrix_of(const Alignment& links, int T, int S) {
  Tensor matrix = Tensor::full({T, S}, 0);
  for (const auto& [source, target] : links) matrix.data()[target * S + source] = 1;
  return matrix;
}

GenerationInfo generation_info(const Task& task, const Tokens& source, const DecodedSequence& sequence) {
  const Vocabulary& words = task.target_vocabulary();
  GenerationInfo info{.source = source,
                      .tokens = words.tokens(sequence.tokens),
                      .target = task.target_of(source),
                      .log_probabilities = sequence.log_probabilities,
                      .probabilities = {},
                      .probability = probability_of(sequence.log_probability()),
                      .weights = {},
                      .ended = sequence.ended,
                      .tree = {}};
  for (const double log_probability : sequence.log_probabilities)
    info.probabilities.push_back(probability_of(log_probability));
  for (const std::vector<Scalar>& row : sequence.weights)
    info.weights.insert(info.weights.end(), row.begin(), row.end());
  return info;
}

std::vector<TreeNode> tree_info(const std::vector<BeamNode>& tree, const Vocabulary& words) {
  std::vector<TreeNode> nodes;
  for (const BeamNode& node : tree)
    nodes.push_back({.parent = node.parent,
                     .token = words.token(node.token),
                     .log_probability = node.log_probability,
                     .score = node.score,
                     .probability = probability_of(node.log_probability),
                     .sequence_probability = probability_of(node.score),
                     .state = beam_state_names[static_cast<int>(node.state)]});
  return nodes;
}

EvaluationInfo evaluation_info(const Evaluator& evaluator) {
  const Evaluation found = evaluator.result();
  const double unless_generated = found.generated ? 0 : NAN;
  EvaluationInfo info{.done = static_cast<int>(evaluator.done()),
                      .pairs = static_cast<int>(evaluator.size()),
                      .exact_match = found.exact_match,
                      .bleu = found.bleu.score() + unless_generated,
                      .brevity_penalty = found.bleu.brevity_penalty() + unless_generated,
                      .perplexity = found.perplexity,
                      .precisions = {},
                      .alignment_error_rate = found.alignment.links ? found.alignment.rate() : NAN,
                      .attention_mass = found.attention_mass.tokens ? found.attention_mass.mean() : NAN,
                      .token_error_rate = found.errors.rate() + unless_generated,
                      .misplaced_tokens = found.errors.misplaced_share() + unless_generated,
                      .pronoun_accuracy = found.pronouns.pronouns ? found.pronouns.share() : NAN,
                      .by_length = {}};
  for (int n = 1; found.generated && n <= Bleu::max_order; ++n) info.precisions.push_back(found.bleu.precision(n));
  for (const auto& [length, result] : found.by_length) info.by_length.push_back({length, result.pairs, result.exact});
  return info;
}

}  // namespace

struct Session::TaskWork {
  TaskWork(std::shared_ptr<const Task> its_task, Model& model, Trainer& its_trainer, const Config& config)
      : task(std::move(its_task)),
        trainer(*task, model, its_trainer, config),
        generator(*model.generator()),
        writing(traced_writing(config)) {}

  Tensor source_ids(const Tokens& source) const;
  int length_of_writing() const;
  Pair pair_of(const std::string& source, const std::string& target) const;
  std::vector<const Pair*> pairs_to_evaluate(const std::string& split, int limit) const;

  std::shared_ptr<const Task> task;
  TaskTrainer trainer;
  Generator& generator;     // the model, as decoding sees it
  Writing writing;          // what the trace shows of it
  Pair read;                // last
  std::vector<Pair> drawn;  // the pairs under evaluation, if they are in no split
  std::optional<Evaluator> evaluator;
};

std::shared_ptr<const Task> Session::read_task(Config& config) {
  if (!config.has("task") && !config.has("pairs") && !config.has("text")) return nullptr;
  if (!has_tasks) reject_task();
  std::shared_ptr<const Task> task = task_from_config(config);
  set_vocabularies(config, *task);
  return task;
}

std::shared_ptr<Session::TaskWork> Session::work_on(std::shared_ptr<const Task> task, Model& model, Trainer& trainer,
                                                    const Config& config) {
  if (!has_tasks || !task) return nullptr;
  return std::make_shared<TaskWork>(std::move(task), model, trainer, config);
}

Session::TaskWork& Session::task_work() const {
  require_model();
  if (!has_tasks || !task_work_) fail(ErrorCode::input, "model_has_no_task");
  return *task_work_;
}

TrainingStep Session::take_step() {
  return has_tasks && task_work_ ? task_work_->trainer.step() : TrainingStep{.loss = trainer_->step()};
}

std::function<void()> Session::sample_as_in_next_step() const {
  return has_tasks && task_work_ ? task_work_->trainer.sample_as_in_next_step() : nullptr;
}

Reply<SizeInfo> Session::estimate(const Config& config) const {
  return attempt("estimate", [&] {
    if (!has_tasks) reject_task();
    Config whole = config;
    const std::shared_ptr<const Task> task = task_from_config(whole);
    set_vocabularies(whole, *task);
    const ModelSize size = training_size(whole, training_batches(*task, whole));
    return SizeInfo{size.parameters, size.step_bytes()};
  });
}

Reply<TaskInfo> Session::task() const {
  return attempt("task", [&] {
    const Task& task = *task_work().task;
    TaskInfo info{.name = task.name(),
                  .separator = std::string(task.separator()),
                  .form = form_names[static_cast<int>(task.form())],
                  .source_words = words_of(task.source_vocabulary()),
                  .target_words = words_of(task.target_vocabulary()),
                  .true_perplexity = task.true_perplexity() ? task.true_perplexity() : NAN};
    const auto count = [&](Split split) { return static_cast<int>(task.pairs(split).size()); };
    info.train = count(Split::train), info.validation = count(Split::validation), info.test = count(Split::test);
    return info;
  });
}

Reply<std::vector<PairInfo>> Session::pairs(const std::string& split, int start, int count) const {
  return attempt("pairs", [&] {
    const std::vector<Pair>& all = task_work().task->pairs(split_named(split));
    const int size = static_cast<int>(all.size());
    if (start < 0 || start > size) fail(ErrorCode::input, "start_out_of_range", start, size);
    if (count < 0 || count > 1000) fail(ErrorCode::input, "count_out_of_range", count);
    std::vector<PairInfo> found;
    for (int i = start; i < std::min(size, start + count); ++i)
      found.push_back(pair_info(all[static_cast<std::size_t>(i)]));
    return found;
  });
}

Tensor Session::TaskWork::source_ids(const Tokens& source) const {
  const std::vector<int> ids = task->source_vocabulary().ids(source);
  Tensor tensor({1, static_cast<int>(ids.size())});
  std::ranges::copy(ids, tensor.data());
  return tensor;
}

// The task's own pair of these texts if it has one, with its alignment.
Pair Session::TaskWork::pair_of(const std::string& source, const std::string& target) const {
  Pair pair{.source = task->tokenise(source), .target = {}, .alignment = {}};
  const int ending = task->form() == Form::windows ? 0 : 1;  // <eos>, absent from windows
  const int room = std::max(generator.max_new_tokens(static_cast<int>(pair.source.size())) - ending, 0);
  if (target.empty() && room > 0) {
    RecordingGuard nothing(nullptr);
    std::vector<int> written = greedy_decode(generator, source_ids(pair.source), room)[0].tokens;
    written.erase(std::ranges::find(written, pad_id), written.end());  // an untrained model may write <pad>
    pair.target = task->target_vocabulary().tokens(written);
  } else {
    pair.target = task->split(target);
    if (std::ssize(pair.target) > room)
      fail(ErrorCode::input, "sequence_too_long", FieldName{"target"}, pair.target.size(), room);
  }
  for (const Split split : {Split::train, Split::validation, Split::test})
    for (const Pair& known : task->pairs(split))
      if (known.source == pair.source && known.target == pair.target) pair = known;
  return pair;
}

Reply<PairInfo> Session::read(const std::string& source, const std::string& target) {
  return attempt("read", [&] {
    TaskWork& work = task_work();
    Rollback before(inputs_of(*model_));
    const Pair pair = work.pair_of(source, target);
    work.trainer.set_inputs(make_batch(*work.task, {&pair}));
    before.keep();
    work.read = pair;
    stale_ = true;
    return pair_info(pair);
  });
}

std::function<void()> Session::read_meanwhile(const std::string& source, const std::string& target) {
  TaskWork& work = task_work();
  std::function<void()> undo = inputs_of(*model_);
  const Pair pair = work.pair_of(source, target);
  work.trainer.set_inputs(make_batch(*work.task, {&pair}));
  return undo;
}

// log p of each token of the target, given the tokens before it, by the logits of the last loss.
void Session::tell_of_target(OutcomeInfo& outcome) const {
  if (!has_tasks || !task_work_) return;
  const RecordingGuard nothing(nullptr);
  const auto target = std::ranges::find(model_->inputs(), "target_out", &ModelInput::name);
  const auto of_target = [&](const Tensor& rows) {
    const Tensor chosen = pick(rows, target->value);
    return std::vector<double>(chosen.data(), chosen.data() + chosen.size());
  };
  outcome.logits = of_target(model_->output());
  outcome.log_probabilities = of_target(log_softmax(model_->output()));
}

// The model reads a guess: up to the first position where it would write another token, the guess is what it writes.
// That token is put right and the guess is read again; each reading settles at least one.
std::vector<std::string> Session::written_under(const Intervener& intervener, const std::string& source) {
  TaskWork& work = task_work();
  const Rollback before(inputs_of(*model_));
  Pair pair = work.pair_of(source, "");
  const auto room = static_cast<std::size_t>(work.generator.max_new_tokens(static_cast<int>(pair.source.size())) - 1);
  const Vocabulary& words = work.task->target_vocabulary();
  for (;;) {
    work.trainer.set_inputs(make_batch(*work.task, {&pair}));
    Tape tape(Tape::Detail::trace, &edits_, &intervener);
    {
      const RecordingGuard recording(&tape);
      model_->loss();
    }
    const RecordingGuard nothing(nullptr);
    const Tensor likeliest = argmax(model_->output());  // (1, T + 1)
    std::size_t at = 0;
    const auto token_at = [&](std::size_t i) { return static_cast<int>(likeliest.data()[i]); };
    while (at < pair.target.size() && words.token(token_at(at)) == pair.target[at]) ++at;
    const int next = token_at(at);
    const bool ends = next == eos_id || next == pad_id || at >= room;
    const bool settled = at == pair.target.size() && ends;
    pair.target.resize(at);
    if (settled || ends) return pair.target;
    pair.target.push_back(words.token(next));
  }
}

Reply<GenerationInfo> Session::generate(const std::string& text, const Config& options) {
  return attempt("generate", [&] {
    const TaskWork& work = task_work();
    const std::string method = options.text("method", "greedy", {"greedy", "beam", "sample"});
    const int max_length = options.integer("max_length", max_generation_length, 1, max_generation_length);
    BeamOptions beam = beam_options(options);
    beam.max_length = max_length;
    const SamplingOptions sampling = sampling_options(options);
    const std::uint64_t seed = options.seed();
    options.reject_unknown();

    const Task& task = *work.task;
    const Tokens source = task.tokenise(text);
    const Tensor ids = work.source_ids(source);
    Generator& generator = work.generator;
    return write_under(intervener_of_writing(), model_->parameters(), [&] {
      const Rollback edited(edit_parameters(model_->parameters(), edits_));
      if (method == "greedy") return generation_info(task, source, greedy_decode(generator, ids, max_length)[0]);
      if (method == "sample")
        return generation_info(task, source, sample_decode(generator, ids, max_length, sampling, seed)[0]);
      const BeamResult found = beam_search(generator, ids, beam);
      GenerationInfo info = generation_info(task, source, found.hypotheses.at(0).sequence);
      info.tree = tree_info(found.tree, task.target_vocabulary());
      info.best = found.hypotheses[0].node;
      return info;
    });
  });
}

// As many tokens as the page lets a model write for the source that was read last.
int Session::TaskWork::length_of_writing() const {
  if (task->form() != Form::pairs) return max_generation_length;
  return std::min(max_generation_length, 2 * static_cast<int>(read.source.size()) + 8);
}

// Traces how the model writes for the source that was read last, from its logits to the tokens.
void Session::record_writing() const {
  if (!task_work_ || task_work_->writing.method == "none") return;
  if (task_work_->task->form() == Form::pairs && task_work_->read.source.empty()) return;  // nothing was read yet
  const auto& [method, measure, beam, sampling, seed] = task_work_->writing;
  const Tensor source = task_work_->source_ids(task_work_->read.source);
  const int max_length = task_work_->length_of_writing();
  StepAsOneOperation generator(task_work_->generator, intervener_of_writing(), model_->parameters());
  Scope scope("writing");
  if (method == "greedy") greedy_decode(generator, source, max_length);
  if (method == "sample") sample_decode(generator, source, max_length, sampling, seed);
  if (method == "beam") beam_search(generator, source, {beam.width, max_length, beam.length_normalisation});
}

// Traces the measure of the pair that was read last: BLEU of what greedy decoding writes, with the target as the
// reference; or the alignment error rate of the attention to the target, where the true links are known.
void Session::record_measure() const {
  if (!task_work_ || task_work_->task->form() != Form::pairs) return;
  const Pair& pair = task_work_->read;
  const Tokens &source = pair.source, &target = pair.target;
  if (task_work_->writing.measure == "bleu" && !target.empty()) {
    const std::vector<int> written = write_under(intervener_of_writing(), model_->parameters(), [&] {
      return greedy_decode(task_work_->generator, task_work_->source_ids(source), task_work_->length_of_writing())[0]
          .tokens;
    });
    if (!written.empty()) traced_bleu(tensor_of(written), tensor_of(task_work_->task->target_vocabulary().ids(target)));
  }
  const SequenceModel* model = model_->sequence_model();
  const Tensor attention = model ? model->weights() : Tensor();  // (1, T, S)
  if (task_work_->writing.measure == "alignment" && attention && !pair.alignment.empty()) {
    const int T = static_cast<int>(target.size()), S = static_cast<int>(source.size());
    traced_alignment_error(reshape(slice(attention, 1, 0, T), {T, S}), matrix_of(pair.alignment, T, S));
  }
}

// Where the model does not write as it reads, a part of a tensor would be another part; and the other run is of one
// pair.
const Intervener* Session::intervener_of_writing() const {
  const bool as_in_runs = task_work().generator.names_positions();
  return intervener() ? writing_intervener(as_in_runs) : nullptr;
}

Reply<GenerationCost> Session::generation_cost(int positions) const {
  return attempt("generationCost", [&] {
    const Generator& generator = task_work().generator;
    constexpr int most = 4096;
    if (positions < 1 || positions > most) fail(ErrorCode::input, "positions_out_of_range", positions, most);
    const std::optional<GenerationCost> cost = generator.generation_cost(positions);
    if (!cost) fail(ErrorCode::config, "model_has_no_cache");
    return *cost;
  });
}

std::vector<const Pair*> Session::TaskWork::pairs_to_evaluate(const std::string& split, int limit) const {
  if (split != "pronouns") return spread(task->pairs(split_named(split)), limit);
  std::vector<const Pair*> selected;
  for (const Pair& pair : task->pairs(Split::test))
    if (pair.pronoun >= 0 && (limit == 0 || static_cast<int>(selected.size()) < limit)) selected.push_back(&pair);
  return selected;
}

Reply<EvaluationInfo> Session::evaluate(const std::string& split, int limit, int length) {
  return attempt("evaluate", [&] {
    TaskWork& work = task_work();
    if (limit < 0 || limit > 100000) fail(ErrorCode::input, "limit_out_of_range", limit);
    if (length < 0 || length > max_text_tokens) fail(ErrorCode::input, "length_out_of_range", length, max_text_tokens);
    std::vector<Pair> drawn = length ? work.task->pairs_of_length(length, limit ? limit : 64, 1) : std::vector<Pair>();
    std::vector<const Pair*> pairs = length ? spread(drawn, 0) : work.pairs_to_evaluate(split, limit);
    BatchDecoder decoder = work.writing.method == "beam" ? beam_decoder(work.writing.beam) : greedy_decode;
    // Nothing below is refused. A move keeps the addresses of the pairs.
    work.evaluator.emplace(work.generator, *work.task, std::move(pairs), std::move(decoder));
    work.drawn = std::move(drawn);
    return evaluation_info(*work.evaluator);
  });
}

Reply<EvaluationInfo> Session::evaluate_more() {
  return attempt("evaluateMore", [&] {
    TaskWork& work = task_work();
    if (!work.evaluator) fail(ErrorCode::input, "nothing_is_evaluated");
    write_under(intervener_of_writing(), model_->parameters(), [&] { return work.evaluator->next(); });
    return evaluation_info(*work.evaluator);
  });
}

Reply<Config> Session::recipe(const std::string& task, const std::string& model) const {
  return attempt("recipe", [&] { return unroll::recipe(task, model); });
}

std::vector<std::string> known_tasks() { return has_tasks ? task_names() : std::vector<std::string>(); }

}  // namespace unroll
