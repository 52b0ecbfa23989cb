// What a session does with a task: shows its pairs, trains on them, writes, and says how good it has become. Every
// function throws Error; session.cpp turns that into replies.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/train/task_trainer.h"

namespace unroll {

struct TaskInfo {
  std::string name, separator;  // the separator stands between the tokens of a text
  std::string form;             // pairs, texts or windows: see Form
  std::vector<std::string> source_words, target_words;
  int train = 0, validation = 0, test = 0;  // pairs
  double true_perplexity = 0;               // NaN where nobody knows it
};

struct PairInfo {
  std::vector<std::string> source, target;
  std::vector<int> alignment;  // source position, target position, source position, …
  bool held_out = false;
};

// A node of a beam search's tree; see BeamNode.
struct TreeNode {
  int parent = -1;
  std::string token;
  double log_probability = 0, score = 0;
  double probability = 0, sequence_probability = 0;  // e to these
  std::string state;                                 // kept, pruned or finished
};

struct WriteInfo {
  std::vector<std::string> source, tokens;  // without <eos>
  std::vector<double> log_probabilities;    // of each token, and of <eos> where it ended
  std::vector<float> probabilities;         // e to these
  double probability = 0;                   // of all of them together
  std::vector<float> weights;               // (as many, source), where it looked; see DecodedSequence
  bool ended = false;
  std::vector<TreeNode> tree;  // of a beam search
  int best = -1;               // the node where the best hypothesis ends
};

struct LengthInfo {
  int length = 0, pairs = 0, exact = 0;
};

struct EvaluationInfo {
  int done = 0, pairs = 0;
  double exact_match = 0, bleu = 0, brevity_penalty = 0, perplexity = 0;  // of texts only the last is a number
  std::vector<double> precisions;                                         // of n-grams, n = 1 to 4
  double alignment_error_rate = 0;                                        // NaN where there is nothing to compare
  double attention_mass = 0;    // on the true links of a word together; NaN where there are none
  double pronoun_accuracy = 0;  // of pronouns whose gender another word decides; NaN where there are none
  std::vector<LengthInfo> by_length;
};

struct SizeInfo {
  double parameters = 0;  // numbers
  double step_bytes = 0;  // about what the longest training step takes
};

class TaskWork {
 public:
  virtual ~TaskWork() = default;

  virtual TaskInfo info() const = 0;
  // `count` pairs of a split ("train", "validation" or "test") from number `start` on; fewer at its end.
  virtual std::vector<PairInfo> pairs(const std::string& split, int start, int count) const = 0;

  // Makes a pair of texts the input; without a target, what the model itself writes. The pair as tokens; with the true
  // alignment where the task knows the pair. Where the task is texts, the source is an opening, and may be empty.
  virtual PairInfo read(const std::string& source, const std::string& target) = 0;

  virtual TrainingStep step() = 0;

  // Options: method ("greedy", "beam" or "sample"), max_length (1 to 64, 64; see tokens_to_write); width,
  // length_normalisation of a beam; temperature, top_k, top_p and seed of sampling.
  virtual WriteInfo write(const std::string& source, const Config& options) = 0;

  // What the token behind 1 to 4096 positions costs; throws Error(config) for a model without a KV cache.
  virtual WritingCost cost_behind(int positions) const = 0;

  // Begins to evaluate up to `limit` pairs of a split, or of sources of exactly `length` tokens where it is not 0; then
  // goes on by a batch at each call of evaluate_more, and is done when `done` is `pairs`. The split "pronouns" is of
  // those of the test split with a pronoun whose gender another word decides.
  virtual EvaluationInfo evaluate(const std::string& split, int limit, int length) = 0;
  virtual EvaluationInfo evaluate_more() = 0;
};

// All that a program knows of tasks is behind these; they throw Error(config). One that defines them itself, as
// modules/no_tasks.cpp does, is not linked with task_work.cpp, nor with anything that only a task needs.

// The work, of a Writer that takes target_in and target_out, and where the task has sources, source.
using TaskWorkMaker = std::function<std::unique_ptr<TaskWork>(Model&, Trainer&, const Config&)>;
// Reads the task of a configuration (see make_task_of) and puts its vocabularies there, for the model to be made next.
// Empty without the fields "task", "pairs" and "text".
TaskWorkMaker prepare_task(Config& config);

// What a model of such a configuration, with its task, would take; nothing of it is made.
SizeInfo size_to_learn(Config config);

std::vector<std::string> known_tasks();

}  // namespace unroll
