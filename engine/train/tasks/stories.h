// Tiny stories for a language model. Somebody finds something at the start, and it comes back at the end; names decide
// pronouns: what a model has to remember stands tens of words before.
#pragma once

#include "engine/train/tasks/story_grammar.h"

namespace unroll {

const StoryGrammar& stories_grammar();

}  // namespace unroll
