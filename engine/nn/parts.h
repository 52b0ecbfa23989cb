// Functions that may stand in place of the lab's own in the layers of a model.
//
// Letters: B batch, T queries or positions, S keys, D model size.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/autograd/operand.h"

namespace unroll {

struct AttentionOutput;  // see attention.h
class Block;             // see transformer_block.h

// Queries q (…, T, Q) and keys k (…, S, K) → scores (…, T, S).
using ScoreFunction = std::function<Tensor(const Operand& q, const Operand& k)>;
// Also values v (…, S, size), and a mask that is added to the scores and may be empty. The weights may be left empty.
using AttentionFunction =
    std::function<AttentionOutput(const Operand& q, const Operand& k, const Operand& v, const Tensor& mask)>;
// x (B, X) and the previous state h (B, H) → the new state (B, H).
using CellFunction = std::function<Tensor(const Operand& x, const Operand& h)>;
// (T, D), for the positions from 0 on.
using PositionFunction = std::function<Tensor(int positions, int size)>;
// x (B, T, D) → (B, T, D): a norm, or a feed-forward network.
using LayerFunction = std::function<Tensor(const Operand& x)>;

// What stands in place of the lab's own. The constructor of a layer asks for its function, with the name that begins
// the names of the layer's parameters, such as "decoder.0.norm1", and the sizes of what the function will be given.
// nullptr leaves the lab's own in its place. The functions live as long as the Parts, which the layers must not
// outlive.
class Parts {
 public:
  virtual ~Parts() = default;
  virtual const ScoreFunction* score(const std::string&, int /*query*/, int /*key*/) const { return nullptr; }
  virtual const AttentionFunction* attention(const std::string&, int /*query*/, int /*key*/, int /*value*/) const {
    return nullptr;
  }
  virtual const CellFunction* cell(const std::string&, int /*input*/, int /*hidden*/) const { return nullptr; }
  virtual const PositionFunction* positions(const std::string&, int /*size*/) const { return nullptr; }
  virtual const LayerFunction* norm(const std::string&, int /*size*/) const { return nullptr; }
  virtual const LayerFunction* feed_forward(const std::string&, int /*size*/) const { return nullptr; }
  virtual std::unique_ptr<const Block> block(const std::string&, int /*size*/) const;  // in transformer_block.cpp
};

// Nothing in place of the lab's own.
inline const Parts no_parts;

}  // namespace unroll
