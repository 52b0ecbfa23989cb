// One attention layer over a few words: heads, positions and masks, small enough to follow value by value.
#include <algorithm>
#include <functional>
#include <optional>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/models/shared_options.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/efficient_attention.h"
#include "engine/nn/attention/multi_head.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int max_words = 16, max_word_size = 32, max_layer_heads = 8;
constexpr std::uint64_t stream_of_source = 2;

// Which inputs are projected: queries, keys and values; keys and values only, the queries being the words; none.
enum class Projected { all, keys_values, none };

enum class MaskKind { none, causal, window };

// How attention is computed: all scores at once; no scores, but sums over the keys; one block of keys at a time.
enum class AttentionForm { plain, linear, blocks };

struct AttentionLayerOptions {
  int words = 0;
  int source_words = 0;  // 0: self-attention
  MultiHeadOptions heads;
  Projected projected = Projected::all;
  bool output_projection = false;
  AbsolutePositions positions = AbsolutePositions::none;  // relative positions are in `heads`
  int longest = 0;                                        // rows of a learned position table
  MaskKind mask = MaskKind::none;
  int window = 0, sinks = 0;
  int padding = 0;  // number of trailing keys that are padding
  AttentionForm form = AttentionForm::plain;
  int block = 0;

  bool cross() const { return source_words > 0; }
  int keys() const { return cross() ? source_words : words; }
  int output() const { return output_projection ? heads.model : heads.heads * heads.value_size; }
};

MultiHeadOptions read_heads(const Config& config, MultiHeadOptions::Relative relative) {
  return with_defaults({.model = config.integer("size", 4, 1, max_word_size),
                        .heads = config.integer("heads", 1, 1, max_layer_heads),
                        .key_value_heads = config.integer("key_value_heads", 0, 0, max_layer_heads),
                        .head_size = config.integer("key_size", 0, 0, max_word_size),
                        .value_size = config.integer("value_size", 0, 0, max_word_size),
                        .bias = config.flag("bias", false),
                        .relative = relative});
}

// Without a projection, sizes must match the words split across the heads.
void check_sizes(const AttentionLayerOptions& o) {
  const MultiHeadOptions& heads = o.heads;
  const int part = heads.model / heads.heads;
  if (o.projected == Projected::all) return;
  if (heads.head_size != part || heads.model % heads.heads != 0)
    fail(ErrorCode::config, "key_size_is_not_part_of_word", heads.head_size, heads.heads, part, heads.model);
  if (o.projected == Projected::none && (heads.value_size != part || heads.key_value_heads != heads.heads))
    fail(ErrorCode::config, "key_value_options_without_projection", heads.heads, part);
}

void check_words(const AttentionLayerOptions& o) {
  const int longer = std::max(o.words, o.source_words);
  if (o.positions == AbsolutePositions::learned && longer > o.longest)
    fail(ErrorCode::config, "words_beyond_positions", std::string_view(o.words == longer ? "words" : "source_words"),
         longer, o.longest);
  if (o.padding > o.keys()) fail(ErrorCode::config, "padding_out_of_range", o.padding, o.keys());
}

// Linear attention has no scores to mask or bias; its sums can still run causally over a single sequence.
void check_form(const AttentionLayerOptions& o) {
  if (o.form != AttentionForm::linear) return;
  const auto reject = [](const char* what) { fail(ErrorCode::config, "linear_form_has_no_scores", phrase(what)); };
  if (o.mask == MaskKind::window) reject("mask_is_window");
  if (o.padding > 0) reject("padding_is_above_zero");
  if (o.heads.relative == MultiHeadOptions::Relative::alibi) reject("positions_are_alibi");
  if (o.cross() && o.mask == MaskKind::causal) reject("mask_is_causal_for_two_sequences");
}

// Rejects values for parts that this layer does not have.
void check_given(const Config& config, const AttentionLayerOptions& o) {
  const char* projections = o.projected == Projected::none ? "none" : "keys_values";
  if (o.projected != Projected::all)
    config.reject_if_set("W_Q", phrase("queries_are_not_projected", std::string_view(projections)));
  for (const std::string name : {"W_K", "W_V"})
    if (o.projected == Projected::none) config.reject_if_set(name, phrase("keys_are_not_projected", name));
  if (!o.output_projection) config.reject_if_set("W_O", phrase("output_is_not_projected"));
  if (!o.cross()) config.reject_if_set("source", phrase("no_source_words"));
}

// Throws Error(config) for a field out of range or an invalid combination.
AttentionLayerOptions read_attention_layer(const Config& config) {
  const PositionKind positions = read_positions(config, "none");
  const MultiHeadOptions heads = read_heads(config, positions.relative);
  const AttentionLayerOptions options = {
      .words = config.integer("words", 4, 1, max_words),
      .source_words = config.integer("source_words", 0, 0, max_words),
      .heads = heads,
      .projected = config.choice("projections", Projected::all, {"all", "keys_values", "none"}),
      .output_projection = config.flag("output_projection", heads.heads > 1),
      .positions = positions.absolute,
      .longest = config.integer("longest", max_words, 1, max_words),
      .mask = config.choice("mask", MaskKind::none, {"none", "causal", "window"}),
      .window = config.integer("window", 2, 1, max_words),
      .sinks = config.integer("sinks", 0, 0, max_words),
      .padding = config.integer("padding", 0, 0, max_words),
      .form = config.choice("form", AttentionForm::plain, {"plain", "linear", "blocks"}),
      .block = config.integer("block", 2, 1, max_words)};
  check_sizes(options);
  check_words(options);
  check_form(options);
  check_given(config, options);
  return options;
}

// Input X (n, D), one row per word; with source_words also source (m, D), which X then attends to instead of itself (m
// = n without it). Positions are added to the words or enter the scores; queries q (1, N, n, K), keys k (1, G, m, K),
// values v (1, G, m, value size), scores e and weights α (1, N, n, m), contexts c (1, N, n, value size), all in the
// scope "attention"; output o (n, D), or (n, N · value size) without W_O. Loss L = mean (o − target)². The inputs mask
// (n, m; none with form linear) and target can be set too; a new n resets both, a new m the mask.
//
// Config: words (1 to 16), source_words (0 to 16; 0: self-attention), size (D, 1 to 32), heads (N, 1 to 8),
// key_value_heads (G; 0: N), key_size (K, 0 to 32; 0: D / N), value_size (0: K), bias; projections: all, keys_values
// (the queries are X itself), none; output_projection (default: heads > 1); positions: none, index, sinusoidal,
// learned, alibi, rotary; longest (rows of a learned table); mask: none, causal, window; window and sinks (see
// sliding_window_mask); padding (number of trailing keys hidden); form: plain, linear, blocks (see
// efficient_attention.h) and block; seed. Values as row-major lists for X, source, target and the weights, which have
// the layout of Linear: W_Q (N · K, D), W_K (G · K, D), W_V (G · value size, D), W_O (D, N · value size). Also part and
// program (see learner_parts.h).
class AttentionLayer : public Model {
 public:
  explicit AttentionLayer(const Config& config);
  Tensor loss() override;

 private:
  HeadProjections declare_projections(const Config& config);
  Tensor first_mask(int words, int keys) const;
  std::function<Tensor(int words)> declare_positions();
  Tensor with_positions(Operand words, const char* name) const;
  Tensor attend_to(Operand x, Operand source, const Tensor& mask) const;
  Tensor block_by_block(Operand q, Operand k, Operand v, const Tensor& mask) const;
  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void input_changed(const std::string& name) override;

  AttentionLayerOptions options_;
  MultiHeadAttention layer_;
  std::function<Tensor(int words)> positions_;  // (n, D), or (n, 1) for index positions; empty if there are none
};

AttentionLayer::AttentionLayer(const Config& config)
    : Model(config),
      options_(read_attention_layer(config)),
      layer_(options_.heads, declare_projections(config), "attention", parameters_.parts()),
      positions_(declare_positions()) {
  const int words = options_.words, keys = options_.keys(), size = options_.heads.model;

  add_input({.name = "X", .value = given_or_drawn(config, "X", {words, size}, stream_of_X, normal(1))});
  if (options_.cross())
    add_input({.name = "source", .value = given_or_drawn(config, "source", {keys, size}, stream_of_source, normal(1))});
  if (options_.form != AttentionForm::linear)
    add_input({.name = "mask", .value = first_mask(words, keys), .takes_gradient = false, .is_mask = true});
  add_input({.name = "target",
             .value = given_or_drawn(config, "target", {words, options_.output()}, stream_of_X, constant(0)),
             .takes_gradient = false});
  for (const ModelInput& each : inputs()) set_input(each.name, each.value);  // rejects values that are too large
}

HeadProjections AttentionLayer::declare_projections(const Config& config) {
  const MultiHeadOptions& heads = options_.heads;
  const int K = heads.head_size, V = heads.value_size, G = heads.key_value_heads, N = heads.heads;
  const auto linear = [&](bool wanted, const char* weight, const char* bias, int out, int in) -> std::optional<Linear> {
    if (!wanted) return std::nullopt;
    const Tensor W = parameters_.declare(weight, {out, in}, given_or(config, weight, {out, in}, xavier_uniform()));
    return Linear(W, heads.bias ? parameters_.declare(bias, {out}, constant(0)) : Tensor());
  };
  const bool keys_values = options_.projected != Projected::none;
  return {.W_Q = linear(options_.projected == Projected::all, "W_Q", "b_Q", N * K, heads.model),
          .W_K = linear(keys_values, "W_K", "b_K", G * K, heads.model),
          .W_V = linear(keys_values, "W_V", "b_V", G * V, heads.model),
          .W_O = linear(options_.output_projection, "W_O", "b_O", heads.model, N * V)};
}

Tensor AttentionLayer::first_mask(int words, int keys) const {
  const int lengths[] = {keys - std::min(options_.padding, keys)};
  const Tensor present = reshape(padding_mask(lengths, keys), {1, keys});
  if (options_.mask == MaskKind::causal) return combined_mask(causal_mask(words, keys), present);
  if (options_.mask == MaskKind::none) return combined_mask(Tensor::full({words, keys}, 0), present);
  return combined_mask(sliding_window_mask(words, keys, options_.window, options_.sinks), present);
}

std::function<Tensor(int words)> AttentionLayer::declare_positions() {
  const AbsolutePositions kind = options_.positions;
  const int D = options_.heads.model;
  if (const PositionFunction replacement = parameters_.parts().positions("positions", D))
    return [=](int words) { return replacement(words, D).as("P"); };
  if (kind == AbsolutePositions::none) return {};
  if (kind == AbsolutePositions::learned)
    return [table = LearnedPositions(parameters_, "positions", options_.longest, D)](int words) {
      return table(words).as("P");
    };
  return [=](int words) { return input("P", fixed_positions(kind, words, D), Role::input, false); };
}

// Words (n, D) plus their positions, as a batch of one sequence (1, n, D).
Tensor AttentionLayer::with_positions(Operand words, const char* name) const {
  const int n = words.shape()[0];
  return reshape(positions_ ? (words + positions_(n)).as(name) : Tensor(words), {1, n, words.shape()[1]});
}

// x (1, n, D) attends to source (1, m, D) under the mask (n, m): o (1, n, D), or (1, n, N · value size) without W_O.
Tensor AttentionLayer::attend_to(Operand x, Operand source, const Tensor& mask) const {
  Scope scope("attention", x.where);
  if (options_.form == AttentionForm::plain) return layer_(x, source, source, mask).context;
  const int heads = options_.heads.heads;
  const Tensor q = layer_.queries(x);  // (1, N, n, K)
  const KeysValues memory = layer_.keys_and_values(source, source);
  const Tensor k = repeat_kv(memory.keys, heads);    // (1, N, m, K)
  const Tensor v = repeat_kv(memory.values, heads);  // (1, N, m, value size)
  const bool causal = options_.mask == MaskKind::causal;
  if (options_.form == AttentionForm::blocks) return layer_.output(block_by_block(q, k, v, mask));
  return layer_.output(causal ? causal_linear_attention(q, k, v) : linear_attention(q, k, v));
}

// The contexts of the heads (1, N, n, value size).
Tensor AttentionLayer::block_by_block(Operand q, Operand k, Operand v, const Tensor& mask) const {
  if (options_.heads.relative != MultiHeadOptions::Relative::alibi)
    return block_attention(q, k, v, options_.block, mask);
  const Tensor bias = alibi_bias(q.shape()[1], q.shape()[2], k.shape()[2]).as("bias", Role::input);  // (N, n, m)
  return block_attention(q, k, v, options_.block, mask + bias);
}

Tensor AttentionLayer::loss() {
  output_ = {};  // frees its buffer for this pass
  parameters_.record();
  const Tensor X = use_input("X");
  const Tensor other = options_.cross() ? use_input("source") : X;
  const Tensor mask = options_.form == AttentionForm::linear ? Tensor() : use_input("mask");
  const Tensor target = use_input("target");
  const Tensor x = with_positions(X, "x");
  const Tensor source = options_.cross() ? with_positions(other, "x of the source") : x;
  output_ = reshape(attend_to(x, source, mask), target.shape());
  return mean_squared_error(output_, target).as("L");
}

void AttentionLayer::check_shape(const ModelInput& input, const Shape& shape) const {
  if (input.name != "X" && input.name != "source") return Model::check_shape(input, shape);
  const int size = options_.heads.model;
  const int limit = options_.positions == AbsolutePositions::learned ? options_.longest : max_words;
  if (shape.rank() != 2 || shape[0] < 1 || shape[0] > limit || shape[1] != size)
    fail(ErrorCode::shape, "words_shape_differs", input.name, shape, limit, size);
}

// Resets the mask when its shape changes, and the target when the number of words changes.
void AttentionLayer::input_changed(const std::string& name) {
  if (name != "X" && name != "source") return;
  const int words = value_of("X").shape()[0], keys = options_.cross() ? value_of("source").shape()[0] : words;
  for (const ModelInput& each : inputs()) {
    const Shape shape = each.value.shape();
    if (each.is_mask && shape != Shape{words, keys}) replace_input(each.name, first_mask(words, keys));
    if (each.name == "target" && shape[0] != words) replace_input(each.name, Tensor::full(shape.with(0, words), 0));
  }
}

}  // namespace

ModelKind attention_layer_kind() { return kind_of<AttentionLayer>("attention_layer"); }

}  // namespace unroll
