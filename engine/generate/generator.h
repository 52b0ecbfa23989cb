// The interface of autoregressive models: decoding (greedy, beam, sampling) sees models only through it.
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/kernels/random.h"
#include "engine/ops/ops.h"

namespace unroll {

// Calls f with each tensor of a tensor, of a vector's elements, or of a struct, whose tensors() ties them.
template <typename State, typename F>
void for_each_tensor(State& state, const F& f) {
  if constexpr (std::same_as<State, Tensor>)
    f(state);
  else if constexpr (requires { state.begin(); })
    for (auto& each : state) for_each_tensor(each, f);
  else
    std::apply([&](auto&... parts) { (for_each_tensor(parts, f), ...); }, state.tensors());
}

// State between two steps: what a model keeps, in a type of its own. The first axis of each tensor is R, one row per
// sequence being generated; a tensor may be empty.
class GeneratorState {
 public:
  GeneratorState() = default;
  template <typename State>
  explicit GeneratorState(State state, int position = 0)
      : position(position), kept_(std::make_shared<KeptAs<State>>(std::move(state))) {}

  // The state, which must be of this type.
  template <typename State>
  const State& as() const {
    return static_cast<const KeptAs<State>&>(*kept_).state;
  }
  bool is_empty() const { return !kept_; }

  // Gathers rows by index, in this order; an index may repeat.
  GeneratorState select(std::span<const int> indices) const {
    GeneratorState result = *this;
    if (!kept_) return result;
    Tensor ids({static_cast<int>(indices.size())});
    std::ranges::copy(indices, ids.data());
    result.kept_ = kept_->select(ids);
    return result;
  }

  int position = 0;  // of the next token, the same for all rows; kept by models that count positions

 private:
  struct Kept {
    virtual ~Kept() = default;
    virtual std::shared_ptr<const Kept> select(const Tensor& ids) const = 0;
  };
  template <typename State>
  struct KeptAs : Kept {
    explicit KeptAs(State state) : state(std::move(state)) {}
    std::shared_ptr<const Kept> select(const Tensor& ids) const override {
      State chosen = state;
      for_each_tensor(chosen, [&](Tensor& x) { x = x ? chosen_rows(x, ids) : x; });
      return std::make_shared<KeptAs>(std::move(chosen));
    }
    State state;
  };
  // Gathers rows of x (R, …) by index.
  static Tensor chosen_rows(const Tensor& x, const Tensor& ids) {
    const int rows = x.shape()[0];
    const Tensor table = reshape(x, {rows, static_cast<int>(x.size()) / std::max(rows, 1)});
    return reshape(gather(table, ids), x.shape().with(0, ids.shape()[0]));
  }

  std::shared_ptr<const Kept> kept_;
};

struct StepOutput {
  Tensor logits;        // (R, V), for the next token
  Tensor weights = {};  // (R, S), attention weights; empty without attention
};

// Cost of generating one token of one sequence after a number of positions: with a KV cache, which processes only the
// last position, and without one, which recomputes them all.
struct GenerationCost {
  double cache_bytes = 0;                                // after these positions
  double multiply_adds = 0, multiply_adds_uncached = 0;  // in matrix products
};

constexpr int max_generation_length = 64;  // tokens per sequence

class Generator {
 public:
  virtual ~Generator() = default;

  // Reads the source (R, S) of token ids; generates nothing yet.
  virtual GeneratorState start(const Tensor& source) = 0;

  // Feeds the last token of each row (R), <bos> at first, and advances the state by one position. The caller opens the
  // tape scope of that position around the call.
  virtual StepOutput next(const Tensor& tokens, GeneratorState& state) = 0;

  // Maximum number of tokens, including <eos>, that fit after a source of this length.
  virtual int max_new_tokens(int) const { return max_generation_length; }

  // Whether it computes one position at a time in loss(), too, with the same names: "decoder.t3/s" there is
  // "t3.decoder/s" here.
  virtual bool names_positions() const { return false; }

  // For training: the probability of feeding the true token next instead of the model's own (see TeacherForcing).
  // Ignored by generators that read all target tokens at once.
  virtual void set_forcing(double, Random) {}

  // For 1 position or more; nullopt for models that have no KV cache to count.
  virtual std::optional<GenerationCost> generation_cost(int) const { return std::nullopt; }
};

}  // namespace unroll
