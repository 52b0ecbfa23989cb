// Tensors as texts, as PyTorch writes them: four decimals, numbers of one width, and of more than 1000 values the first
// and last three along each axis.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/program/formatting.h"
#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

constexpr std::size_t most_values = 1000, letters_of_line = 80;
constexpr int shown_of_axis = 3, indent_of_tensor = 7, decimals_of_tensor = 4;

// How the numbers of a tensor are written, and how wide.
struct NumberStyle {
  Type type = Type::real;
  bool is_whole = true, has_exponent = false;
  std::size_t width = 1;

  std::string written(double value) const {
    if (type == Type::boolean) return value != 0 ? "True" : "False";
    if (type == Type::integer) return fixed_text(value, 0);
    if (!std::isfinite(value)) return fixed_text(value, 0);
    if (has_exponent) return scientific_text(value, decimals_of_tensor);
    return is_whole ? fixed_text(value, 0) + "." : fixed_text(value, decimals_of_tensor);
  }

  std::string aligned(double value) const {
    const std::string text = written(value);
    return std::string(width - std::min(width, text.size()), ' ') + text;
  }
};

NumberStyle style_of(const std::vector<double>& values, Type type) {
  NumberStyle style{type};
  double least = std::numeric_limits<double>::infinity(), most = 0;
  const auto counts = [&](double value) { return type != Type::real || (std::isfinite(value) && value != 0); };
  for (const double value : values) {
    if (!counts(value)) continue;
    least = std::min(least, std::abs(value)), most = std::max(most, std::abs(value));
    style.is_whole = style.is_whole && value == std::trunc(value);
  }
  constexpr double widest_ratio = 1000, too_large = 1e8, too_small = 1e-4;
  style.has_exponent = type == Type::real && most > 0 &&
                       (most / least > widest_ratio || most > too_large || (!style.is_whole && least < too_small));
  for (const double value : values)
    if (counts(value)) style.width = std::max(style.width, style.written(value).size());
  return style;
}

class TensorWriter {
 public:
  explicit TensorWriter(const TypedTensor& tensor)
      : shape_(tensor.tensor.shape()), values_(tensor.tensor.values()), is_short_(shape_.size() > most_values) {
    std::vector<double> shown;
    collect(0, 0, shown);
    style_ = style_of(shown, tensor.type);
  }

  std::string written() const { return written(0, 0, indent_of_tensor); }

 private:
  std::size_t stride(int axis) const {
    std::size_t size = 1;
    for (int i = axis + 1; i < shape_.rank(); ++i) size *= static_cast<std::size_t>(shape_[i]);
    return size;
  }

  // The indices along an axis that are written; -1 stands for those between.
  std::vector<int> indices(int axis) const {
    std::vector<int> all;
    const int size = shape_[axis];
    const bool leaves_out = is_short_ && size > 2 * shown_of_axis;
    for (int i = 0; i < size; ++i) {
      if (leaves_out && i == shown_of_axis) all.push_back(-1), i = size - shown_of_axis;
      all.push_back(i);
    }
    return all;
  }

  void collect(int axis, std::size_t from, std::vector<double>& shown) const {
    if (axis == shape_.rank()) return shown.push_back(static_cast<double>(values_[from]));
    for (const int i : indices(axis))
      if (i >= 0) collect(axis + 1, from + static_cast<std::size_t>(i) * stride(axis), shown);
  }

  std::string written(int axis, std::size_t from, int indent) const {
    if (axis == shape_.rank()) return style_.written(static_cast<double>(values_[from]));
    if (axis == shape_.rank() - 1) return row(axis, from, indent);
    std::string text = "[";
    const std::string between = "," + std::string(static_cast<std::size_t>(shape_.rank() - axis - 1), '\n') +
                                std::string(static_cast<std::size_t>(indent) + 1, ' ');
    for (const int i : indices(axis)) {
      if (text.size() > 1) text += between;
      text += i < 0 ? "..." : written(axis + 1, from + static_cast<std::size_t>(i) * stride(axis), indent + 1);
    }
    return text + "]";
  }

  std::string row(int axis, std::size_t from, int indent) const {
    const std::size_t of_line =
        std::max<std::size_t>((letters_of_line - static_cast<std::size_t>(indent)) / (style_.width + 2), 1);
    std::string text = "[";
    std::size_t count = 0;
    for (const int i : indices(axis)) {
      if (count > 0)
        text += count % of_line == 0 ? ",\n" + std::string(static_cast<std::size_t>(indent) + 1, ' ') : ", ";
      text += i < 0 ? " ..." : style_.aligned(static_cast<double>(values_[from + static_cast<std::size_t>(i)]));
      ++count;
    }
    return text + "]";
  }

  const Shape shape_;
  const std::span<const Scalar> values_;
  const bool is_short_;
  NumberStyle style_;
};

std::string type_suffix(Type type) {
  return type == Type::integer ? ", dtype=torch.int64" : type == Type::boolean ? ", dtype=torch.bool" : "";
}

std::string empty_text(const TypedTensor& tensor) {
  const Shape& shape = tensor.tensor.shape();
  std::string size;
  for (const int each : shape) size += (size.empty() ? "" : ", ") + std::to_string(each);
  return "tensor([]" + (shape.rank() == 1 ? "" : ", size=(" + size + ")") + type_suffix(tensor.type) + ")";
}

}  // namespace

std::string tensor_text(const TypedTensor& tensor) {
  if (tensor.tensor.size() == 0) return empty_text(tensor);
  const std::string text = "tensor(" + TensorWriter(tensor).written();
  if (tensor.is_parameter) return "Parameter containing:\n" + text + ", requires_grad=True)";
  return text + ")";
}

}  // namespace unroll::program
