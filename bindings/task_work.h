// What a session does with a task: shows its pairs, trains on them, writes, and says how good it has become. Every
// function throws Error; session.cpp turns that into replies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/models/writer.h"
#include "engine/train/evaluate.h"
#include "engine/train/task_trainer.h"

namespace unroll {

struct TaskInfo {
  std::string name, separator;  // the separator stands between the tokens of a text
  std::vector<std::string> source_words, target_words;
  int train = 0, validation = 0, test = 0;  // pairs
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
  std::string state;  // kept, pruned or finished
};

struct WriteInfo {
  std::vector<std::string> source, tokens;  // without <eos>
  std::vector<double> log_probabilities;    // of each token, and of <eos> where it ended
  std::vector<float> weights;               // (as many, source), where it looked; empty without attention
  bool ended = false;
  std::vector<TreeNode> tree;  // of a beam search
  int best = -1;               // the node where the best hypothesis ends
};

struct LengthInfo {
  int length = 0, pairs = 0, exact = 0;
};

struct EvaluationInfo {
  int done = 0, pairs = 0;
  double exact_match = 0, bleu = 0, brevity_penalty = 0, perplexity = 0;
  std::vector<double> precisions;   // of n-grams, n = 1 to 4
  double alignment_error_rate = 0;  // NaN where there is nothing to compare
  std::vector<LengthInfo> by_length;
};

class TaskWork {
 public:
  // `model` must be a Writer that takes source, target_in and target_out. Throws Error(config).
  TaskWork(std::shared_ptr<const Task> task, Model& model, Trainer& trainer, const Config& config);

  TaskInfo info() const;
  // `count` pairs of a split ("train", "validation" or "test") from number `start` on; fewer at its end.
  std::vector<PairInfo> pairs(const std::string& split, int start, int count) const;

  // Makes a pair of texts the input; without a target, what the model itself writes. The pair as tokens; with the true
  // alignment where the task knows the pair.
  PairInfo read(const std::string& source, const std::string& target);

  TrainingStep step() { return trainer_.step(); }

  // Options: method ("greedy", "beam" or "sample"), max_length (1 to 64, 64); width, length_normalisation of a beam;
  // temperature, top_k, top_p and seed of sampling.
  WriteInfo write(const std::string& source, const Config& options);

  // Begins to evaluate up to `limit` pairs of a split, or of sources of exactly `length` tokens where it is not 0; then
  // goes on by a batch at each call of evaluate_more, and is done when `done` is `pairs`.
  EvaluationInfo evaluate(const std::string& split, int limit, int length);
  EvaluationInfo evaluate_more();

 private:
  Tensor source_ids(const Tokens& source) const;

  std::shared_ptr<const Task> task_;
  TaskTrainer trainer_;
  Writer& writer_;           // the model, as what decoding knows of it
  std::vector<Pair> drawn_;  // what the evaluator looks at, where that is in no split
  std::optional<Evaluator> evaluator_;
};

}  // namespace unroll
