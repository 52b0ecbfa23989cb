#include "engine/io/safetensors.h"

#include <cstring>

#include "tests/engine/support/damage.h"
#include "tests/engine/support/test.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

// A file with this header, followed by `data` bytes.
Bytes file(const std::string& header, std::size_t data, std::uint64_t stated) {
  Bytes bytes(8 + header.size() + data);
  std::memcpy(bytes.data(), &stated, 8);
  std::ranges::copy(header, bytes.begin() + 8);
  return bytes;
}
Bytes file(const std::string& header, std::size_t data = 0) { return file(header, data, header.size()); }

std::string refused(const Bytes& bytes) { return REFUSAL(format, read_safetensors(bytes)); }

Bytes example() {
  return write_safetensors(
      {{{"format", "a \"quoted\" \\ text"}, {"steps", "12"}},
       {{"encoder.W", Tensor({2, 3}, {1, 2, 3, 4, 5, 6})}, {"∂α", Tensor({}, {-7})}, {"empty", Tensor({0, 2})}}});
}

}  // namespace

TEST_CASE("a written file reads back, also if a tensor without values precedes another") {
  const NamedTensors content = read_safetensors(example());
  CHECK(content.metadata.at("format") == "a \"quoted\" \\ text");
  CHECK(content.metadata.at("steps") == "12");
  REQUIRE(content.tensors.size() == 3);
  CHECK(content.tensors[0].first == "encoder.W");
  expect(content.tensors[0].second, {2, 3}, {1, 2, 3, 4, 5, 6}, 0);
  CHECK(content.tensors[1].first == "∂α");
  expect(content.tensors[1].second, {}, {-7}, 0);
  CHECK(content.tensors[2].second.shape() == Shape{0, 2});
  const NamedTensors after_none =
      read_safetensors(write_safetensors({{}, {{"none", Tensor({0})}, {"w", Tensor({1}, {5})}}}));
  REQUIRE(after_none.tensors.size() == 2);
  CHECK(after_none.tensors[0].second.shape() == Shape{0});
  expect(after_none.tensors[1].second, {1}, {5}, 0);
}

TEST_CASE("the format is the published one: length, JSON, little-endian numbers") {
  const Bytes bytes = write_safetensors({{}, {{"w", Tensor({1}, {1})}}});
  const std::string text(bytes.begin() + 8, bytes.end() - 4);
  CHECK(text.starts_with(R"({"__metadata__":{},"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})"));
  CHECK(text.size() % 8 == 0);
  CHECK(bytes[0] == text.size());
  CHECK(Bytes(bytes.end() - 4, bytes.end()) == Bytes{0, 0, 0x80, 0x3f});
}

TEST_CASE("writing a file takes no more memory than its size: a large model leaves no room for more") {
  const Bytes bytes =
      write_safetensors({{{"format", "a"}}, {{"w", Tensor::full({100, 7}, 1)}, {"v", Tensor::full({3}, 2)}}});
  CHECK(bytes.capacity() == bytes.size());
}

TEST_CASE("a header in another order, with spaces, is read") {
  const NamedTensors content =
      read_safetensors(file("{ \"w\" : {\"shape\" : [ 2 ],\n \"data_offsets\":[ 0 , 8 ], \"dtype\":\"F32\" } } ", 8));
  CHECK(content.tensors[0].second.shape() == Shape{2});
}

TEST_CASE("files that are not safetensors, or truncated") {
  CHECK(refused({}) == "The file of 0 bytes is no safetensors file, or it is cut off.");
  CHECK(refused(Bytes(7)).starts_with("The file of 7 bytes"));
  CHECK(refused(file("{}", 0, 3)).starts_with("The file of 10 bytes"));
  CHECK(refused(file("{}", 0, ~0ull)).starts_with("The file of 10 bytes"));
  CHECK(refused(file("{}", 0, 0)).starts_with("The file of 10 bytes"));
  const Bytes whole = example();
  for (std::size_t length = 0; length < whole.size(); ++length)
    refused(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
}

TEST_CASE("headers that lie") {
  const auto entry = [](const std::string& shape, const std::string& offsets, const std::string& type = "F32") {
    return file(R"({"w":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}", 8);
  };
  CHECK(refused(entry("[2]", "[0,8]", "F64")) == "The tensor w has the type F64: only F32 is read.");
  CHECK(refused(entry("[3]", "[0,12]")) ==
        "The tensor w of shape (3) needs 12 bytes, which the file does not hold where it says: it is cut off or "
        "damaged.");
  for (const char* offsets : {"[8,0]", "[0,4]", "[4,12]", "[0]", "[]", "[0,8,8]", "[999999999999999,999999999999999]"})
    CHECK(refused(entry("[2]", offsets)).starts_with("The tensor w of shape (2) needs 8 bytes"));
  for (const char* shape : {"[1,1,1,1,1,1,2]", "[4294967298]", "[65536,65536]", "[268435455,268435455]"})
    CHECK(refused(entry(shape, "[0,8]")).starts_with("The tensor w is damaged: "));
  CHECK(
      refused(entry("[200000000]", "[0,800000000]")).starts_with("The tensor w of shape (200000000) needs 800000000"));
  CHECK(refused(file(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":[1]}})", 8)) ==
        "A tensor has the field \"x\": use dtype, shape and data_offsets.");
}

TEST_CASE("every byte belongs to one tensor, and every tensor has a unique name") {
  const auto two = [](const std::string& name, const std::string& first, const std::string& second) {
    const std::string rest = R"(":{"dtype":"F32","shape":[1],"data_offsets":)";
    return file(R"({"w)" + rest + first + R"(},")" + name + rest + second + "}}", 12);
  };
  CHECK(refused(two("v", "[0,4]", "[0,4]")) == "Two tensors begin at byte 0 of the data: the file is damaged.");
  CHECK(refused(two("v", "[0,4]", "[8,12]")) ==
        "A tensor begins at byte 8 of the data, and the one before it ends at 4: the file is damaged.");
  CHECK(refused(two("v", "[4,8]", "[0,4]")) == "The file has 12 bytes of data, and its tensors take 8: it is damaged.");
  CHECK(refused(two("w", "[0,4]", "[4,8]")) == "The file has two entries named w: it is damaged.");
  CHECK(read_safetensors(file(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                              R"("v":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                              8))
            .tensors.size() == 2);
}

TEST_CASE("headers that are not valid JSON, and numbers that are not finite, are refused") {
  for (const char* header :
       {"x", "{", "{\"", "{\"w", "{\"w\"", "{\"w\":", "{\"w\":{", "{\"w\":{\"shape\":[", "{\"w\":5}", "[]",
        "{\"w\":{\"shape\":[1,]}}", "{\"w\":{\"shape\":[-1]}}", "{\"w\":{\"dtype\":\"\\",
        "{\"__metadata__\":{\"a\":1}}", "{\"w\":{\"shape\":[1234567890123456789]}}", "{\"a\\"})
    CHECK(refused(file(header)).starts_with("The file's header has no "));
  Bytes bytes = write_safetensors({{}, {{"w", Tensor({2}, {1, 2})}}});
  std::fill(bytes.end() - 4, bytes.end(), std::uint8_t{0xff});
  CHECK(refused(bytes) == "The tensor w has NaN at position 1: it is damaged.");
}

TEST_CASE("five thousand random changes are either read or refused") {
  const Bytes whole = example();
  const std::vector<Text> pieces = pieces_of("{|}|[|]|\"|,|:|0|1|2|9|\\| ");
  Random random(7);
  int read = 0;
  for (int i = 0; i < 5000; ++i) {
    const Text text = damaged({whole.begin(), whole.end()}, pieces, random);
    const Bytes bytes(text.begin(), text.end());
    try {
      read_safetensors(bytes);
      ++read;
    } catch (const Error& error) {
      CHECK(error.code == ErrorCode::format);
    }
  }
  CHECK(read > 100);
  CHECK(read < 4900);
}
