// The recurrent encoder: reads the source token by token.
#pragma once

#include <vector>

#include "engine/nn/layers/embedding.h"
#include "engine/nn/recurrent/recurrent.h"

namespace unroll {

// An encoded source (B, S).
struct Source {
  Tensor h;                     // (B, S, D·H): a state for each token, 0 at padding
  std::vector<CellState> last;  // see RecurrentOutput
  std::vector<int> lengths;     // tokens in each row
};

class RecurrentEncoder {
 public:
  // Parameters source_embedding.weight (V, E) and encoder.0.W … With `reversed` it reads from the last token to the
  // first. (Sutskever et al. 2014, §3.3.)
  RecurrentEncoder(const RecurrentOptions& options, int vocabulary, bool reversed, Parameters& parameters);

  // ids (B, S), with pad_id after the tokens.
  Source encode(Operand ids) const;

 private:
  Embedding embedding_;
  Recurrent network_;
  bool reversed_;
};

}  // namespace unroll
