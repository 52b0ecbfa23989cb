// Sprites, small images of coloured shapes, and scenes composed of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/ops.h"

namespace unroll {

constexpr int scene_side = 4;   // cells per row and per column of a scene
constexpr int sprite_side = 8;  // pixels per row and per column of a cell
constexpr int picture_side = scene_side * sprite_side;

// Contents of a cell: "." is empty, "red-circle" an object. Their ids in a vocabulary follow the special tokens in the
// order of sprite_names, which is byte order.
constexpr std::string_view empty_cell = ".";
std::string sprite_name(std::string_view colour, std::string_view shape);
std::vector<std::string> sprite_names();

// (V, 3 · 8 · 8): red, green and blue of every pixel, 0 to 1, for each id; special tokens are empty.
Tensor sprite_table();

// Ids (B, 16) of the cells, row by row → image (B, 3, 32, 32).
Tensor draw_scene(Operand cells, Operand sprites);

}  // namespace unroll
