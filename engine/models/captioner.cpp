// An image captioner: a ConvNet encodes a picture, a recurrent decoder describes it and attends to its places.
#include <algorithm>
#include <optional>

#include "engine/autograd/tape.h"
#include "engine/models/seq2seq.h"
#include "engine/nn/attention/image_attention.h"
#include "engine/nn/layers/convolution.h"
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

// Inputs and loss: see SequenceModel and RecurrentGenerator. A source is a scene of the task captions, 16 cells row by
// row; the model draws it. (Xu et al. 2015, §3 and §4.2, soft attention, with a GRU by default.)
//   picture (B, 3, 32, 32) → ConvNet → features (B, C, 4, 4)
//   places (B, 16, C) = the features of each cell + a learned vector for its row + one for its column
//   s_0 = tanh(W Σ features + b), a sum so that the model can count; then BahdanauDecoder with the places as source
//
// Config: channels (C) 4 to 128, cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, forget_bias, score (see
// score_kinds), attention_size, source_vocabulary, target_vocabulary; grid_attention: whether the features attend to
// each other before the decoder attends to them (see GridAttention).
//
// On the tape: picture, convnet.0/y …, features, grid_attention/α, places, decoder.t2.attention/α, decoder.t2/s … as in
// Seq2Seq, then attention/α (B, T, 16) and logits.
class Captioner : public RecurrentGenerator {
 public:
  explicit Captioner(const Config& config)
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

  GeneratorState start(const Tensor& source) override {
    check_scene(source.shape());
    return RecurrentGenerator::start(source);
  }

 private:
  Source encode(Operand scenes) const override;

  // picture (B, 3, 32, 32) → features (B, C, 4, 4), after grid attention if it is on.
  Tensor extract_features(Operand picture) const {
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

  void check_shape(const ModelInput& input, const Shape& shape) const override {
    if (input.name == "source") check_scene(shape);
    EncoderDecoderModel::check_shape(input, shape);
  }

  DecoderOptions options_;
  Tensor sprites_;  // (V, 3 · 8 · 8)
  ConvNet convnet_;
  std::optional<GridAttention> grid_attention_;
  Tensor row_, column_;  // (4, 1, C), (1, 4, C)
  Linear first_state_;
};

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

}  // namespace

ModelKind captioner_kind() { return task_kind_of<new_model<Captioner>, hidden_field>("captioner"); }

}  // namespace unroll
