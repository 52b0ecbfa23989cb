#include "engine/models/seq2seq.h"

#include "engine/autograd/tape.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/tokens.h"

namespace unroll {
namespace {

RecurrentWriter make_writer(const Seq2SeqOptions& options, Parameters& parameters) {
  const DecoderOptions& decoder = options.decoder;
  Embedding embedding(parameters, "target_embedding", decoder.vocabulary, decoder.embedding);
  return {embedding,
          make_decoder(options, parameters),
          {.layers = decoder.layers,
           .c = decoder.cell == CellKind::lstm,
           .fed = feeds(options),
           .memory = attends(options)}};
}

}  // namespace

Seq2Seq::Seq2Seq(const Config& config)
    : PairModel(config.seed()),
      options_(read_seq2seq_options(config)),
      encoder_(options_.encoder, options_.source_vocabulary, options_.reverse_source, parameters_),
      writer_(make_writer(options_, parameters_)) {
  add_pair_inputs(options_.source_vocabulary, options_.decoder.vocabulary);
}

ModelSize Seq2Seq::size(const Config& config, const BatchSizes& batch) {
  const Seq2SeqOptions options = read_seq2seq_options(config);
  return {parameter_count(options), activation_count(options, batch.rows, batch.source, batch.target)};
}

Tensor Seq2Seq::loss() {
  output_ = weights_ = {};  // their memory serves the new ones
  parameters_.watch();
  const Tensor source = use_input("source"), target_in = use_input("target_in"), target_out = use_input("target_out");
  const RecurrentWriter::Decoding written = writer_.decode(encoder_.read(source), target_in);
  output_ = written.logits;  // (B, T, V)
  weights_ = written.weights;
  return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");
}

WriterState Seq2Seq::start(const Tensor& source) {
  check_token_shape("source", source.shape());
  check_padding("source", source);
  parameters_.watch();
  return writer_.start(encoder_.read(source));
}

Written Seq2Seq::next(const Tensor& tokens, WriterState& state) {
  return writer_.next(tokens, state, options_.hard ? 0 : 1);
}

}  // namespace unroll
