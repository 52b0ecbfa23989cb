// A model of texts: it reads the words so far and says what comes next.
#pragma once

#include "engine/models/model.h"
#include "engine/models/writer.h"

namespace unroll {

// Inputs target_in and target_out (B, T): token ids, target_out one position ahead, 0 for padding after the tokens; B
// to 256, T to 64. A target_in of another shape empties target_out: set it first. Output logits (B, T, V).
//
// As a Writer it goes on with openings: the source (R, S) of `start`, all of them as long, from no words to so many
// that there is room for a token behind them. They are read at the first `next`, behind its <bos>.
class TextModel : public Model, public Writer {
 public:
  using Model::Model;

  WriterState start(const Tensor& source) override;
  int room(int opening) const override;

 protected:
  // With something to look at: `positions` tokens, <bos> and <eos> among them.
  void add_text_inputs(int vocabulary, int positions);

  // Whether the state is one that `next` left, and no longer an opening: that stands there as (R, S, 1), where the
  // first row of any other state has another rank.
  static bool begun(const WriterState& state);
  // What `next` has to read: the tokens (R), at first with the opening behind them, (R, 1 + S).
  static Tensor unread(const Tensor& tokens, const WriterState& state);

  // About how many numbers a training step holds for rows of T positions.
  virtual double activations(int rows, int T) const = 0;

  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void check_content(const ModelInput& input, const Tensor& ids) const override;
  void input_changed(const std::string& name) override;
};

}  // namespace unroll
