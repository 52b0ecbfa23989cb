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
    if (at_ == start) reject(phrase("a whole number"));
    return value;
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) reject(phrase("'", std::string_view(&c, 1), "'"));
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  [[noreturn]] void reject(const Message& wanted) const {
    fail(ErrorCode::format, "The file's header has no ", wanted, " at byte ", at_,
         ": it is damaged, or no safetensors file.");
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
      fail(ErrorCode::format, "A tensor has the field \"", key, "\": use dtype, shape and data_offsets.");
  });
  return entry;
}

Shape read_shape(const std::string& name, const std::vector<std::uint64_t>& stored) {
  std::vector<int> sizes;
  for (std::uint64_t size : stored) sizes.push_back(size < (1u << 28) ? static_cast<int>(size) : -1);
  try {
    return Shape(std::span<const int>(sizes));
  } catch (const Error&) {
    fail(ErrorCode::format, "The tensor ", name, " is damaged: a shape has at most 4 axes, and 2^28 values.");
  }
}

Tensor read_tensor(const std::string& name, const Entry& entry, std::span<const std::uint8_t> data) {
  if (entry.type != "F32")
    fail(ErrorCode::format, "The tensor ", name, " has the type ", entry.type, ": only F32 is read.");
  const Shape shape = read_shape(name, entry.shape);
  const std::size_t bytes = shape.size() * sizeof(float);
  if (entry.offsets.size() != 2 || entry.offsets[1] > data.size() || entry.offsets[0] > entry.offsets[1] ||
      entry.offsets[1] - entry.offsets[0] != bytes)
    fail(ErrorCode::format, "The tensor ", name, " of shape ", shape, " needs ", bytes,
         " bytes, which the file does not hold where it says: it is cut off or damaged.");
  Tensor tensor(shape);
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    float value;
    std::memcpy(&value, data.data() + entry.offsets[0] + i * sizeof(float), sizeof(float));
    if (!std::isfinite(value))
      fail(ErrorCode::format, "The tensor ", name, " has ", value, " at position ", i, ": it is damaged.");
    tensor.data()[i] = static_cast<Scalar>(value);
  }
  return tensor;
}

// Checks that every byte of the data belongs to exactly one tensor. `ranges` maps where each begins to where it ends.
void check_layout(const std::map<std::uint64_t, std::uint64_t>& ranges, std::size_t data_bytes) {
  std::uint64_t end = 0;
  for (const auto& [begin, its_end] : ranges) {
    if (begin != end)
      fail(ErrorCode::format, "A tensor begins at byte ", begin, " of the data, and the one before it ends at ", end,
           ": the file is damaged.");
    end = its_end;
  }
  if (end != data_bytes)
    fail(ErrorCode::format, "The file has ", data_bytes, " bytes of data, and its tensors take ", end,
         ": it is damaged.");
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
    fail(ErrorCode::format, "The file of ", bytes.size(), " bytes is no safetensors file, or it is cut off.");
  HeaderReader reader({reinterpret_cast<const char*>(bytes.data()) + length_bytes, static_cast<std::size_t>(length)});
  const std::span<const std::uint8_t> data = bytes.subspan(length_bytes + static_cast<std::size_t>(length));
  NamedTensors content;
  std::set<std::string> names;
  std::map<std::uint64_t, std::uint64_t> ranges;
  reader.object([&](const std::string& name) {
    if (!names.insert(name).second)
      fail(ErrorCode::format, "The file has two entries named ", name, ": it is damaged.");
    if (name == "__metadata__")
      return reader.object([&](const std::string& key) { content.metadata[key] = reader.string(); });
    const Entry entry = read_entry(reader);
    content.tensors.emplace_back(name, read_tensor(name, entry, data));
    const bool empty = entry.offsets[0] == entry.offsets[1];  // takes no byte, wherever it says it begins
    if (!empty && !ranges.emplace(entry.offsets[0], entry.offsets[1]).second)
      fail(ErrorCode::format, "Two tensors begin at byte ", entry.offsets[0], " of the data: the file is damaged.");
  });
  check_layout(ranges, data.size());
  return content;
}

}  // namespace unroll
