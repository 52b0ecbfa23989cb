// A learner's program from a file, which may be a whole file that somebody trained with: `lab run` takes what defines
// its models, joins it to the lab, and says so.
#pragma once

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "engine/nn/tokens.h"
#include "engine/program/joining.h"
#include "engine/program/paste.h"

namespace unroll {

// What the lab gives a model that has a task, for one that has none.
inline std::string constants_without_task(bool takes_pairs) {
  const std::string size = " = 32\n";
  return "PAD, BOS, EOS = " + std::to_string(pad_id) + ", " + std::to_string(bos_id) + ", " + std::to_string(eos_id) +
         "\n" + (takes_pairs ? "SOURCE_VOCABULARY = TARGET_VOCABULARY" : "VOCABULARY") + size;
}

inline void say_left_out(const program::Pasted& pasted, const std::string& file) {
  for (const program::LeftOut& each : pasted.left_out)
    std::fprintf(stderr, "%s: line%s %d%s left out: %s\n", file.c_str(), each.first == each.last ? "" : "s", each.first,
                 each.first == each.last ? " is" : ("–" + std::to_string(each.last) + " are").c_str(),
                 each.reason.english.c_str());
}

// The program, with lines that join it to the lab if it lacks them. `takes_pairs` is what its task asks for. Throws
// Error(program) for a text that is no program.
inline std::string program_of_file(const std::string& text, const std::string& file,
                                   std::optional<bool> takes_pairs = std::nullopt) {
  const program::Pasted pasted = program::read_paste(text);
  if (pasted.left_out.empty() && pasted.makes_model) return text;
  say_left_out(pasted, file);
  const auto kept = program::parse(pasted.text);
  const auto joinings = program::joinings_of(*kept);
  const auto fits = [&](const program::Joining& each) { return !takes_pairs || each.takes_pairs == *takes_pairs; };
  const auto found = std::ranges::find_if(joinings, fits);
  if (found == joinings.end()) {
    if (!pasted.makes_model && !program::makes_forward(*kept)) fail(ErrorCode::program, "paste_not_joined");
    return pasted.text;
  }
  const std::string joining = (takes_pairs ? "" : constants_without_task(found->takes_pairs)) + found->text;
  std::fprintf(stderr, "%s: these lines join it to the lab:\n%s", file.c_str(), joining.c_str());
  return pasted.text + "\n" + joining;
}

}  // namespace unroll
