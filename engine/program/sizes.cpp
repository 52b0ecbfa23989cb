#include "engine/program/sizes.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace unroll::program {
namespace {

struct SizeRule {
  const char* value;
  bool replaces;
  std::vector<std::string_view> whole, part;  // of the folded name
};
// What comes first counts: num_embeddings are words, hidden_dropout is no hidden size.
std::span<const SizeRule> size_rules() {
  static const std::array<SizeRule, 15> all = {{
      {"0.0", true, {}, {"drop"}},
      {"PAD", true, {"pad", "padding"}, {"padidx", "padid", "padtoken", "paddingidx"}},
      {"BOS", true, {}, {"bosidx", "sosidx", "sostoken", "bostoken", "bosid", "sosid"}},
      {"EOS", true, {}, {"eosidx", "eostoken", "eosid"}},
      {"SOURCE_VOCABULARY", true, {"inputdim", "inputsize"}, {"srcvocab", "sourcevocab", "srcntoken", "encvoc"}},
      {"TARGET_VOCABULARY",
       true,
       {"outputdim", "outputsize"},
       {"tgtvocab", "trgvocab", "targetvocab", "tgtntoken", "decvoc"}},
      {"VOCABULARY", true, {"voc"}, {"vocab", "ntoken", "numtoken", "numembeddings", "vocsize"}},
      {"64",
       true,
       {"nctx"},
       {"blocksize", "maxlen", "maxseq", "contextlen", "contextsize", "seqlen", "maxposition", "npositions"}},
      {"64", true, {"dff", "ff", "pfdim", "dhid"}, {"feedforward", "ffn", "ffdim", "inner", "intermediate", "dimff"}},
      {"16", true, {"dk", "dv"}, {"headdim", "headsize"}},
      {"2", true, {"n", "depth"}, {"layers", "nlayer", "numlayer", "nblock", "numblock"}},
      {"2", true, {"h"}, {"nhead", "numhead", "heads", "kvhead", "kvgroup"}},
      {"32",
       true,
       {"dim", "din", "dout", "ninp", "nhid", "features"},
       {"emb", "dmodel", "modeldim", "dword", "hidden", "hid"}},
      {"3", false, {}, {"kernel"}},
      {"False", false, {}, {"bias"}},
  }};
  return all;
}

}  // namespace

std::string folded(std::string_view name) {
  std::string text;
  for (const char each : name)
    if (each != '_') text += each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
  return text;
}

std::optional<Size> size_for(std::string_view name, Side side) {
  const std::string text = folded(name);
  for (const SizeRule& rule : size_rules()) {
    const bool fits =
        std::ranges::find(rule.whole, text) != rule.whole.end() ||
        std::ranges::any_of(rule.part, [&](std::string_view part) { return text.find(part) != text.npos; });
    if (!fits) continue;
    std::string value = rule.value;
    if (value.ends_with("VOCABULARY") && side == Side::text) value = "VOCABULARY";
    if (value == "VOCABULARY" && side != Side::text) value = (side == Side::source ? "SOURCE_" : "TARGET_") + value;
    return Size{value, rule.replaces};
  }
  if (text == "device") return Size{"torch.device(\"cpu\")", false};
  if (text == "dtype") return Size{"torch.float32", false};
  return std::nullopt;
}

}  // namespace unroll::program
