#include "engine/generate/beam_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>

#include "engine/autograd/tape.h"
#include "engine/kernels/functions.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int pruned_shown = 3;

// A prefix extended by one token; `row` is the prefix's index in live_.
struct Candidate {
  double score, log_probability;
  int token, row;
};

bool better(const Candidate& a, const Candidate& b) {
  return std::tuple(-a.score, a.token, a.row) < std::tuple(-b.score, b.token, b.row);
}

// Keeps the best `count` candidates in a heap with the worst on top.
class BestCandidates {
 public:
  explicit BestCandidates(std::size_t count) : count_(count) {}

  void offer(const Candidate& candidate) {
    if (heap_.size() == count_) {
      if (!better(candidate, heap_.front())) return;
      std::ranges::pop_heap(heap_, better);
      heap_.pop_back();
    }
    heap_.push_back(candidate);
    std::ranges::push_heap(heap_, better);
  }

  std::vector<Candidate> ranked() {
    std::ranges::sort_heap(heap_, better);
    return heap_;
  }

 private:
  std::size_t count_;
  std::vector<Candidate> heap_;
};

void check(const Tensor& source, const BeamOptions& options) {
  if (options.width < 1 || options.width > max_beam_width)
    fail(ErrorCode::config, "beam_width_out_of_range", options.width, max_beam_width);
  if (!(options.length_normalisation >= 0 && options.length_normalisation <= 2))
    fail(ErrorCode::config, "length_normalisation_out_of_range", options.length_normalisation);
  if (source.rank() != 2 || source.shape()[0] != 1) fail(ErrorCode::shape, "beam_search_needs_one_row", source.shape());
}

class BeamSearch {
 public:
  BeamSearch(Generator& generator, const Tensor& source, const BeamOptions& options)
      : generator_(generator), options_(options), width_(static_cast<std::size_t>(options.width)) {
    options_.max_length = generation_length(generator, source, options.max_length);
    state_ = generator.start(source);
    tokens_ = begin_tokens(1);
    tree_.push_back({.token = bos_id});
    rows_.push_back(0);
    live_.push_back(0);
  }

  BeamResult run() {
    for (int t = 0; t < options_.max_length && !settled(); ++t) {
      Scope position("t" + std::to_string(t));
      const NextToken next = next_token(generator_, tokens_, state_);
      weights_.push_back(next.weights);
      extend(best_candidates(next.log_p), t + 1);
    }
    return {hypotheses(), tree_};
  }

 private:
  // The best continuations of all live prefixes, skipping those of probability 0.
  std::vector<Candidate> best_candidates(const Tensor& log_p) const {
    const int V = log_p.shape()[1];
    BestCandidates best(width_ + pruned_shown);
    const Scalar* each = log_p.data();
    for (std::size_t row = 0; row < live_.size(); ++row)
      for (int token = 0; token < V; ++token, ++each)
        if (const double log_probability = *each; !std::isinf(log_probability))
          best.offer({tree_[live_[row]].score + log_probability, log_probability, token, static_cast<int>(row)});
    return best.ranked();
  }

  void extend(const std::vector<Candidate>& candidates, int length) {
    std::vector<std::size_t> live;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::size_t node = add(candidates[i], i < width_, length);
      if (tree_[node].state == BeamNodeState::kept) live.push_back(node);
      if (tree_[node].state == BeamNodeState::finished) finish(node, length);
    }
    live_ = live;
    if (!live_.empty()) reorder_state();
  }

  std::size_t add(const Candidate& candidate, bool in_beam, int length) {
    const bool is_finished = candidate.token == eos_id || length == options_.max_length;
    tree_.push_back({.parent = static_cast<int>(live_[static_cast<std::size_t>(candidate.row)]),
                     .token = candidate.token,
                     .log_probability = candidate.log_probability,
                     .score = candidate.score,
                     .state = !in_beam      ? BeamNodeState::pruned
                              : is_finished ? BeamNodeState::finished
                                            : BeamNodeState::kept});
    rows_.push_back(candidate.row);
    return tree_.size() - 1;
  }

  // Keeps the best `width` finished sequences, best first; on ties the one found first ranks higher.
  void finish(std::size_t node, int length) {
    const Finished found{tree_[node].score / penalty(length), node};
    finished_.insert(std::ranges::upper_bound(finished_, found.score, std::greater(), &Finished::score), found);
    if (finished_.size() > width_) finished_.pop_back();
  }

  // Moves the tokens and the generator's state rows to the new live prefixes.
  void reorder_state() {
    std::vector<int> rows;
    tokens_ = Tensor({static_cast<int>(live_.size())});
    for (std::size_t i = 0; i < live_.size(); ++i) {
      rows.push_back(rows_[live_[i]]);
      tokens_.data()[i] = static_cast<Scalar>(tree_[live_[i]].token);
    }
    state_ = state_.select(rows);
  }

  // True when no live prefix can still enter the best `width`: appending tokens only lowers a summed log-probability,
  // and no length penalty exceeds that of the longest sequence.
  bool settled() const {
    if (live_.empty()) return true;
    if (finished_.size() < width_) return false;
    return tree_[live_[0]].score / penalty(options_.max_length) <= finished_.back().score;
  }

  double penalty(int length) const {
    if (options_.length_normalisation == 0) return 1;
    const Scalar log_penalty =
        static_cast<Scalar>(options_.length_normalisation) * kernels::log(static_cast<Scalar>(5 + length) / 6);
    return kernels::exp(log_penalty);
  }

  std::vector<Hypothesis> hypotheses() const {
    std::vector<Hypothesis> all;
    for (const Finished& each : finished_)
      all.push_back({sequence_to(each.node), each.score, static_cast<int>(each.node)});
    return all;
  }

  DecodedSequence sequence_to(std::size_t node) const {
    std::vector<std::size_t> path;
    for (std::size_t at = node; at != 0; at = static_cast<std::size_t>(tree_[at].parent)) path.push_back(at);
    std::ranges::reverse(path);
    DecodedSequence sequence;
    for (std::size_t t = 0; t < path.size(); ++t) {
      const BeamNode& each = tree_[path[t]];
      sequence.append(each.token, each.log_probability, row_of(weights_[t], rows_[path[t]]));
    }
    return sequence;
  }

  struct Finished {
    double score;
    std::size_t node;
  };

  Generator& generator_;
  BeamOptions options_;
  std::size_t width_;
  GeneratorState state_;
  Tensor tokens_;                   // (R), last token of each live prefix
  std::vector<std::size_t> live_;   // R nodes, best first
  std::vector<Finished> finished_;  // best first
  std::vector<BeamNode> tree_;
  std::vector<int> rows_;        // per node: its row in the batch of its position
  std::vector<Tensor> weights_;  // per position: attention weights, empty without attention
};

}  // namespace

BeamResult beam_search(Generator& generator, const Tensor& source, const BeamOptions& options) {
  check(source, options);
  return BeamSearch(generator, source, options).run();
}

}  // namespace unroll
