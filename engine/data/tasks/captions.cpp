// Scenes of coloured shapes, with captions that name the objects and their relative positions: "a red circle above a
// blue square". The gold alignment links number, colour and shape tokens to the cells they describe.
#include <algorithm>
#include <array>

#include "engine/data/tasks/task.h"
#include "engine/nn/layers/sprites.h"

namespace unroll {
namespace {

constexpr int caption_count = 24'000;
constexpr int cells = scene_side * scene_side;

// Captions name objects in this order of their colours.
constexpr std::array<std::string_view, 4> colours = {"red", "yellow", "green", "blue"};
constexpr std::array<std::string_view, 4> shapes = {"circle", "square", "triangle", "cross"};

constexpr std::array<std::string_view, 3> numbers = {"two", "three", "four"};

// Objects of one kind, and the cells they are in.
struct Group {
  int kind;
  std::vector<int> cells;
};

std::string token_of(int kind) { return sprite_name(colours[kind / shapes.size()], shapes[kind % shapes.size()]); }

// Appends a token to the caption, linked to the cells it describes.
void add_token(Pair& pair, std::string_view word, const std::vector<int>& cells = {}) {
  for (const int cell : cells) pair.alignment.emplace_back(cell, static_cast<int>(pair.target.size()));
  pair.target.emplace_back(word);
}

// "a red circle", "two red crosses"
void add_object(Pair& pair, const Group& group) {
  const bool many = group.cells.size() > 1;
  const std::string_view shape = shapes[group.kind % shapes.size()];
  many ? add_token(pair, numbers[group.cells.size() - 2], group.cells) : add_token(pair, "a");
  add_token(pair, colours[group.kind / shapes.size()], group.cells);
  add_token(pair, std::string(shape) + (!many ? "" : shape == "cross" ? "es" : "s"), group.cells);
}

// Position of the first object relative to the second: above or below, or left or right in the same row.
void add_relation(Pair& pair, int first, int second) {
  const int down = first / scene_side - second / scene_side;
  if (down != 0) return add_token(pair, down < 0 ? "above" : "below");
  add_token(pair, first < second ? "left" : "right");
  add_token(pair, "of");
}

// "a red circle above a green square and left of a blue cross", "two red circles and a blue square"
void describe(Pair& pair, const std::vector<Group>& groups) {
  const bool single = std::ranges::all_of(groups, [](const Group& group) { return group.cells.size() == 1; });
  add_object(pair, groups[0]);
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (i > 1 || !single) add_token(pair, "and");
    if (single) add_relation(pair, groups[0].cells[0], groups[i].cells[0]);
    add_object(pair, groups[i]);
  }
}

// `count` distinct numbers from 0 to limit − 1, in random order.
std::vector<int> chosen(Random& random, int count, int limit) {
  std::vector<int> all(limit);
  for (int i = 0; i < limit; ++i) all[i] = i;
  for (int i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(limit - i)]);
  all.resize(count);
  return all;
}

// Number of objects of each kind in a scene.
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
  const std::vector<int> chosen_cells = chosen(random, 5, cells);  // more cells than any scene has objects
  std::ranges::sort(colour);
  Pair pair;
  pair.source.assign(cells, std::string(empty_cell));
  std::vector<Group> groups;
  for (auto next = chosen_cells.begin(); const int count : counts) {
    const int shape = random.below(shapes.size());
    groups.push_back({colour[groups.size()] * static_cast<int>(shapes.size()) + shape, {next, next + count}});
    next += count;
    std::ranges::sort(groups.back().cells);
    for (const int cell : groups.back().cells) pair.source[cell] = token_of(groups.back().kind);
  }
  describe(pair, groups);
  return pair;
}

Corpus captions_corpus(const Config&) {
  Random random(data_seed);
  return {.separator = " ",
          .pairs = distinct_pairs(caption_count, random, scene, [](Random&) { return cells; }),
          .draw = scene,
          .mix_target_lengths = true};
}

}  // namespace

TaskKind captions_task() { return {"captions", captions_corpus}; }

}  // namespace unroll
