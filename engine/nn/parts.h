// Functions that may replace parts of a model.
//
// Letters: B batch, T queries or positions, S keys, D model size.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/autograd/tensor.h"

namespace unroll {

struct AttentionOutput;  // see attention.h
struct CellState;        // see cell.h
class Block;             // see transformer_block.h

// Queries q (…, T, Q) and keys k (…, S, K) → scores (…, T, S).
using ScoreFunction = std::function<Tensor(const Operand& q, const Operand& k)>;
// Also values v (…, S, size), and a mask that is added to the scores and may be empty. The weights may be left empty.
using AttentionFunction =
    std::function<AttentionOutput(const Operand& q, const Operand& k, const Operand& v, const Tensor& mask)>;
// x (B, X) and the previous state (B, H) → the new state.
using CellFunction = std::function<CellState(const Operand& x, const CellState& previous)>;
// (T, D), for the positions from 0 on.
using PositionFunction = std::function<Tensor(int positions, int size)>;
// x (B, T, D) → (B, T, D): a norm, or a feed-forward network.
using LayerFunction = std::function<Tensor(const Operand& x)>;

// The replacements. A constructor asks for the function at a place of the model, named as its parameters begin, such as
// "decoder.0.norm1", with the sizes of what the function will be given; where it gets none, it makes the built-in part.
class Parts {
 public:
  virtual ~Parts() = default;
  virtual ScoreFunction score(const std::string&, int /*query*/, int /*key*/) const { return {}; }
  virtual AttentionFunction attention(const std::string&, int /*query*/, int /*key*/, int /*value*/) const {
    return {};
  }
  virtual CellFunction cell(const std::string&, int /*input*/, int /*hidden*/) const { return {}; }
  virtual PositionFunction positions(const std::string&, int /*size*/) const { return {}; }
  virtual LayerFunction norm(const std::string&, int /*size*/) const { return {}; }
  virtual LayerFunction feed_forward(const std::string&, int /*size*/) const { return {}; }
  virtual std::unique_ptr<const Block> block(const std::string&, int /*size*/) const;  // in transformer_block.cpp
};

// No replacements.
inline const Parts no_parts;

// The replacement, or if there is none what make_own() makes.
template <typename Part, typename MakeOwn>
Part replaced_or(Part replacement, const MakeOwn& make_own) {
  return replacement ? std::move(replacement) : Part(make_own());
}

}  // namespace unroll
