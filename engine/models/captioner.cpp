#include "engine/models/captioner.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/nn/layers/sprites.h"
#include "engine/nn/recurrent/decoders.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int cells = scene_side * scene_side;
constexpr int colour_channels = 3;

DecoderOptions read_decoder(const Config& config) {
  return {.cell = config.choice("cell", CellKind::gru, cell_kinds()),
          .embedding = config.integer("embedding", 32, 1, max_embedding),
          .hidden = read_size(config, 64),
          .vocabulary = read_vocabulary(config, "target_vocabulary"),
          .forget_bias = config.number("forget_bias", 0, 0, 10),
          .source = config.integer("channels", 32, 4, 128)};
}

SourceAttentionOptions read_attention(const Config& config, const DecoderOptions& decoder) {
  return {.score = config.text("score", "additive", score_kinds()),
          .query = decoder.hidden,
          .state = decoder.source,
          .attention = read_attention_size(config, decoder.hidden),
          .positions = cells};
}

// The sprite table, whose ids are those of the task's vocabulary.
Tensor sprites_for(const Config& config) {
  const Tensor sprites = sprite_table();
  const int sprite_count = sprites.shape()[0];
  const int requested = config.integer("source_vocabulary", sprite_count, min_vocabulary, max_vocabulary);
  if (requested != sprite_count) fail(ErrorCode::config, "captioner_vocabulary_differs", requested, sprite_count);
  return sprites;
}

void check_scene(const Shape& shape) {
  if (shape.rank() == 2 && shape[1] != cells)
    fail(ErrorCode::shape, "scene_shape_differs", shape, cells, scene_side, empty_cell);
}

// A scene with two objects.
Tensor first_scene() {
  constexpr int empty = unk_id + 1;
  Tensor scene = Tensor::full({1, cells}, empty);
  scene.data()[5] = empty + 9;
  scene.data()[14] = empty + 3;
  return scene;
}

int key_channels(int channels) { return std::max(1, channels / 8); }  // (Zhang et al. 2019, §3)

}  // namespace

Captioner::Captioner(const Config& config)
    : RecurrentGenerator(config),
      options_(read_decoder(config)),
      sprites_(sprites_for(config)),
      convnet_(parameters_, "convnet", colour_channels, {options_.source / 4, options_.source / 2, options_.source}),
      row_(parameters_.declare("row", {scene_side, 1, options_.source}, normal(1))),
      column_(parameters_.declare("column", {1, scene_side, options_.source}, normal(1))),
      first_state_(parameters_, "first_state", options_.source, options_.hidden) {
  const int C = options_.source;
  embed_targets(options_);
  decoder_ = std::make_unique<BahdanauDecoder>(options_, read_attention(config, options_), parameters_);
  if (config.flag("grid_attention", false))
    grid_attention_ = GridAttention(parameters_, "grid_attention", C, key_channels(C));
  add_pair_inputs(sprites_.shape()[0], options_.vocabulary);
  replace_input("source", first_scene());
}

// scenes (B, 16) → the places that the decoder attends to, and its initial state.
Source Captioner::encode(Operand scenes) const {
  const Tensor picture = draw_scene(scenes, sprites_).as("picture", Role::input);  // (B, 3, 32, 32)
  const Tensor features = places_of(extract_features(picture)).as("seen");         // (B, 16, C)
  const Tensor positions = reshape(row_ + column_, {features.shape()[1], features.shape()[2]}).as("where");
  const Tensor places = (features + positions).as("places");
  const Tensor s = tanh(first_state_(sum(features, 1).as("pooled"))).as("s0");  // (B, H)
  const bool lstm = options_.cell == CellKind::lstm;
  const std::vector<int> all(static_cast<std::size_t>(scenes.shape()[0]), scenes.shape()[1]);
  return {.h = places, .last = {{s, lstm ? Tensor::full(s.shape(), 0) : Tensor()}}, .lengths = all};
}

// picture (B, 3, 32, 32) → features (B, C, 4, 4), after grid attention if it is on.
Tensor Captioner::extract_features(Operand picture) const {
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

GeneratorState Captioner::start(const Tensor& source) {
  check_scene(source.shape());
  return RecurrentGenerator::start(source);
}

void Captioner::check_shape(const ModelInput& input, const Shape& shape) const {
  if (input.name == "source") check_scene(shape);
  EncoderDecoderModel::check_shape(input, shape);
}

ModelKind captioner_kind() { return task_kind_of<new_model<Captioner>, hidden_field>("captioner"); }

}  // namespace unroll
