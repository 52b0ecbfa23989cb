// Expressions of random programs that move values or pick some of them.
#include <algorithm>
#include <numeric>

#include "tests/engine/support/program_draft.h"

namespace unroll {
namespace {

Piece transposed_piece(Draft& draft) {
  const Piece x = draft.operand(2);
  const int rank = x.shape.rank();
  if (rank == 2 && draft.chance(40)) return {x.text + ".T", {x.shape[1], x.shape[0]}, x.size};
  if (draft.chance(40)) return {x.text + ".mT", x.shape.with(-1, x.shape[-2]).with(-2, x.shape[-1]), x.size};
  std::vector<int> order(static_cast<std::size_t>(rank)), sizes;
  std::iota(order.begin(), order.end(), 0);
  const int a = draft.below(rank), b = draft.below(rank);
  std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
  for (const int axis : order) sizes.push_back(x.shape[axis]);
  const Shape shape{std::span<const int>(sizes)};
  const std::string first = draft.axis_text(a, rank), second = draft.axis_text(b, rank);
  if (draft.chance(50)) return {x.text + ".transpose(" + first + ", " + second + ")", shape, x.size};
  const std::string all = bracketed(Shape(std::span<const int>(order)), "[]");
  return {draft.chance(50) ? "permute(" + x.text + ", " + all + ")"
                           : x.text + ".permute(" + all.substr(1, all.size() - 2) + ")",
          shape, x.size};
}

// The same values in other sizes.
Piece resized_piece(Draft& draft) {
  const Piece x = draft.operand(1);
  const int count = static_cast<int>(x.shape.size());
  int first = draft.from(1, 4);
  while (count % first != 0) --first;
  const Shape shape{first, count / first};
  const std::string open = "(" + x.text;
  switch (draft.below(4)) {
    case 0:
      return {x.text + ".reshape" + bracketed(shape), shape, x.size};
    case 1:
      return {x.text + ".view(" + std::to_string(first) + ", -1)", shape, x.size};
    case 2:
      return {"reshape" + open + ", " + bracketed(shape) + ")", shape, x.size};
    default:
      return {x.text + ".flatten()", {count}, x.size};
  }
}

// Axes of size 1 that come and go, and are repeated.
Piece with_an_axis(Draft& draft) {
  const Piece x = draft.operand();
  const int rank = x.shape.rank();
  if (rank > 2) return {"flatten(" + x.text + ", 0, 1)", x.shape.without(0).with(0, x.shape[0] * x.shape[1]), x.size};
  const int axis = draft.below(rank + 1), times = draft.from(2, 3);
  const Shape raised = x.shape.inserted(axis);
  const std::string text = x.text + ".unsqueeze(" + draft.axis_text(axis, rank + 1) + ")";
  switch (draft.below(4)) {
    case 0:
      return {text, raised, x.size};
    case 1:
      return {"squeeze(" + text + ", " + draft.axis_text(axis, rank + 1) + ")", x.shape, x.size};
    case 2: {
      std::string sizes;
      for (int i = 0; i <= rank; ++i) sizes += (i > 0 ? ", " : "") + std::to_string(i == axis ? times : -1);
      return {text + ".expand(" + sizes + ")", raised.with(axis, times), x.size};
    }
    default:
      return {"(" + text + " * " + draft.number() + ").flatten()", {static_cast<int>(x.shape.size())}, 2 * x.size};
  }
}

Piece joined_piece(Draft& draft) {
  const Piece x = draft.operand(1), y = elementwise(draft, x);
  const double size = std::max(x.size, y.size);
  if (x.shape.rank() < 3 && draft.chance(50)) {
    const int axis = draft.below(x.shape.rank() + 1);
    return {"stack([" + x.text + ", " + y.text + "], " + draft.axis_text(axis, x.shape.rank() + 1) + ")",
            x.shape.inserted(axis).with(axis, 2), size};
  }
  const int axis = draft.below(x.shape.rank());
  return {"cat((" + x.text + ", " + y.text + "), dim=" + draft.axis_text(axis, x.shape.rank()) + ")",
          x.shape.with(axis, 2 * x.shape[axis]), size};
}

Piece turned_piece(Draft& draft) {
  const Piece x = draft.operand(2);
  const std::string diagonal = draft.chance(50) ? ", " + std::to_string(draft.from(-1, 1)) : "";
  switch (draft.below(4)) {
    case 0:
      return {"tril(" + x.text + diagonal + ")", x.shape, x.size};
    case 1:
      return {x.text + ".triu(" + (diagonal.empty() ? "" : diagonal.substr(2)) + ")", x.shape, x.size};
    case 2:
      return {"flip(" + x.text + ", [" + draft.axis_text(draft.below(x.shape.rank()), x.shape.rank()) + "])", x.shape,
              x.size};
    default:
      return {x.text + ".flip((0, 1))", x.shape, x.size};
  }
}

// a:b of an axis of that size, with a < b, and how many that picks.
std::pair<std::string, int> slice_text(Draft& draft, int size) {
  const int start = draft.below(size), stop = draft.from(start + 1, size), step = draft.chance(20) ? 2 : 1;
  const std::string from = start == 0 && draft.chance(50) ? "" : std::to_string(start);
  const std::string to = stop == size ? "" : std::to_string(draft.chance(30) ? stop - size : stop);
  return {from + ":" + to + (step > 1 ? ":2" : ""), (stop - start + step - 1) / step};
}

}  // namespace

Piece reshaped_piece(Draft& draft) {
  constexpr Piece (*forms[])(Draft&) = {transposed_piece, resized_piece, with_an_axis, joined_piece, turned_piece};
  return draft.one_of(forms)(draft);
}

// x[i, :, a:b, None, …]
Piece indexed_piece(Draft& draft) {
  const Piece x = draft.operand(1);
  if (draft.chance(20)) {
    const int axis = draft.below(x.shape.rank()), size = x.shape[axis], half = (size + 1) / 2;
    return {x.text + ".chunk(2, " + draft.axis_text(axis, x.shape.rank()) + ")[0]", x.shape.with(axis, half), x.size};
  }
  std::string subscripts;
  std::vector<int> sizes;
  const auto add = [&](const std::string& text) { subscripts += (subscripts.empty() ? "" : ", ") + text; };
  const int rank = x.shape.rank(), given = draft.from(1, rank);
  const bool from_end = given < rank && draft.chance(40);
  if (from_end) add("...");
  for (int axis = 0; axis < rank; ++axis) {
    const int size = x.shape[axis];
    const bool is_given = from_end ? axis >= rank - given : axis < given;
    if (!is_given) {
      sizes.push_back(size);
    } else if (draft.chance(35)) {
      add(std::to_string(draft.from(-size, size - 1)));
    } else {
      const auto [text, count] = slice_text(draft, size);
      add(text);
      sizes.push_back(count);
    }
  }
  if (sizes.size() < 3 && !from_end && given == rank && draft.chance(20)) add("None"), sizes.push_back(1);
  return {x.text + "[" + subscripts + "]", Shape(std::span<const int>(sizes)), x.size};
}

}  // namespace unroll
