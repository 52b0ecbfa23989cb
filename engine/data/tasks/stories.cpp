#include "engine/data/tasks/stories.h"

#include <algorithm>

#include "engine/data/tasks/task.h"
#include "engine/kernels/functions.h"

namespace unroll {
namespace {

// A parsed placeholder: {slot}, {slot:list}, {slot.form} or {rule}.
struct Mention {
  std::string_view name, list;
  int form = 0;
};

Mention mention_in(std::string_view braces) {
  const std::string_view inner = braces.substr(1, braces.size() - 2);
  const std::size_t end = std::min(inner.find_first_of(":."), inner.size());
  Mention mention{.name = inner.substr(0, end), .list = inner.substr(0, end)};
  if (end < inner.size() && inner[end] == ':') mention.list = inner.substr(end + 1);
  if (end < inner.size() && inner[end] == '.') mention.form = inner[end + 1] - '0';
  return mention;
}

// The form with index `form` of an entry such as "anna/she/her".
std::string_view form_of(std::string_view entry, int form) {
  for (; form > 0; --form) entry.remove_prefix(entry.find('/') + 1);
  return entry.substr(0, entry.find('/'));
}

// A story under construction.
class StoryGenerator {
 public:
  StoryGenerator(const StoryGrammar& grammar, const StoryChoices& choices) : grammar_(grammar), choices_(choices) {}

  void expand_rule(std::string_view rule) {
    const std::vector<std::string_view>& alternatives = grammar_.rules.at(rule);
    const int chosen = choices_.alternative(static_cast<int>(alternatives.size()));
    expand(alternatives[static_cast<std::size_t>(chosen)]);
  }

  Tokens story;

 private:
  void expand(std::string_view text) {
    for (const std::string& token : split_text(text, " ")) {
      if (token.front() != '{')
        story.push_back(token);
      else if (const Mention mention = mention_in(token); grammar_.rules.contains(mention.name))
        expand_rule(mention.name);
      else
        add(form_of(entry_of(mention), mention.form));
    }
  }

  void add(std::string_view words) {
    for (std::string& word : split_text(words, " ")) story.push_back(std::move(word));
  }

  std::string_view entry_of(const Mention& mention) {
    const auto held = slots_.find(mention.name);
    if (held != slots_.end()) return held->second;
    std::vector<std::string_view>& remaining =
        remaining_.try_emplace(std::string(mention.list), grammar_.lists.at(mention.list)).first->second;
    const auto drawn = remaining.begin() + choices_.entry(static_cast<int>(remaining.size()));
    const std::string_view entry = *drawn;
    remaining.erase(drawn);
    return slots_[std::string(mention.name)] = entry;
  }

  const StoryGrammar& grammar_;
  const StoryChoices& choices_;
  std::map<std::string, std::string_view, std::less<>> slots_;
  std::map<std::string, std::vector<std::string_view>, std::less<>> remaining_;  // per list, the entries no slot holds
};

// Enumerates all choices of alternatives depth first: next() advances the last choice that has an alternative
// remaining.
class DerivationEnumerator {
 public:
  int take(int count) {
    if (position_ == choices_.size()) choices_.push_back({0, count});
    return choices_[position_++].chosen;
  }

  bool next() {
    position_ = 0;
    while (!choices_.empty() && choices_.back().chosen + 1 == choices_.back().count) choices_.pop_back();
    if (choices_.empty()) return false;
    ++choices_.back().chosen;
    return true;
  }

 private:
  struct Choice {
    int chosen, count;
  };
  std::vector<Choice> choices_;
  std::size_t position_ = 0;
};

}  // namespace

Tokens generate_story(const StoryGrammar& grammar, const StoryChoices& choices) {
  StoryGenerator generator(grammar, choices);
  generator.expand_rule(grammar.start);
  return std::move(generator.story);
}

double StoryEntropy::perplexity() const { return double(kernels::exp(static_cast<Scalar>(nats / tokens))); }

// H = Σ over derivations d p(d) · (−ln p(d) + Σ over its draws ln(entries remaining)), where d is a choice of
// alternatives: the number of entries remaining does not depend on which were drawn. −ln p(d) is the sum of
// ln(alternatives) over rules.
StoryEntropy entropy_of(const StoryGrammar& grammar) {
  StoryEntropy entropy;
  DerivationEnumerator derivations;
  do {
    double surprisal = 0, p = 1;
    const auto add_surprisal = [&](int count) {
      surprisal += static_cast<double>(kernels::log(static_cast<Scalar>(count)));
    };
    const StoryChoices choices = {.alternative =
                                      [&](int count) {
                                        add_surprisal(count);
                                        p /= count;
                                        return derivations.take(count);
                                      },
                                  .entry =
                                      [&](int count) {
                                        add_surprisal(count);
                                        return 0;
                                      }};
    const double tokens = static_cast<double>(generate_story(grammar, choices).size()) + 1;
    entropy.nats += p * surprisal;
    entropy.tokens += p * tokens;
  } while (derivations.next());
  return entropy;
}

const StoryGrammar& stories_grammar() {
  static const StoryGrammar grammar = {
      .rules =
          {
              {"story", {"{found} {shown} {answered} {lost} {kept}"}},
              {"found",
               {"one day {finder:name} found a {colour} {thing} in the {place} .",
                "{finder:name} was in the {place} . there {finder.1} saw a {colour} {thing} .",
                "a {colour} {thing} lay in the {place} . {finder:name} picked it up ."}},
              {"shown",
               {"{finder.1} wanted to show it to {friend:name} .",
                "{finder.1} took it to {finder.2} friend {friend:name} .",
                "{friend:name} came to play with {finder.3} ."}},
              {"answered",
               {"\" what a nice {thing} ! \" said {friend} .", "{friend} liked the {colour} {thing} very much .",
                "\" may i hold the {thing} ? \" {friend} asked ."}},
              {"lost",
               {"they played with it until {time} .",
                "but a {animal} took it . {friend} ran after the {animal} and got it .",
                "but it fell into the {water} . {friend} pulled it out of the {water} ."}},
              {"kept",
               {"now the {colour} {thing} is {spot} and {finder} is {mood} .",
                "{finder} thanked {friend} and put the {thing} {spot} at home .",
                "{finder} gave the {colour} {thing} to {friend} , and {friend.1} was {mood} .",
                "{friend} went home . {finder} took the {colour} {thing} to the {place} ."}},
          },
      .lists =
          {
              {"name",
               {"anna/she/her/her", "ella/she/her/her", "lily/she/her/her", "mia/she/her/her", "nora/she/her/her",
                "zoe/she/her/her", "ben/he/his/him", "jack/he/his/him", "leo/he/his/him", "max/he/his/him",
                "sam/he/his/him", "tom/he/his/him"}},
              {"colour", {"black", "blue", "brown", "green", "pink", "red", "white", "yellow"}},
              {"thing",
               {"ball", "bell", "boat", "book", "box", "coin", "cup", "doll", "drum", "hat", "key", "kite", "lamp",
                "ring", "shell", "top"}},
              {"place", {"attic", "barn", "cave", "field", "forest", "garden", "kitchen", "park"}},
              {"animal", {"bird", "cat", "crow", "dog", "fox", "goat", "monkey", "mouse"}},
              {"water", {"lake", "pond", "river", "well"}},
              {"time", {"dinner", "evening", "noon", "sunset"}},
              {"spot", {"by the window", "in a drawer", "on the shelf", "under the bed"}},
              {"mood", {"glad", "happy", "merry", "proud"}},
          },
      .start = "story"};
  return grammar;
}

namespace {

constexpr int story_count = 24'000;

Corpus stories_corpus(const Config&) {
  Random random(data_seed);
  const auto below = [&random](int count) { return random.below(count); };
  Corpus corpus{.separator = " ",
                .pairs = {},
                .form = Form::texts,
                .true_perplexity = entropy_of(stories_grammar()).perplexity()};
  for (int i = 0; i < story_count; ++i)
    corpus.pairs.push_back(
        {.source = {}, .target = generate_story(stories_grammar(), {below, below}), .alignment = {}});
  return corpus;
}

}  // namespace

TaskKind stories_task() { return {"stories", stories_corpus}; }

}  // namespace unroll
