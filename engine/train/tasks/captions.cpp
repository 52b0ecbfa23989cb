// Scenes of coloured shapes, and captions that say what is in them and how it lies.
#include <algorithm>
#include <array>

#include "engine/models/sprites.h"
#include "engine/train/tasks/generators.h"

namespace unroll {
namespace {

constexpr int caption_count = 24'000;
constexpr int cells = scene_side * scene_side;

// What is named first: by colour, then by shape.
constexpr std::array<std::string_view, 4> colours = {"red", "yellow", "green", "blue"};
constexpr std::array<std::string_view, 4> shapes = {"circle", "square", "triangle", "cross"};

constexpr std::array<std::string_view, 3> numbers = {"two", "three", "four"};

// Things of one kind, and the cells where they are.
struct Group {
  int kind;
  std::vector<int> cells;
};

std::string token_of(int kind) { return sprite_name(colours[kind / shapes.size()], shapes[kind % shapes.size()]); }

// Writes a word that names what is in these cells.
void say(Pair& pair, std::string_view word, const std::vector<int>& cells = {}) {
  for (const int cell : cells) pair.alignment.emplace_back(cell, static_cast<int>(pair.target.size()));
  pair.target.emplace_back(word);
}

// "a red circle", "two red crosses"
void name(Pair& pair, const Group& group) {
  const bool many = group.cells.size() > 1;
  const std::string_view shape = shapes[group.kind % shapes.size()];
  many ? say(pair, numbers[group.cells.size() - 2], group.cells) : say(pair, "a");
  say(pair, colours[group.kind / shapes.size()], group.cells);
  say(pair, std::string(shape) + (!many ? "" : shape == "cross" ? "es" : "s"), group.cells);
}

// How the first thing lies to the second: by its row, and in the same row by its side.
void relate(Pair& pair, int first, int second) {
  const int down = first / scene_side - second / scene_side;
  if (down != 0) return say(pair, down < 0 ? "above" : "below");
  say(pair, first < second ? "left" : "right");
  say(pair, "of");
}

// "a red circle above a green square and left of a blue cross", "two red circles and a blue square"
void describe(Pair& pair, const std::vector<Group>& groups) {
  const bool single = std::ranges::all_of(groups, [](const Group& group) { return group.cells.size() == 1; });
  name(pair, groups[0]);
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (i > 1 || !single) say(pair, "and");
    if (single) relate(pair, groups[0].cells[0], groups[i].cells[0]);
    name(pair, groups[i]);
  }
}

// The first `count` of 0 to limit − 1 in random order.
std::vector<int> chosen(Random& random, int count, int limit) {
  std::vector<int> all(limit);
  for (int i = 0; i < limit; ++i) all[i] = i;
  for (int i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(limit - i)]);
  all.resize(count);
  return all;
}

// How many things of each kind there are in a scene.
std::vector<int> random_counts(Random& random) {
  const int choice = random.below(20);
  if (choice < 1) return {1};
  if (choice < 5) return {2 + random.below(3)};
  if (choice < 12) return {1, 1};
  return {1, 1, 1};
}

Pair scene(Random& random, int) {
  const std::vector<int> counts = random_counts(random);
  std::vector<int> colour = chosen(random, static_cast<int>(counts.size()), colours.size());
  const std::vector<int> place = chosen(random, 5, cells);  // more than any scene has things
  std::ranges::sort(colour);
  Pair pair;
  pair.source.assign(cells, std::string(empty_cell));
  std::vector<Group> groups;
  for (auto next = place.begin(); const int count : counts) {
    const int shape = random.below(shapes.size());
    groups.push_back({colour[groups.size()] * static_cast<int>(shapes.size()) + shape, {next, next + count}});
    next += count;
    std::ranges::sort(groups.back().cells);
    for (const int cell : groups.back().cells) pair.source[cell] = token_of(groups.back().kind);
  }
  describe(pair, groups);
  return pair;
}

}  // namespace

Corpus captions_corpus() {
  Random random(data_seed);
  return {.name = "captions",
          .separator = " ",
          .pairs = distinct_pairs(caption_count, random, scene, [](Random&) { return cells; }),
          .draw = scene,
          .mixed = true};
}

}  // namespace unroll
