// A grammar of stories: what may be told, how likely each story is, and how much there is to guess in one.
#pragma once

#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "engine/train/vocabulary.h"

namespace unroll {

// Rules and lists by their names. A rule has alternatives, texts in which {rule} stands for one of that rule's. In
// {slot} the first mention draws an entry of the list of that name, each as likely as the others, and later ones repeat
// it; {boy:name} is a slot of the list "name", and no two slots of one list hold the same entry. {slot.1} is the second
// form of its entry, as "she" is of "anna/she/her". All entries of a list have as many words.
struct StoryGrammar {
  std::map<std::string_view, std::vector<std::string_view>> rules, lists;
  std::string_view start;
};

// Answers which of `count` equally likely ways to go on is taken: an alternative of a rule, or an entry of a list that
// no other slot holds.
struct StoryChoices {
  std::function<int(int count)> alternative, entry;
};

// One story. No story is told in two ways as long as alternatives can be told apart whatever stands in their slots.
Tokens tell(const StoryGrammar& grammar, const StoryChoices& choices);

// How much there is to guess in a story, exactly: by the chain rule the entropy of a story is the sum over what is
// drawn, and which alternatives are taken says how much that is. <eos> counts as a token.
struct StoryEntropy {
  double nats = 0, tokens = 0;  // of a story, on average
  double perplexity() const;    // exp(nats / tokens): no language model comes below it
};
StoryEntropy entropy_of(const StoryGrammar& grammar);

}  // namespace unroll
