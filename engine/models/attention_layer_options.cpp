#include "engine/models/attention_layer_options.h"

#include <algorithm>

#include "engine/models/attention_layer.h"
#include "engine/models/position_options.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

MultiHeadOptions read_heads(const Config& config, MultiHeadOptions::Relative relative) {
  const int most = AttentionLayer::largest_size, most_heads = AttentionLayer::most_heads;
  return complete({.model = config.integer("size", 4, 1, most),
                   .heads = config.integer("heads", 1, 1, most_heads),
                   .key_value_heads = config.integer("key_value_heads", 0, 0, most_heads),
                   .head_size = config.integer("key_size", 0, 0, most),
                   .value_size = config.integer("value_size", 0, 0, most),
                   .bias = config.flag("bias", false),
                   .relative = relative});
}

// What is not projected has the size it has.
void check_sizes(const AttentionLayerOptions& o) {
  const MultiHeadOptions& heads = o.heads;
  const int part = heads.model / heads.heads;
  if (o.projected == Projected::all) return;
  if (heads.head_size != part || heads.model % heads.heads != 0)
    fail(ErrorCode::config, "key_size is ", heads.head_size, ", but queries are not projected and each of the ",
         heads.heads, " heads gets ", part, " of the ", heads.model,
         " numbers of a word: use a key_size of size / heads, or projections \"all\".");
  if (o.projected == Projected::none && (heads.value_size != part || heads.key_value_heads != heads.heads))
    fail(ErrorCode::config, "projections is \"none\", so keys and values are parts of the words, one for each of the ",
         heads.heads, " heads and ", part, " numbers long: leave out value_size and key_value_heads, or use another.");
}

void check_words(const AttentionLayerOptions& o) {
  const int longer = std::max(o.words, o.source_words);
  if (o.positions == AbsolutePositions::learned && longer > o.longest)
    fail(ErrorCode::config, o.words == longer ? "words" : "source_words", " is ", longer,
         ", and the table of learned positions has ", o.longest, " rows: use at most ", o.longest,
         " words, or raise longest.");
  if (o.padding > o.keys())
    fail(ErrorCode::config, "padding is ", o.padding, ", and there are ", o.keys(), " words to look at: use 0 to ",
         o.keys(), ".");
}

// Linear attention never has a score that could be hidden or lowered.
void check_form(const AttentionLayerOptions& o) {
  if (o.form != AttentionForm::linear) return;
  const auto refuse = [](const char* what) {
    fail(ErrorCode::config, what,
         ", but form is \"linear\", which computes no scores: use form \"plain\" or \"blocks\".");
  };
  if (o.mask == MaskKind::window) refuse("mask is \"window\"");
  if (o.padding > 0) refuse("padding is more than 0");
  if (o.heads.relative == MultiHeadOptions::Relative::alibi) refuse("positions is \"alibi\"");
  if (o.cross() && o.mask == MaskKind::causal) refuse("mask is \"causal\" for two sequences");
}

// What is given for a part that this layer does not have.
void check_given(const Config& config, const AttentionLayerOptions& o) {
  const std::string projections = o.projected == Projected::none ? "none" : "keys_values";
  if (o.projected != Projected::all)
    config.refuse_needless("W_Q", "projections is \"" + projections +
                                      "\", so queries are not projected: leave out W_Q, "
                                      "or use projections \"all\"");
  for (const std::string name : {"W_K", "W_V"})
    if (o.projected == Projected::none)
      config.refuse_needless(name, "projections is \"none\", so keys and values are not projected: leave out " + name +
                                       ", or use projections \"all\" or \"keys_values\"");
  if (!o.output_projection)
    config.refuse_needless("W_O", "output_projection is false: leave out W_O, or use output_projection true");
  if (!o.cross())
    config.refuse_needless("source",
                           "source_words is 0, so the words look at themselves: leave out source, or use "
                           "a source_words of 1 to 16");
}

}  // namespace

AttentionLayerOptions read_attention_layer(const Config& config) {
  const int most = AttentionLayer::most_words;
  const PositionKind positions = read_positions(config, "none");
  const MultiHeadOptions heads = read_heads(config, positions.relative);
  const AttentionLayerOptions options = {
      .words = config.integer("words", 4, 1, most),
      .source_words = config.integer("source_words", 0, 0, most),
      .heads = heads,
      .projected = config.choice("projections", Projected::all, {"all", "keys_values", "none"}),
      .output_projection = config.flag("output_projection", heads.heads > 1),
      .positions = positions.absolute,
      .longest = config.integer("longest", most, 1, most),
      .mask = config.choice("mask", MaskKind::none, {"none", "causal", "window"}),
      .window = config.integer("window", 2, 1, most),
      .sinks = config.integer("sinks", 0, 0, most),
      .padding = config.integer("padding", 0, 0, most),
      .form = config.choice("form", AttentionForm::plain, {"plain", "linear", "blocks"}),
      .block = config.integer("block", 2, 1, most)};
  check_sizes(options);
  check_words(options);
  check_form(options);
  check_given(config, options);
  return options;
}

}  // namespace unroll
