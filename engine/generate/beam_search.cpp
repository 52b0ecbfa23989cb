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

// A prefix extended by one token: `at` is its place in the table of all candidates (R, V).
struct Candidate {
  Scalar score;
  int at, token, row;
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

// Places in the table of candidates' scores (R, V), best first: up to `count`, without those of probability 0. On ties
// the smaller token comes first, then the better prefix.
Tensor best_of(Operand scores, std::size_t count) {
  const int V = scores.shape()[1];
  BestCandidates best(count);
  for (int at = 0; at < static_cast<int>(scores.size()); ++at)
    if (const Scalar score = scores.data()[at]; !std::isinf(score)) best.offer({score, at, at % V, at / V});
  const std::vector<Candidate> ranked = best.ranked();
  Tensor places({static_cast<int>(ranked.size())});
  std::ranges::transform(ranked, places.data(), [](const Candidate& each) { return static_cast<Scalar>(each.at); });
  return record({"best_of", "reduce", "places of the best of {0}"}, places, Input{scores});
}

// The values of x (n) at these places.
Tensor at_places(Operand x, Operand places) {
  const Tensor column = reshape(x, {static_cast<int>(x.size()), 1});
  return reshape(gather(column, places), places.shape());
}

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
      extend(next.log_p, t + 1);
    }
    return {hypotheses(), tree_};
  }

 private:
  // The best continuations of all live prefixes join the tree, given log p (R, V); those in the beam live on until they
  // end.
  void extend(const Tensor& log_p, int length) {
    const Tensor candidates = (scores_ + log_p).as("candidates", Role::score);               // (R, V)
    const Tensor best = best_of(candidates, width_ + pruned_shown).as("best", Role::input);  // (K)
    const Tensor scores = at_places(candidates, best).as("score", Role::score);
    const Tensor token_log_p = at_places(log_p, best);
    std::vector<std::size_t> nodes;
    std::vector<Scalar> live;  // their numbers in `best`
    for (std::size_t i = 0; i < best.size(); ++i) {
      const int at = static_cast<int>(best.data()[i]), V = log_p.shape()[1];
      const std::size_t node = add({.parent = static_cast<int>(live_[static_cast<std::size_t>(at / V)]),
                                    .token = at % V,
                                    .log_probability = token_log_p.data()[i],
                                    .score = scores.data()[i],
                                    .state = state_of(at % V, i < width_, length)},
                                   at / V);
      if (tree_[node].state == BeamNodeState::finished) finish(node, length);
      if (tree_[node].state != BeamNodeState::kept) continue;
      nodes.push_back(node);
      live.push_back(static_cast<Scalar>(i));
    }
    live_ = nodes;
    if (!live.empty()) go_on(best, scores, Tensor({static_cast<int>(live.size())}, live), log_p.shape()[1]);
  }

  BeamNodeState state_of(int token, bool in_beam, int length) const {
    if (!in_beam) return BeamNodeState::pruned;
    return token == eos_id || length == options_.max_length ? BeamNodeState::finished : BeamNodeState::kept;
  }

  std::size_t add(const BeamNode& node, int row) {
    tree_.push_back(node);
    rows_.push_back(row);
    return tree_.size() - 1;
  }

  // Keeps the best `width` finished sequences, best first; on ties the one found first ranks higher.
  void finish(std::size_t node, int length) {
    const Finished found{tree_[node].score / penalty(length), node};
    finished_.insert(std::ranges::upper_bound(finished_, found.score, std::greater(), &Finished::score), found);
    if (finished_.size() > width_) finished_.pop_back();
  }

  // Moves scores, tokens and the generator's state to the prefixes that live on, which are some of the best.
  void go_on(const Tensor& best, const Tensor& scores, const Tensor& live, int V) {
    const Tensor kept = live.as("live", Role::input);  // (R)
    const Tensor places = at_places(best, kept);
    const Tensor prefixes = floor_divide(places, V).as("prefix", Role::input);
    tokens_ = remainder(places, V).as("token", Role::input);
    scores_ = reshape(at_places(scores, kept), {kept.shape()[0], 1}).as("kept", Role::score);
    state_ = state_.select(std::vector<int>(prefixes.values().begin(), prefixes.values().end()));
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
  Tensor tokens_;                            // (R), last token of each live prefix
  Tensor scores_ = Tensor::full({1, 1}, 0);  // (R, 1), of each live prefix
  std::vector<std::size_t> live_;            // R nodes, best first
  std::vector<Finished> finished_;           // best first
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
