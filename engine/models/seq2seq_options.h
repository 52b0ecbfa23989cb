// What a sequence-to-sequence model is made of.
#pragma once

#include "engine/models/config.h"
#include "engine/nn/recurrent_decoder.h"

namespace unroll {

// How the decoder gets to know the source; each is a file of engine/nn.
enum class Wiring { first_state, every_step, bahdanau, luong };

struct Seq2SeqOptions {
  RecurrentOptions encoder;
  DecoderOptions decoder;
  SourceAttentionOptions attention;
  Wiring wiring = Wiring::bahdanau;
  int source_vocabulary = 0;
  bool input_feeding = true;    // luong
  bool hard = false;            // attention while it writes
  bool reverse_source = false;  // without attention
};

bool attends(const Seq2SeqOptions& options);
bool feeds(const Seq2SeqOptions& options);  // whether DecoderState::fed holds something

// From the fields that Seq2Seq lists. Throws Error(config), for a model that is too large with its estimated size.
Seq2SeqOptions read_seq2seq_options(const Config& config);

std::unique_ptr<RecurrentDecoder> make_decoder(const Seq2SeqOptions& options, Parameters& parameters);

// How many numbers the parameters are, and about how many a training step holds beside their gradients, for rows of S
// source and T target positions.
double parameter_count(const Seq2SeqOptions& options);
double activation_count(const Seq2SeqOptions& options, int rows, int S, int T);

}  // namespace unroll
