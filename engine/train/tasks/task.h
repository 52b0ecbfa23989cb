// A task: pairs of a source and a target sequence, split so that nothing leaks, and their vocabularies.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/models/config.h"
#include "engine/tensor/random.h"
#include "engine/train/vocabulary.h"

namespace unroll {

using Links = std::vector<std::pair<int, int>>;  // (source position, target position)

// What there is to learn: targets of sources; texts, which a language model learns to go on with; or one long text cut
// into windows, behind each of which it goes on, so that no <eos> follows.
enum class Form { pairs, texts, windows };

struct Pair {
  Tokens source, target;  // without <bos> and <eos>; of a text its opening, which may be empty, and how it goes on
  Links alignment;        // the true links, by target position and then source position; empty where a task has none
  bool held_out = false;  // holds a marked combination of words that training never sees: only in the test split
  int pronoun = -1;       // the position of a target pronoun whose gender another word decides; -1 where there is none
};

enum class Split { train, validation, test };

// Tokens in what a learner types, and in each side of a learner's own pair: with <eos> they fill a model's positions.
inline constexpr int longest_text = 63;

// What a task's generator makes: its pairs, and more of them when asked.
struct Corpus {
  std::string name;
  std::string_view separator;  // between the tokens of a text: " " for words, "" for characters
  std::vector<Pair> pairs;
  std::function<Pair(Random&, int length)> draw = {};  // a random pair of a source of about this length; may be empty
  Form form = Form::pairs;
  bool mixed = false;          // batches hold targets of all lengths: where the length says what sort of pair it is
  double true_perplexity = 0;  // of texts, where the generator knows it: no model comes below
};

class Task {
 public:
  // Pairs of equal source and equal texts count once. Throws Error(input) for a vocabulary of one token.
  explicit Task(Corpus corpus);

  const std::string& name() const { return name_; }
  std::string_view separator() const { return separator_; }
  Form form() const { return form_; }
  bool mixed() const { return mixed_; }
  double true_perplexity() const { return true_perplexity_; }
  const Vocabulary& source_words() const { return source_words_; }  // of texts both are the same
  const Vocabulary& target_words() const { return target_words_; }

  // 80 %, 10 % and 10 % of the pairs, chosen by a hash of the source or the text, of ten windows one after the other by
  // their place; held-out pairs are all in the test split.
  const std::vector<Pair>& pairs(Split split) const { return splits_[static_cast<int>(split)]; }

  // Up to `count` distinct pairs of sources or texts of exactly `length` tokens, and of targets that a model has room
  // for: new ones that are not in training, or of the test split where the task has no generator. Fewer where there are
  // no more of them, or 200,000 draws find no more. The same seed gives the same pairs.
  std::vector<Pair> pairs_of_length(int length, int count, std::uint64_t seed) const;

  // A source text as tokens. A word that is only known in lower case becomes that.
  // Throws Error(input) for a source without tokens or a text of more than longest_text.
  Tokens tokenise(std::string_view text) const;
  // The tokens as they stand. In a window of characters blanks are characters too, at its ends as well.
  Tokens split(std::string_view text) const;
  std::string text(const Tokens& tokens) const;

 private:
  // What is in one split only.
  const Tokens& key_of(const Pair& pair) const { return form_ == Form::pairs ? pair.source : pair.target; }
  Split split_of(const Pair& pair) const;
  std::vector<const Tokens*> sides(std::initializer_list<Tokens Pair::*> wanted) const;
  void add_pairs(std::vector<Pair> pairs);

  std::string name_;
  std::string_view separator_;
  Form form_;
  bool mixed_;
  double true_perplexity_;
  std::function<Pair(Random&, int length)> draw_;
  std::vector<Pair> splits_[3];
  Vocabulary source_words_, target_words_;
};

// Tokens of a text without the blanks at its ends: between blanks for words, code points for characters.
Tokens split_text(std::string_view text, std::string_view separator);
std::uint64_t text_hash(const Tokens& tokens);

// Options: length (2 to 40, 10: the longest word of reverse, copy and sort), digits (2 to 5, 2: of addition). A task
// without options is made once and kept. Throws Error(config) for an unknown task or an option out of range; who owns
// the options refuses unknown ones.
std::shared_ptr<const Task> make_task(std::string_view name, const Config& options = {});
std::vector<std::string> task_names();

}  // namespace unroll
