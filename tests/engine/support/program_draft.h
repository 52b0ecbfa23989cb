// A random program while it is being written: its lines, and the tensors that it has so far.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "engine/kernels/random.h"
#include "engine/tensor/shape.h"

namespace unroll {

// A part of the program that is a tensor: its text, which needs no parentheses around it, and what its value will be.
struct Piece {
  std::string text;
  Shape shape;
  double size = 1;  // about how large its values get
};

std::string bracketed(const Shape& shape, const char* brackets = "()");  // "(2, 3)", and "(2,)" of one size
// The pattern with parts[0] in place of {0}, parts[1] in place of {1}, …
std::string filled(std::string pattern, std::initializer_list<std::string> parts);

// (C++ leaves open in which order the operands of + and the arguments of a call are evaluated: for the same text
// everywhere, an expression draws once at most.)
class Draft {
 public:
  explicit Draft(std::uint64_t seed) : random_(seed) {}

  int below(int limit) { return random_.below(limit); }
  int from(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }
  std::string number();  // such as "-0.7"
  // An axis of that shape, now and then counted from the end.
  std::string axis_text(int axis, int rank) { return std::to_string(chance(40) ? axis - rank : axis); }

  // A tensor of the program with at least so many axes: a variable, or sometimes an expression.
  Piece operand(int least_rank = 0);
  // A variable alone, which counts as used from now on.
  Piece variable(int least_rank = 0);
  // A tensor that broadcasts to that shape.
  Piece partner(const Shape& shape);
  // A parameter of that shape, or once the program has enough of them a tensor of numbers.
  Piece weight(const Shape& shape);
  // The same with values of at most that size, for operations that grow quickly.
  Piece limited(const Piece& piece, double most);

  void line(const std::string& text) { text_ += std::string(static_cast<std::size_t>(indent_) * 4, ' ') + text + "\n"; }
  // Lines within a block begin further to the right.
  void open(const std::string& text) { line(text), ++indent_; }
  void close() { --indent_; }

  std::string new_name() { return "t" + std::to_string(++names_); }
  // A variable that has been assigned.
  void add(const std::string& name, const Shape& shape, double size) { variables_.push_back({{name, shape, size}}); }
  // Assigns it to a new variable.
  Piece assign(const Piece& piece);
  // A new variable that shares its values with no other.
  Piece copied(const Piece& piece) { return assign({"(" + piece.text + " + 0)", piece.shape, piece.size}); }
  // The variables that nothing has used.
  std::vector<std::string> unused() const;

  int helpers = 0;  // g0, g1, …: functions of the program that take and return one tensor
  const std::string& text() const { return text_; }

 private:
  struct Variable {
    Piece piece;
    bool is_used = false;
  };

  // A variable with a shape that fits, which counts as used from now on; one that nothing has used yet if there is any,
  // so that one operation works on the result of another.
  std::optional<Piece> used(const std::function<bool(const Shape&)>& fits);

  Random random_;
  std::string text_;
  std::vector<Variable> variables_;
  int indent_ = 0, names_ = 0, parameters_ = 0, depth_ = 0;
};

// A random expression of what the program has: program_expressions.cpp.
Piece random_expression(Draft& draft);
// A function of each value of x by itself.
Piece elementwise(Draft& draft, const Piece& x);
// The values of x in another order or shape, or some of them: program_shapes.cpp.
Piece reshaped_piece(Draft& draft);
Piece indexed_piece(Draft& draft);
// A statement or several, up to a loop: program_statements.cpp.
void random_statement(Draft& draft);

}  // namespace unroll
