// The sentences of messages, and that the catalogue has those that the sources use, and no others.
#include "engine/tensor/sentence.h"

#include <set>

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
