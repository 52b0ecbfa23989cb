// Short stories for language models. A character finds an object at the start that returns at the end, and names
// determine pronouns, so dependencies span tens of tokens. They come from a probabilistic grammar, whose entropy is
// exact.
#pragma once

#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "engine/data/vocabulary.h"

namespace unroll {

// Rules and lists by name. A rule is a list of alternatives: texts in which {rule} expands to an alternative of that
// rule. The first mention of {slot} draws an entry of the list of that name uniformly, later mentions repeat it;
// {boy:name} is a slot of the list "name". Slots of one list hold different entries. {slot.1} is the second form of its
// entry, such as "she" in "anna/she/her". All entries of a list have the same number of words.
struct StoryGrammar {
  std::map<std::string_view, std::vector<std::string_view>> rules, lists;
  std::string_view start;
};

// Chooses one of `count` equally likely options, as an index: an alternative of a rule, or an entry of a list among
// those that no slot holds yet.
struct StoryChoices {
  std::function<int(int count)> alternative, entry;
};

// Generates one story. Each story has a single derivation if alternatives differ whatever their slots hold.
Tokens generate_story(const StoryGrammar& grammar, const StoryChoices& choices);

// Exact entropy of a story, by the chain rule: the entropies of its draws add up, and the alternatives chosen determine
// which draws there are. <eos> counts as a token.
struct StoryEntropy {
  double nats = 0, tokens = 0;  // expected per story
  double perplexity() const;    // exp(nats / tokens): a lower bound for language models
};
StoryEntropy entropy_of(const StoryGrammar& grammar);

const StoryGrammar& stories_grammar();

}  // namespace unroll
