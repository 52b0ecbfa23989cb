// A session on a task: shows pairs, trains, generates and evaluates. Every function throws Error; session.cpp
// turns that into replies.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/train/task_trainer.h"

namespace unroll {

struct TaskInfo {
  std::string name, separator;  // the separator joins the tokens of a text
  std::string form;             // pairs, texts or windows: see Form
  std::vector<std::string> source_words, target_words;
  int train = 0, validation = 0, test = 0;  // pairs
  double true_perplexity = 0;               // NaN where unknown
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
  double probability = 0, sequence_probability = 0;  // exp of these
  std::string state;                                 // kept, pruned or finished
};

struct GenerationInfo {
  std::vector<std::string> source, tokens;  // without <eos>
  std::vector<double> log_probabilities;    // of each token, and of <eos> if it ended
  std::vector<float> probabilities;         // exp of these
  double probability = 0;                   // of the whole sequence
  std::vector<float> weights;               // attention weights, one row per log-probability; see DecodedSequence
  bool ended = false;
  std::vector<TreeNode> tree;  // of a beam search
  int best = -1;               // the node where the best hypothesis ends
};

struct LengthInfo {
  int length = 0, pairs = 0, exact = 0;
};

struct EvaluationInfo {
  int done = 0, pairs = 0;
  double exact_match = 0, bleu = 0, brevity_penalty = 0, perplexity = 0;  // for texts, all but the last are NaN
  std::vector<double> precisions;                                         // of n-grams, n = 1 to 4; empty for texts
  double alignment_error_rate = 0;                                        // NaN without links to compare
  double attention_mass = 0;    // mean total weight on a word's true links; NaN without any
  double pronoun_accuracy = 0;  // of pronouns whose gender another word decides; NaN without any
  std::vector<LengthInfo> by_length;
};

struct SizeInfo {
  double parameters = 0;  // count
  double step_bytes = 0;  // approximate, of the largest batch
};

class TaskSession {
 public:
  virtual ~TaskSession() = default;

  virtual TaskInfo info() const = 0;
  // `count` pairs of a split ("train", "validation" or "test") from index `start`; fewer at its end.
  virtual std::vector<PairInfo> pairs(const std::string& split, int start, int count) const = 0;

  // Makes a pair of texts the input; an empty target becomes what the model generates greedily. Returns the tokens, and
  // the true alignment if the task contains the pair. In tasks of texts the source is a prompt, and may be empty.
  virtual PairInfo read(const std::string& source, const std::string& target) = 0;

  virtual TrainingStep step() = 0;

  // Options: method ("greedy", "beam" or "sample"), max_length (1 to 64, 64; see generation_length); width and
  // length_normalisation of beam search; temperature, top_k, top_p and seed of sampling.
  virtual GenerationInfo generate(const std::string& source, const Config& options) = 0;

  // Cost of the token after `positions` positions. Throws Error(input) unless these are 1 to 4096, Error(config) for a
  // model without a KV cache to count.
  virtual GenerationCost generation_cost(int positions) const = 0;

  // Starts evaluating up to `limit` pairs of a split (0: all), or if `length` is not 0 up to `limit` pairs (0: 64) with
  // sources of exactly that many tokens. Each call of evaluate_more evaluates one more batch; finished when `done`
  // equals `pairs`. The split "pronouns" holds the test pairs with a pronoun whose gender another word decides.
  virtual EvaluationInfo evaluate(const std::string& split, int limit, int length) = 0;
  virtual EvaluationInfo evaluate_more() = 0;
};

// All access to tasks goes through these functions; they throw Error(config), or Error(input) for invalid pairs or
// text. A program that defines them itself, as modules/no_tasks.cpp does, links neither task_work.cpp nor anything that
// only tasks need.

// Creates the task session for a Generator model with inputs target_in and target_out, plus source if the task has
// sources.
using TaskSessionMaker = std::function<std::unique_ptr<TaskSession>(Model&, Trainer&, const Config&)>;
// Reads the task of a configuration (see task_from_config) and sets its vocabularies there, for the model made from it.
// Empty without the fields "task", "pairs" and "text".
TaskSessionMaker prepare_task(Config& config);

// Size of a model of such a configuration with its task, without creating the model.
SizeInfo estimate_size(Config config);

std::vector<std::string> known_tasks();

}  // namespace unroll
