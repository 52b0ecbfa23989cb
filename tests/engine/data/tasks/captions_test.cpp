#include "engine/data/tasks/task.h"
#include "engine/nn/layers/sprites.h"
#include "tests/engine/support/own_data.h"

namespace {

const std::vector<std::string> order = {"red", "yellow", "green", "blue"};
const std::vector<std::string> shapes = {"circle", "square", "triangle", "cross"};
const std::map<std::string, int> numbers = {{"two", 2}, {"three", 3}, {"four", 4}};

// The cells that word t of the caption is linked to.
std::vector<int> cells_of(const Pair& pair, int t) {
  std::vector<int> cells;
  for (const auto& [cell, word] : pair.alignment)
    if (word == t) cells.push_back(cell);
  return cells;
}

bool has(const std::vector<std::string>& words, const std::string& word) { return std::ranges::count(words, word) > 0; }

std::string singular(const std::string& noun) {
  if (noun == "crosses") return "cross";
  return noun.ends_with("s") && noun != "cross" ? noun.substr(0, noun.size() - 1) : noun;
}

void check_relation(const std::string& word, int first, int second) {
  const int rows = second / scene_side - first / scene_side, columns = second % scene_side - first % scene_side;
  if (word == "above") CHECK(rows > 0);
  if (word == "below") CHECK(rows < 0);
  if (word == "left") CHECK((rows == 0 && columns > 0));
  if (word == "right") CHECK((rows == 0 && columns < 0));
}

void for_each_scene(const std::function<void(const Pair&)>& check) { each_pair(*make_task("captions"), check); }

}  // namespace

TEST_CASE("a scene has sixteen cells, and its tokens are the sprites in order") {
  const std::shared_ptr<const Task> task = make_task("captions");
  Tokens known = task->source_vocabulary().tokens({0, 1, 2, 3});
  for (const std::string& name : sprite_names()) known.push_back(name);
  REQUIRE(task->source_vocabulary().size() == static_cast<int>(known.size()));
  for (int id = 0; id < task->source_vocabulary().size(); ++id) CHECK(task->source_vocabulary().token(id) == known[id]);
  CHECK(sprite_table().shape()[0] == task->source_vocabulary().size());
  for_each_scene([](const Pair& pair) { CHECK(pair.source.size() == 16); });
}

TEST_CASE("colours and shapes match the cells that the words are linked to") {
  for_each_scene([](const Pair& pair) {
    for (int t = 0; t < static_cast<int>(pair.target.size()); ++t)
      for (const int cell : cells_of(pair, t)) {
        const std::string& word = pair.target[t];
        if (has(order, word)) CHECK(pair.source[cell].starts_with(word + '-'));
        if (has(shapes, singular(word))) CHECK(pair.source[cell].ends_with('-' + singular(word)));
      }
  });
}

TEST_CASE("a caption names every object once, its numbers are right, and its colours are in order") {
  for_each_scene([](const Pair& pair) {
    std::set<int> named;
    std::vector<std::ptrdiff_t> colours;
    for (int t = 0; t < static_cast<int>(pair.target.size()); ++t) {
      const std::vector<int> cells = cells_of(pair, t);
      if (const auto number = numbers.find(pair.target[t]); number != numbers.end())
        CHECK(static_cast<int>(cells.size()) == number->second);
      if (!has(order, pair.target[t])) continue;
      for (const int cell : cells) CHECK(named.insert(cell).second);
      colours.push_back(std::ranges::find(order, pair.target[t]) - order.begin());
    }
    CHECK(std::ranges::is_sorted(colours));
    CHECK(static_cast<std::ptrdiff_t>(named.size()) == 16 - std::ranges::count(pair.source, std::string(empty_cell)));
  });
}

TEST_CASE("above, below, left and right hold for the first object and the one named next") {
  int relations = 0;
  for_each_scene([&](const Pair& pair) {
    if (pair.target[0] != "a") return;
    const int first = cells_of(pair, 1).at(0);
    for (int t = 3; t < static_cast<int>(pair.target.size()); ++t) {
      if (!has({"above", "below", "left", "right"}, pair.target[t])) continue;
      const int noun = t + (pair.target[t + 1] == "of" ? 4 : 3);
      check_relation(pair.target[t], first, cells_of(pair, noun).at(0));
      CHECK(cells_of(pair, t).empty());
      ++relations;
    }
  });
  CHECK(relations > 20'000);
}
