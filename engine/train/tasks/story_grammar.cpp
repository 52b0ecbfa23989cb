#include "engine/train/tasks/story_grammar.h"

#include <algorithm>

#include "engine/tensor/functions.h"
#include "engine/train/metrics.h"
#include "engine/train/tasks/task.h"

namespace unroll {
namespace {

// What stands in braces: {slot}, {slot:list}, {slot.form} or {rule}.
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

// Form number `form` of "anna/she/her".
std::string_view form_of(std::string_view entry, int form) {
  for (; form > 0; --form) entry.remove_prefix(entry.find('/') + 1);
  return entry.substr(0, entry.find('/'));
}

// One story while it is told.
class Telling {
 public:
  Telling(const StoryGrammar& grammar, const StoryChoices& choices) : grammar_(grammar), choices_(choices) {}

  void tell_rule(std::string_view rule) {
    const std::vector<std::string_view>& alternatives = grammar_.rules.at(rule);
    const int chosen = choices_.alternative(static_cast<int>(alternatives.size()));
    tell(alternatives[static_cast<std::size_t>(chosen)]);
  }

  Tokens story;

 private:
  void tell(std::string_view text) {
    for (const std::string& token : split_text(text, " ")) {
      if (token.front() != '{')
        story.push_back(token);
      else if (const Mention mention = mention_in(token); grammar_.rules.contains(mention.name))
        tell_rule(mention.name);
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
    std::vector<std::string_view>& left =
        left_.try_emplace(std::string(mention.list), grammar_.lists.at(mention.list)).first->second;
    const auto drawn = left.begin() + choices_.entry(static_cast<int>(left.size()));
    const std::string_view entry = *drawn;
    left.erase(drawn);
    return slots_[std::string(mention.name)] = entry;
  }

  const StoryGrammar& grammar_;
  const StoryChoices& choices_;
  std::map<std::string, std::string_view, std::less<>> slots_;
  std::map<std::string, std::vector<std::string_view>, std::less<>> left_;  // of each list, what no slot holds
};

// Counts through all ways to take alternatives: the next way differs from the last in the last place that has another.
class EveryWay {
 public:
  int take(int count) {
    if (place_ == ways_.size()) ways_.push_back({0, count});
    return ways_[place_++].taken;
  }

  bool next() {
    place_ = 0;
    while (!ways_.empty() && ways_.back().taken + 1 == ways_.back().count) ways_.pop_back();
    if (ways_.empty()) return false;
    ++ways_.back().taken;
    return true;
  }

 private:
  struct Way {
    int taken, count;
  };
  std::vector<Way> ways_;
  std::size_t place_ = 0;
};

}  // namespace

Tokens tell(const StoryGrammar& grammar, const StoryChoices& choices) {
  Telling telling(grammar, choices);
  telling.tell_rule(grammar.start);
  return std::move(telling.story);
}

double StoryEntropy::perplexity() const { return static_cast<double>(unroll::perplexity(nats / tokens)); }

// H = Σ over ways p(way) · (−ln p(way) + Σ over its draws ln(entries left)): how many entries are left does not depend
// on which were drawn before. −ln p(way) is itself a sum, over its rules, of ln(alternatives).
StoryEntropy entropy_of(const StoryGrammar& grammar) {
  StoryEntropy entropy;
  EveryWay ways;
  do {
    double surprise = 0, p = 1;
    const auto be_surprised = [&](int count) {
      surprise += static_cast<double>(kernels::log(static_cast<Scalar>(count)));
    };
    const StoryChoices choices = {.alternative =
                                      [&](int count) {
                                        be_surprised(count);
                                        p /= count;
                                        return ways.take(count);
                                      },
                                  .entry =
                                      [&](int count) {
                                        be_surprised(count);
                                        return 0;
                                      }};
    const double tokens = static_cast<double>(tell(grammar, choices).size()) + 1;
    entropy.nats += p * surprise;
    entropy.tokens += p * tokens;
  } while (ways.next());
  return entropy;
}

}  // namespace unroll
