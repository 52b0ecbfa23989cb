// Safetensors files: our own, with changed bytes, lengths, numbers and entries, and random bytes.
#include "engine/io/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/engine/support/damage.h"
#include "tests/fuzz/fuzzer.h"

namespace unroll {
namespace {

using std::string_view_literals::operator""sv;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t length_bytes = 8;

const std::string names[] = {"w", "encoder.W_Q", "∂α", "a \"quoted\" \\ name", "", "__metadata__", "steps"};

// Pieces of headers, including wrong ones: other types, extreme numbers, repeated or overlapping entries.
const std::vector<std::string> header_pieces = pieces_of(
    "{|}|[|]|\"|\\|:|,|0|4|8|-1|1e9|268435456|4294967298|999999999999999|18446744073709551616|\"dtype\":\"F64\",|"
    "\"shape\":[2],|\"shape\":[65536,65536],|\"data_offsets\":[0,4],|\"__metadata__\":{},|"
    "\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},|"
    "\"v\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[4,4]},|"
    "\0|[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["sv);

Tensor any_tensor(Random& random) {
  std::vector<int> sizes(static_cast<std::size_t>(random.below(4)));
  for (int& size : sizes) size = random.below(4);
  Tensor tensor{Shape(std::span<const int>(sizes))};
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data()[i] = random.uniform(-1, 1);
  return tensor;
}

NamedTensors any_content(Random& random) {
  NamedTensors content;
  for (int i = random.below(3); i > 0; --i) content.metadata[pick(random, names)] = pick(random, names);
  for (int i = random.below(4); i > 0; --i) content.tensors.emplace_back(pick(random, names), any_tensor(random));
  return content;
}

// Changes a number of a shape or an offset: the most dangerous kind of wrong header.
void change_number(std::string& header, Random& random) {
  const std::size_t from = header.find_first_of("0123456789", any_place(random, header));
  if (from == header.npos) return;
  const std::size_t to = std::min(header.find_first_not_of("0123456789", from), header.size());
  header.replace(from, to - from, std::to_string(random.below(2) ? 4 * random.below(20) : random.below(5)));
}

std::string file_of(const std::string& header, const std::string& data, std::uint64_t length) {
  std::string file(length_bytes, '\0');
  std::memcpy(file.data(), &length, length_bytes);
  return file + header + data;
}

// Replaces the header before the same data; one in eight files states a wrong length for it.
std::string with_other_header(const std::string& file, Random& random) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), length_bytes);
  std::string header = file.substr(length_bytes, length);
  for (int changes = 1 + random.below(2); changes > 0; --changes)
    if (random.below(2))
      change_number(header, random);
    else
      damage(header, header_pieces, random);
  const std::uint64_t stated = random.below(8) ? header.size() : std::uint64_t{1} << random.below(64);
  return file_of(header, file.substr(length_bytes + length), stated);
}

std::string any_file(Random& random) {
  if (random.below(16) == 0) return file_of("", any_bytes(random, 64), static_cast<std::uint64_t>(random.below(64)));
  const Bytes written = write_safetensors(any_content(random));
  const std::string file(written.begin(), written.end());
  const int kind = random.below(8);
  return kind == 0 ? file : kind < 6 ? with_other_header(file, random) : damaged(file, header_pieces, random);
}

NamedTensors read(const std::string& file) {
  return read_safetensors({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
}

bool identical(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && (!a.size() || !std::memcmp(a.data(), b.data(), a.size() * sizeof(Scalar)));
}

bool same(const NamedTensors& a, const NamedTensors& b) {
  return a.metadata == b.metadata && std::ranges::equal(a.tensors, b.tensors, [](const auto& x, const auto& y) {
           return x.first == y.first && identical(x.second, y.second);
         });
}

bool try_file(Random& random) {
  const std::string file = any_file(random);
  NamedTensors content;
  if (!accepts(ErrorCode::format, [&] { content = read(file); })) return false;
  const Bytes written = write_safetensors(content);
  NamedTensors again;
  require(accepts(ErrorCode::format,
                  [&] {
                    again = read({written.begin(), written.end()});
                  }),
          "what was read and written again is refused");
  require(same(content, again), "what was read and written again is read as something else");
  return true;
}

}  // namespace

const Fuzzer fuzz_safetensors{"safetensors", try_file, 1e5};

}  // namespace unroll
