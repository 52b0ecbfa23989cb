// Little pictures of things, and scenes put together from them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/ops.h"

namespace unroll {

constexpr int scene_side = 4;   // cells in a row of a scene, and rows
constexpr int sprite_side = 8;  // pixels of a cell
constexpr int picture_side = scene_side * sprite_side;

// What may stand in a cell: "." is nothing, "red-circle" a thing. Their ids in a vocabulary come after the special
// tokens, in this order, which is that of their bytes.
constexpr std::string_view empty_cell = ".";
std::string sprite_name(std::string_view colour, std::string_view shape);
std::vector<std::string> sprite_names();

// (V, 3 · 8 · 8): red, green and blue of every pixel, 0 to 1, for each of these ids; a special token is empty.
Tensor sprite_table();

// Ids (B, 16) of the cells, row by row, → picture (B, 3, 32, 32).
Tensor draw_scene(Operand cells, Operand sprites);

}  // namespace unroll
