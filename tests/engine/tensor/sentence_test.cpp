// The sentences of messages, and that the catalogue has those that the sources use, and no others; how they format
// numbers, shapes and indices.
#include <bit>
#include <cstdlib>
#include <set>

#include "engine/tensor/error.h"
#include "tests/engine/support/sources.h"
#include "tests/engine/support/test.h"

namespace {

std::string all_sources() {
  std::string text;
  for (const char* folder : {"engine", "bindings"})
    for (const std::string& file : source_files(folder, {".h", ".cpp"})) text += source_text(file);
  return text;
}

// The ids in calls that begin so, up to the id.
std::vector<std::string> ids_in(const std::string& text, const std::string& call) {
  return matches(text, "\\b" + call + "\\s*\"(\\w+)\"");
}

}  // namespace

TEST_CASE("a sentence has its arguments in its own order, words that go with a count, and its line") {
  const std::vector<std::string> values{"1", "−∞"};
  CHECK(phrase("from_values", phrase("operation_made", std::string("a + b"), NAN), values).english ==
        "a + b made NaN from 1 and −∞");
  CHECK(phrase("counted_scores", 1).english == "1 score");
  CHECK(phrase("counted_scores", 2).english == "2 scores");
  CHECK(phrase("side_is_empty", FieldName{"source"}, 7).english == "The source of line 7 has no character: write one.");
  CHECK(Error(ErrorCode::program, phrase("divides_by_zero"), {7, 3}).what() ==
        Text("line 7, column 3: this divides by 0."));
  CHECK(phrase("format_brace_unpaired").english.starts_with("a { needs a }, and a } needs a {:"));
  CHECK(phrase("softmax_temperature_negative", 0.1f).english.starts_with("[softmax] temperature is 0.1:"));
}

TEST_CASE("the arguments of a message are JSON") {
  const auto json = [](MessageArguments arguments) {
    std::string text;
    for (const MessageArgument& each : arguments) each.add_json(text);
    return text;
  };
  CHECK(json({2}) == "2");
  CHECK(json({0.1f}) == "0.1");
  CHECK(json({-INFINITY}) == "\"−∞\"");
  CHECK(json({std::string("a\"\\\n")}) == R"("a\"\\\u000a")");
  CHECK(json({Shape{3, 4}}) == R"({"shape":[3,4]})");
  CHECK(json({Shape{}}) == R"({"shape":[]})");
  CHECK(json({std::vector<std::string>{"a", "b"}}) == R"(["a","b"])");
  CHECK(json({FieldName{"source"}}) == R"({"field":"source"})");
  CHECK(json({phrase("counted_scores", 2)}) == R"({"id":"counted_scores","arguments":[2]})");
}

TEST_CASE("a message without a sentence, or with other arguments than its sentence, is a mistake of the engine") {
  CHECK_THROWS_AS(phrase("no_such_sentence"), std::invalid_argument);
  CHECK_THROWS_AS(phrase("one_of"), std::invalid_argument);
  CHECK_THROWS_AS(phrase("a_list", 1), std::invalid_argument);
}

TEST_CASE("the catalogue has the sentences that the sources use, and no others") {
  const std::string text = all_sources();
  for (const auto& [id, sentence] : english) CHECK_MESSAGE(text.find('"' + std::string(id) + '"') != text.npos, id);
  std::set<std::string> used;
  for (const char* call : {"phrase\\(", "refuse\\([^,()]*,", "fail_at\\([^\",]*,", "fail\\(ErrorCode::\\w+,",
                           "fail\\(ErrorCode::\\w+, [^\",]*,", "fail\\(code,"})
    for (const std::string& id : ids_in(text, call)) used.insert(id);
  CHECK(used.size() > 400);
  for (const std::string& id : used) CHECK_MESSAGE(english.contains(id), id);
}

TEST_CASE("a float is written without the extra digits of its conversion to double, a double as it was typed") {
  CHECK(text_of(0.1f) == "0.1");
  CHECK(text_of(-2.7f) == "-2.7");
  CHECK(text_of(16777217.0f) == "16777216");
  CHECK(text_of(2e6f) == "2000000");
  CHECK(text_of(3e-5f) == "3e-05");
  CHECK(text_of(0.0f) == "0");
  CHECK(text_of(-INFINITY) == "−∞");
  CHECK(text_of(NAN) == "NaN");
  CHECK(text_of(9.2) == "9.2");
  CHECK(text_of(0.1 + 0.2) == "0.3");
  CHECK(text_of(-1e-7) == "-1e-07");
  CHECK(text_of(4294967295.0) == "4294967295");
  CHECK(text_of(1e300) == "1e+300");
}

TEST_CASE("a written float reads back except for its last bits") {
  Random random(7);
  for (int i = 0; i < 20'000; ++i) {
    const float number = std::bit_cast<float>(random.bits());
    if (!std::isfinite(number)) continue;
    const double truth = static_cast<double>(number), read = std::strtod(text_of(number).c_str(), nullptr);
    CHECK(std::abs(read - truth) <= 5.001e-7 * std::abs(truth));
  }
}

TEST_CASE("a NUL in a learner's text does not end the sentence") {
  CHECK(REFUSAL(input, fail(ErrorCode::input, "no_such_split", Text("a\0b", 3))) ==
        "split is \"ab\": use \"train\", \"validation\" or \"test\".");
}

TEST_CASE("words are joined, and a value is named by its index along each axis, counted from 0") {
  CHECK(join({"one", "two", ""}, ", ") == "one, two, ");
  CHECK(join({"one"}, ", ") == "one");
  CHECK(join({}, ", ") == "");
  CHECK(value_name("X", {4, 3}, 0) == "X[0, 0]");
  CHECK(value_name("X", {4, 3}, 7) == "X[2, 1]");
  CHECK(value_name("e", {5}, 4) == "e[4]");
  CHECK(value_name("w", {2, 3, 4}, 23) == "w[1, 2, 3]");
  CHECK(value_name("L", {}, 0) == "L");
}
