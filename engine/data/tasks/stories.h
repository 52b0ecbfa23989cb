// Short stories for language models. A character finds an object at the start that returns at the end, and names
// determine pronouns, so dependencies span tens of tokens.
#pragma once

#include "engine/data/tasks/story_grammar.h"

namespace unroll {

const StoryGrammar& stories_grammar();

}  // namespace unroll
