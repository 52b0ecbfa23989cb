// ONNX's Conv in two dimensions. (ONNX operator set 22, Conv.)
#include "engine/nn/layers/conv2d.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

// "Same" padding of `size` values for windows `stride` apart; the odd zero goes to the front or to the end.
std::pair<int, int> same_padding(int size, int window, int stride, bool odd_in_front) {
  const int windows = (size + stride - 1) / stride;
  const int zeros = std::max(0, (windows - 1) * stride + window - size), less = zeros / 2, more = zeros - less;
  return odd_in_front ? std::pair(more, less) : std::pair(less, more);
}

Padding padding_of(const Node& node, const Shape& x, const Shape& weight, int stride) {
  const auto automatic = node.attribute<std::string>("auto_pad", "NOTSET");
  if (automatic == "SAME_LOWER" || automatic == "SAME_UPPER") {
    const bool in_front = automatic == "SAME_LOWER";
    const auto [top, bottom] = same_padding(x[2], weight[2], stride, in_front);
    const auto [left, right] = same_padding(x[3], weight[3], stride, in_front);
    return {top, bottom, left, right};
  }
  const auto pads = node.attribute<std::vector<int>>("pads", {0, 0, 0, 0});  // top, left, bottom, right
  return {pads.at(0), pads.at(2), pads.at(1), pads.at(3)};
}

}  // namespace

ONNX(Conv) {
  const Tensor x = node[0], weight = node[1];
  if (x.rank() != 4) throw Skip("Conv: the engine convolves pictures only");
  const auto strides = node.attribute<std::vector<int>>("strides", {1, 1});
  if (strides.at(0) != strides.at(1)) throw Skip("Conv: the engine has one stride for both directions");
  if (node.attribute("group", 1) != 1) throw Skip("Conv: the engine convolves all channels together");
  for (const int dilation : node.attribute<std::vector<int>>("dilations", {}))
    if (dilation != 1) throw Skip("Conv: the engine has no dilation");
  const Conv2d conv(weight, node.optional(2), strides[0], padding_of(node, x.shape(), weight.shape(), strides[0]));
  return {conv(x)};
}

}  // namespace unroll::conform
