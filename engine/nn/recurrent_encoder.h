// The encoder: reads the source token by token.
#pragma once

#include <vector>

#include "engine/nn/embedding.h"
#include "engine/nn/recurrent.h"

namespace unroll {

// What reading a source (B, S) leaves behind.
struct Source {
  Tensor h;                     // (B, S, D·H), a state for each token, 0 for padding
  std::vector<CellState> last;  // see Encoded
  std::vector<int> lengths;     // tokens in each row
};

class RecurrentEncoder {
 public:
  // Parameters source_embedding.weight (V, E) and encoder.0.W … With `reversed` it reads from the last token to the
  // first. (Sutskever et al. 2014, §3.3.)
  RecurrentEncoder(const RecurrentOptions& options, int vocabulary, bool reversed, Parameters& parameters);

  // ids (B, S), with pad_id after the tokens.
  Source read(Operand ids) const;

 private:
  Embedding embedding_;
  Recurrent network_;
  bool reversed_;
};

}  // namespace unroll
