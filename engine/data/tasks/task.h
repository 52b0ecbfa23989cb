// A task: source–target pairs, split into train, validation and test without leakage, and their vocabularies.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/data/vocabulary.h"
#include "engine/kernels/random.h"
#include "engine/models/config.h"

namespace unroll {

using Alignment = std::vector<std::pair<int, int>>;  // (source position, target position)

// What a task consists of: source–target pairs; texts for language modelling; or windows of one long text, which
// continues after each of them, so that no <eos> follows.
enum class Form { pairs, texts, windows };

struct Pair {
  Tokens source, target;  // without <bos> and <eos>; of a text the prompt, possibly empty, and its continuation
  Alignment alignment;    // gold links, sorted by target and then source position; empty if the task has none
  bool held_out = false;  // has a word combination excluded from training: always in the test split
  int pronoun = -1;       // position of a target pronoun whose gender depends on another word; −1 if there is none
};

enum class Split { train, validation, test };

// Maximum tokens of user input and of each side of a user's own pair: with <eos> they fill a model's positions.
inline constexpr int max_text_tokens = 63;

// What a task is made from: pairs, and optionally a function that draws more of them.
struct Corpus {
  std::string name = {};            // a built-in task has that of its kind
  std::string_view separator = "";  // between the tokens of a text: " " for words, "" for characters
  std::vector<Pair> pairs;
  std::function<Pair(Random&, int length)> draw = {};  // a random pair, its source about this long; may be empty
  std::function<Pair(Tokens source)> complete = {};    // the pair of any source, if the task has a rule; may be empty
  Form form = Form::pairs;
  bool mix_target_lengths = false;  // batches mix target lengths: for tasks where length depends on the kind of pair
  double true_perplexity = 0;       // of texts: a lower bound for any model; 0 if unknown
  bool even_split = false;          // 80 %, 10 % and 10 % by rank, not by chance: see split_evenly
};

// Joins the code points before and after it into one token of a text that is split into characters: the parts of an
// emoji or of a letter with its marks. Not part of a token, nor of a word.
inline constexpr char token_joiner = '\x1f';

class Task {
 public:
  // Keeps the first of pairs with equal sources and of equal texts, and all windows. Throws Error(input) if a
  // vocabulary has fewer than two tokens besides the special ones.
  explicit Task(Corpus corpus);

  const std::string& name() const { return about_.name; }
  std::string_view separator() const { return about_.separator; }
  Form form() const { return about_.form; }
  bool mix_target_lengths() const { return about_.mix_target_lengths; }
  double true_perplexity() const { return about_.true_perplexity; }
  const Vocabulary& source_vocabulary() const { return source_vocabulary_; }  // for texts, both are the same
  const Vocabulary& target_vocabulary() const { return target_vocabulary_; }

  // 80 %, 10 % and 10 % of the pairs: by a hash of the source or the text, exactly so if the corpus asks for it; or,
  // for windows, by position in runs of ten. Held-out pairs are all in the test split.
  const std::vector<Pair>& pairs(Split split) const { return splits_[static_cast<int>(split)]; }

  // Up to `count` distinct pairs whose source or text has exactly `length` tokens and whose target fits a model: drawn
  // outside the training split, or from the test split if the task has no generator. Fewer if the test split has no
  // more, or 200 · count draws (at most 200,000) find no more. The same seed gives the same pairs.
  std::vector<Pair> pairs_of_length(int length, int count, std::uint64_t seed) const;

  // The target of any source, by the task's rule; empty if it has none.
  Tokens target_of(const Tokens& source) const { return about_.complete ? about_.complete(source).target : Tokens(); }

  // Tokens of a source or a prompt. A token that the source vocabulary has only in lower case is converted.
  // Throws Error(input) for a source without tokens, for more than max_text_tokens tokens, and for the word <pad>,
  // <bos> or <eos>.
  Tokens tokenise(std::string_view text) const;
  // Tokens without conversion or checks. For windows of characters, whitespace counts too, also at both ends. Code
  // points that together are a token of the task become that token, the longest first.
  Tokens split(std::string_view text) const;
  std::string text(const Tokens& tokens) const;

 private:
  // The key for deduplication and for the split.
  const Tokens& key_of(const Pair& pair) const { return form() == Form::pairs ? pair.source : pair.target; }
  Split split_of(const Pair& pair) const;
  void split_evenly(std::vector<Pair> pairs);
  Tokens joined(Tokens code_points) const;
  std::vector<const Tokens*> sides(std::initializer_list<Tokens Pair::*> wanted) const;
  void add_pairs(std::vector<Pair> pairs);

  Corpus about_;  // its pairs are in the splits
  std::vector<Pair> splits_[3];
  Vocabulary source_vocabulary_, target_vocabulary_;
  std::size_t longest_token_ = 1;  // in code points, if the tokens are characters
};

// Tokens of a trimmed text: words separated by whitespace, or code points if `separator` is empty.
Tokens split_text(std::string_view text, std::string_view separator);
std::uint64_t text_hash(const Tokens& tokens);
// True for <pad>, <bos> and <eos>, which a text in words cannot have; <unk> in a text stands for an unknown word.
bool is_reserved(std::string_view word);

// Options: length (2 to 40, 10: maximum length for reverse, copy and sort; 5 to 10, 10: the length for rotate), digits
// (2 to 5, 2: for addition), lag (1 to 62, 10: for recall). Tasks without options are cached. Throws Error(config) for
// an unknown task or an option out of range; the caller rejects unknown options.
std::shared_ptr<const Task> make_task(std::string_view name, const Config& options = {});
std::vector<std::string> task_names();

// A built-in task. Deterministic: every call of `make` with the same options returns the same pairs.
struct TaskKind {
  std::string_view name;
  Corpus (*make)(const Config& options);
  bool has_options = false;  // without options it is made once, and shared
};

// A source in this folder defines TaskKind NAME_task(), and its task is thereby registered: CMake lists what it finds
// (see engine/registered.cmake).
//
// All tasks, in alphabetical order of these functions.
std::span<const TaskKind> task_kinds();

inline constexpr std::uint64_t data_seed = 1;

// Up to `count` pairs with distinct sources: `first`, then draws at lengths from `length`, at most 10 · count of them.
std::vector<Pair> distinct_pairs(int count, Random& random, const std::function<Pair(Random&, int length)>& draw,
                                 const std::function<int(Random&)>& length, std::vector<Pair> first = {});

}  // namespace unroll
