#include "engine/data/tasks/stories.h"

#include "engine/data/tasks/generators.h"

namespace unroll {
namespace {

constexpr int story_count = 24'000;

}  // namespace

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

Corpus stories_corpus(const Config&) {
  Random random(data_seed);
  const auto below = [&random](int count) { return random.below(count); };
  Corpus corpus{.name = "stories",
                .separator = " ",
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
