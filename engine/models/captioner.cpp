#include "engine/models/captioner.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/model_size.h"
#include "engine/models/sprites.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/bahdanau_decoder.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int cells = scene_side * scene_side;
constexpr int colour_channels = 3;

CaptionerOptions read_captioner_options(const Config& config) {
  const int hidden = asked_size(config, 64), C = config.integer("channels", 32, 4, 128);
  const CaptionerOptions options = {
      .channels = {C / 4, C / 2, C},
      .decoder = {.cell = config.choice("cell", CellKind::gru, cell_kinds()),
                  .embedding = config.integer("embedding", 32, 1, largest_embedding),
                  .hidden = hidden,
                  .vocabulary = config.integer("target_vocabulary", 16, least_vocabulary, most_vocabulary),
                  .forget_bias = config.number("forget_bias", 0, 0, 10),
                  .source = C},
      .attention = {.score = config.text("score", "additive", score_kinds()),
                    .query = hidden,
                    .state = C,
                    .attention = config.integer("attention_size", std::min(hidden, largest_hidden), 1, largest_hidden),
                    .positions = cells},
      .grid_attention = config.flag("grid_attention", false)};
  refuse_too_large(hidden, parameter_count(options));
  return options;
}

// The table of sprites, whose ids are those of the task's vocabulary.
Tensor sprites_for(const Config& config) {
  const Tensor sprites = sprite_table();
  const int known = sprites.shape()[0];
  const int asked = config.integer("source_vocabulary", known, least_vocabulary, most_vocabulary);
  if (asked != known)
    fail(ErrorCode::config, "source_vocabulary is ", asked, ", and a captioner knows the ", known,
         " tokens that scenes are made of: train it on the task \"captions\".");
  return sprites;
}

void check_scene(const Shape& shape) {
  check_token_shape("source", shape);
  if (shape[1] != cells)
    fail(ErrorCode::shape, "source is ", shape, ": a scene has ", cells, " cells, ", scene_side, " rows of ",
         scene_side, ", so give each row of source ", cells, " tokens, \"", empty_cell, "\" for an empty cell.");
}

// Two things in an empty scene.
Tensor first_scene() {
  constexpr int empty = unk_id + 1;
  Tensor scene = Tensor::full({1, cells}, empty);
  scene.data()[5] = empty + 9;
  scene.data()[14] = empty + 3;
  return scene;
}

int key_channels(int channels) { return std::max(1, channels / 8); }  // (Zhang et al. 2019, §3)

RecurrentWriter make_writer(const CaptionerOptions& options, Parameters& parameters) {
  const DecoderOptions& decoder = options.decoder;
  Embedding embedding(parameters, "target_embedding", decoder.vocabulary, decoder.embedding);
  return {embedding,
          std::make_unique<BahdanauDecoder>(decoder, options.attention, parameters),
          {.c = decoder.cell == CellKind::lstm, .memory = true}};
}

}  // namespace

double parameter_count(const CaptionerOptions& options) {
  const DecoderOptions& decoder = options.decoder;
  const double E = decoder.embedding, H = decoder.hidden, C = decoder.source, V = decoder.vocabulary;
  const double around = (2 * key_channels(decoder.source) + C) * (C + 1) + 1;
  double seeing = 2 * scene_side * C + (options.grid_attention ? around : 0), in = colour_channels;
  for (const int out : options.channels) {
    seeing += out * (9 * in + 1);
    in = out;
  }
  const double cell = stack_parameters({decoder.cell, decoder.embedding, decoder.hidden}, E + C);
  return seeing + H * (C + 1) + V * E + cell + source_attention_parameters(options.attention) + V * (H + C + E + 1);
}

double activation_count(const CaptionerOptions& options, int rows, int S, int T) {
  const DecoderOptions& decoder = options.decoder;
  double seeing = 0, in = colour_channels, pixels = picture_side * picture_side;
  for (const int out : options.channels) {
    seeing += pixels * (9 * in + 3 * out);
    in = out;
    pixels /= 4;
  }
  const double inputs = decoder.embedding + decoder.source + decoder.hidden;
  const double looking = S * (options.attention.attention + 6.0);
  const double writing =
      cell_activations(decoder.cell, decoder.hidden) + inputs + looking + logit_activations * decoder.vocabulary;
  return rows * (seeing + T * writing);
}

Captioner::Captioner(const Config& config)
    : PairModel(config.seed()),
      options_(read_captioner_options(config)),
      sprites_(sprites_for(config)),
      convnet_(parameters_, "convnet", colour_channels, options_.channels),
      row_(parameters_.declare("row", {scene_side, 1, options_.decoder.source}, normal(1))),
      column_(parameters_.declare("column", {1, scene_side, options_.decoder.source}, normal(1))),
      first_state_(parameters_, "first_state", options_.decoder.source, options_.decoder.hidden),
      writer_(make_writer(options_, parameters_)) {
  const int C = options_.decoder.source;
  if (options_.grid_attention) grid_attention_ = GridAttention(parameters_, "grid_attention", C, key_channels(C));
  add_pair_inputs(sprites_.shape()[0], options_.decoder.vocabulary);
  replace_input("source", first_scene());
}

ModelSize Captioner::size(const Config& config, const BatchSizes& batch) {
  const CaptionerOptions options = read_captioner_options(config);
  return {parameter_count(options), activation_count(options, batch.rows, batch.source, batch.target)};
}

Tensor Captioner::loss() {
  output_ = weights_ = {};  // their memory serves the new ones
  parameters_.watch();
  const Tensor source = use_input("source"), target_in = use_input("target_in"), target_out = use_input("target_out");
  const RecurrentWriter::Decoding written = writer_.decode(read(source), target_in);
  output_ = written.logits;
  weights_ = written.weights;
  return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");
}

// scenes (B, 16) → what the decoder attends to and begins with.
Source Captioner::read(Operand scenes) const {
  const Tensor picture = draw_scene(scenes, sprites_).as("picture", Role::input);  // (B, 3, 32, 32)
  const Tensor seen = places_of(look_around(picture)).as("seen");                  // (B, 16, C)
  const Tensor where = reshape(row_ + column_, {seen.shape()[1], seen.shape()[2]}).as("where");
  const Tensor places = (seen + where).as("places");
  const Tensor s = tanh(first_state_(sum(seen, 1).as("pooled"))).as("s0");  // (B, H)
  const bool lstm = options_.decoder.cell == CellKind::lstm;
  const std::vector<int> all(static_cast<std::size_t>(scenes.shape()[0]), scenes.shape()[1]);
  return {.h = places, .last = {{s, lstm ? Tensor::full(s.shape(), 0) : Tensor()}}, .lengths = all};
}

// picture (B, 3, 32, 32) → (B, C, 4, 4): the features, after they looked at each other where they do.
Tensor Captioner::look_around(Operand picture) const {
  Tensor features;
  {
    Scope scope("convnet");
    features = convnet_(picture);
  }
  features = features.as("features");
  if (!grid_attention_) return features;
  Scope scope("grid_attention");
  return (*grid_attention_)(features).y;
}

WriterState Captioner::start(const Tensor& source) {
  check_scene(source.shape());
  check_padding("source", source);
  parameters_.watch();
  return writer_.start(read(source));
}

Written Captioner::next(const Tensor& tokens, WriterState& state) { return writer_.next(tokens, state, 1); }

void Captioner::check_shape(const ModelInput& input, const Shape& shape) const {
  if (input.name == "source") check_scene(shape);
  PairModel::check_shape(input, shape);
}

}  // namespace unroll
