#include "engine/nn/layers/sprites.h"

#include <array>

#include "engine/nn/tokens.h"

namespace unroll {
namespace {

struct Colour {
  const char* name;
  std::array<Scalar, 3> rgb;
};

constexpr Colour colours[] = {
    {"blue", {Scalar(0.25), Scalar(0.45), Scalar(1)}},
    {"green", {Scalar(0.2), Scalar(0.75), Scalar(0.3)}},
    {"red", {Scalar(0.95), Scalar(0.25), Scalar(0.2)}},
    {"yellow", {Scalar(1), Scalar(0.85), Scalar(0.15)}},
};

struct SpriteShape {
  const char* name;
  std::array<std::string_view, sprite_side> rows;
};

constexpr SpriteShape shapes[] = {
    {"circle",
     {"........",  //
      "..####..",  //
      ".######.",  //
      ".######.",  //
      ".######.",  //
      ".######.",  //
      "..####..",  //
      "........"}},
    {"cross",
     {"........",  //
      ".##..##.",  //
      ".######.",  //
      "..####..",  //
      "..####..",  //
      ".######.",  //
      ".##..##.",  //
      "........"}},
    {"square",
     {"........",  //
      ".######.",  //
      ".######.",  //
      ".######.",  //
      ".######.",  //
      ".######.",  //
      ".######.",  //
      "........"}},
    {"triangle",
     {"........",  //
      "...##...",  //
      "...##...",  //
      "..####..",  //
      "..####..",  //
      ".######.",  //
      ".######.",  //
      "........"}},
};

constexpr int pixels = sprite_side * sprite_side;

// Fills one row of the table: three planes of pixels.
void paint(Scalar* row, const Colour& colour, const SpriteShape& shape) {
  for (const Scalar shade : colour.rgb)
    for (const std::string_view line : shape.rows)
      for (const char pixel : line) *row++ = pixel == '#' ? shade : Scalar(0);
}

}  // namespace

std::string sprite_name(std::string_view colour, std::string_view shape) {
  return std::string(colour) + '-' + std::string(shape);
}

std::vector<std::string> sprite_names() {
  std::vector<std::string> names{std::string(empty_cell)};
  for (const Colour& colour : colours)
    for (const SpriteShape& shape : shapes) names.push_back(sprite_name(colour.name, shape.name));
  return names;
}

Tensor sprite_table() {
  constexpr int first_object = unk_id + 2, objects = static_cast<int>(std::size(colours) * std::size(shapes));
  Tensor table = Tensor::full({first_object + objects, 3 * pixels}, 0);
  Scalar* row = table.data() + first_object * 3 * pixels;
  for (const Colour& colour : colours)
    for (const SpriteShape& shape : shapes) {
      paint(row, colour, shape);
      row += 3 * pixels;
    }
  return table;
}

Tensor draw_scene(Operand cells, Operand sprites) {
  const Tensor drawn = transpose(gather(sprites, cells));  // (B, 3 · 8 · 8, 16)
  return fold(drawn, {sprite_side, sprite_side, sprite_side}, picture_side, picture_side);
}

}  // namespace unroll
