#include "engine/io/safetensors.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t length_bytes = 8, max_header_bytes = 1 << 20;

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// Parses the subset of JSON that headers use.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  template <typename Member>
  void object(Member member) {
    expect('{');
    if (take('}')) return;
    do {
      const std::string key = string();
      expect(':');
      member(key);
    } while (take(','));
    expect('}');
  }

  std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> result;
    expect('[');
    if (take(']')) return result;
    do result.push_back(number());
    while (take(','));
    expect(']');
    return result;
  }

  std::string string() {
    expect('"');
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) result += text_[at_++];
    }
    expect('"');
    return result;
  }

 private:
  std::uint64_t number() {
    skip_space();
    std::uint64_t value = 0;
    const std::size_t start = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && at_ - start < 15; ++at_)
      value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
    if (at_ == start) reject(phrase("a_whole_number"));
    return value;
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) reject(phrase("character_in_quotes", std::string_view(&c, 1)));
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  [[noreturn]] void reject(const Message& wanted) const {
    fail(ErrorCode::format, "safetensors_header_damaged", wanted, at_);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

struct Entry {
  std::string type;
  std::vector<std::uint64_t> shape, offsets;
};

Entry read_entry(HeaderReader& reader) {
  Entry entry;
  reader.object([&](const std::string& key) {
    if (key == "dtype")
      entry.type = reader.string();
    else if (key == "shape")
      entry.shape = reader.numbers();
    else if (key == "data_offsets")
      entry.offsets = reader.numbers();
    else
      fail(ErrorCode::format, "safetensors_unknown_field", key);
  });
  return entry;
}

Shape read_shape(const std::string& name, const std::vector<std::uint64_t>& stored) {
  std::vector<int> sizes;
  for (std::uint64_t size : stored) sizes.push_back(size < (1u << 28) ? static_cast<int>(size) : -1);
  try {
    return Shape(std::span<const int>(sizes));
  } catch (const Error&) {
    fail(ErrorCode::format, "safetensors_shape_too_large", name);
  }
}

Tensor read_tensor(const std::string& name, const Entry& entry, std::span<const std::uint8_t> data) {
  if (entry.type != "F32") fail(ErrorCode::format, "safetensors_type_not_read", name, entry.type);
  const Shape shape = read_shape(name, entry.shape);
  const std::size_t bytes = shape.size() * sizeof(float);
  if (entry.offsets.size() != 2 || entry.offsets[1] > data.size() || entry.offsets[0] > entry.offsets[1] ||
      entry.offsets[1] - entry.offsets[0] != bytes)
    fail(ErrorCode::format, "safetensors_tensor_cut_off", name, shape, bytes);
  Tensor tensor(shape);
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    float value;
    std::memcpy(&value, data.data() + entry.offsets[0] + i * sizeof(float), sizeof(float));
    if (!std::isfinite(value)) fail(ErrorCode::format, "safetensors_value_damaged", name, value, i);
    tensor.data()[i] = static_cast<Scalar>(value);
  }
  return tensor;
}

// Checks that every byte of the data belongs to exactly one tensor. `ranges` maps where each begins to where it ends.
void check_layout(const std::map<std::uint64_t, std::uint64_t>& ranges, std::size_t data_bytes) {
  std::uint64_t end = 0;
  for (const auto& [begin, its_end] : ranges) {
    if (begin != end) fail(ErrorCode::format, "safetensors_tensors_not_adjacent", begin, end);
    end = its_end;
  }
  if (end != data_bytes) fail(ErrorCode::format, "safetensors_data_size_differs", data_bytes, end);
}

struct Header {
  std::string text;
  std::size_t data_bytes;  // of the data it describes
};

Header header_of(const NamedTensors& content) {
  std::string header = "{\"__metadata__\":{";
  const char* comma = "";
  for (const auto& [key, value] : content.metadata) {
    header += comma + quoted(key) + ':' + quoted(value);
    comma = ",";
  }
  header += '}';
  std::size_t offset = 0;
  for (const auto& [name, tensor] : content.tensors) {
    header += ',' + quoted(name) + R"(:{"dtype":"F32","shape":[)";
    for (int axis = 0; axis < tensor.rank(); ++axis) header += (axis ? "," : "") + std::to_string(tensor.shape()[axis]);
    const std::size_t end = offset + tensor.size() * sizeof(float);
    header += R"(],"data_offsets":[)" + std::to_string(offset) + ',' + std::to_string(end) + "]}";
    offset = end;
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');  // aligns the data to 8 bytes
  return {header, offset};
}

}  // namespace

std::vector<std::uint8_t> write_safetensors(const NamedTensors& content) {
  const auto [header, data_bytes] = header_of(content);
  const std::uint64_t length = header.size();
  // Allocated at its final size: growing would briefly need both the old and the new buffer.
  std::vector<std::uint8_t> bytes(length_bytes + header.size() + data_bytes);
  std::memcpy(bytes.data(), &length, length_bytes);
  std::memcpy(bytes.data() + length_bytes, header.data(), header.size());
  std::uint8_t* to = bytes.data() + length_bytes + header.size();
  for (const auto& [name, tensor] : content.tensors)
    for (Scalar scalar : tensor.values()) {
      const float value = static_cast<float>(scalar);
      std::memcpy(to, &value, sizeof value);
      to += sizeof value;
    }
  return bytes;
}

NamedTensors read_safetensors(std::span<const std::uint8_t> bytes) {
  std::uint64_t length = 0;
  if (bytes.size() >= length_bytes) std::memcpy(&length, bytes.data(), length_bytes);
  if (length == 0 || length > max_header_bytes || length > bytes.size() - length_bytes)
    fail(ErrorCode::format, "safetensors_file_cut_off", bytes.size());
  HeaderReader reader({reinterpret_cast<const char*>(bytes.data()) + length_bytes, static_cast<std::size_t>(length)});
  const std::span<const std::uint8_t> data = bytes.subspan(length_bytes + static_cast<std::size_t>(length));
  NamedTensors content;
  std::set<std::string> names;
  std::map<std::uint64_t, std::uint64_t> ranges;
  reader.object([&](const std::string& name) {
    if (!names.insert(name).second) fail(ErrorCode::format, "safetensors_name_twice", name);
    if (name == "__metadata__")
      return reader.object([&](const std::string& key) { content.metadata[key] = reader.string(); });
    const Entry entry = read_entry(reader);
    content.tensors.emplace_back(name, read_tensor(name, entry, data));
    const bool empty = entry.offsets[0] == entry.offsets[1];  // takes no byte, wherever it says it begins
    if (!empty && !ranges.emplace(entry.offsets[0], entry.offsets[1]).second)
      fail(ErrorCode::format, "safetensors_tensors_overlap", entry.offsets[0]);
  });
  check_layout(ranges, data.size());
  return content;
}

}  // namespace unroll
