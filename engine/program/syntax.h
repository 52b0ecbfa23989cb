// The syntax tree of a program, and its parser. Each node knows its place in the text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/program/place.h"
#include "engine/program/value.h"

namespace unroll::program {

// Names are compared as numbers: their indices in the program's table.
using Symbol = int;

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;

enum class Operator { add, subtract, multiply, divide, floor_divide, remainder, power, matmul };
enum class Relation { equal, not_equal, less, less_or_equal, greater, greater_or_equal, is, is_not, in, not_in };

struct Constant {
  Value value;
};
// f"{i}.W": the texts of its parts, one after another.
struct Formatted {
  std::vector<ExpressionPtr> parts;
};
struct Name {
  Symbol symbol;
};
// [a, b], or (a, b) and a, b.
struct Sequence {
  std::vector<ExpressionPtr> items;
  bool is_tuple;
};
// [item for target in iterable if condition]
struct Comprehension {
  ExpressionPtr item, target, iterable, condition;
};
// -x, or not x.
struct Unary {
  bool is_not;
  ExpressionPtr operand;
};
struct Binary {
  Operator operation;
  ExpressionPtr left, right;
};
// The right operand counts only if the left does not decide.
struct Logical {
  bool is_or;
  ExpressionPtr left, right;
};
// a < b <= c: first, then each relation with its right operand.
struct Comparison {
  ExpressionPtr first;
  std::vector<std::pair<Relation, ExpressionPtr>> rest;
};
// `then` if `condition` else `otherwise`
struct Conditional {
  ExpressionPtr condition, then, otherwise;
};
struct Argument {
  std::string name;  // empty if the argument has no name
  ExpressionPtr value;
};
struct Call {
  ExpressionPtr callee;
  std::vector<Argument> arguments;
};
struct Attribute {
  ExpressionPtr object;
  std::string name;
};
// start:stop:step, each may be missing
struct Slice {
  ExpressionPtr start, stop, step;
};
struct Ellipsis {};
using Subscript = std::variant<ExpressionPtr, Slice, Ellipsis>;
struct Index {
  ExpressionPtr object;
  std::vector<Subscript> subscripts;
};

struct Expression {
  Place place;  // of an operation between two operands, that of its operator
  std::variant<Constant, Formatted, Name, Sequence, Comprehension, Unary, Binary, Logical, Comparison, Conditional,
               Call, Attribute, Index>
      node;
};

struct Statement;
using Block = std::vector<Statement>;

struct Evaluate {
  ExpressionPtr value;
};
struct Assign {
  std::vector<ExpressionPtr> targets;  // a = b = value
  ExpressionPtr value;
};
// target operation= value
struct Update {
  ExpressionPtr target;
  Operator operation;
  ExpressionPtr value;
};
struct Return {
  ExpressionPtr value;  // may be missing
};
struct If {
  std::vector<std::pair<ExpressionPtr, Block>> branches;
  Block otherwise;
};
struct While {
  ExpressionPtr condition;
  Block body;
};
struct For {
  ExpressionPtr target, iterable;
  Block body;
};
struct Define {
  std::shared_ptr<const Function> function;
};
// What runs after a statement.
enum class Flow { next, leave_loop, next_round, leave_function };
// pass, break or continue.
struct Jump {
  Flow to;
};

struct Statement {
  Place place;
  std::variant<Evaluate, Assign, Update, Return, If, While, For, Define, Jump> node;
};

struct ParameterName {
  Symbol symbol;
  Place place;
  ExpressionPtr fallback;  // may be missing
};

struct Function {
  std::string name;
  Symbol symbol;
  Place place;
  std::vector<ParameterName> parameters;
  std::vector<Symbol> locals;  // parameters first, then whatever its body assigns
  std::unordered_map<Symbol, std::size_t> place_of_local;
  Block body;

  void add_local(Symbol symbol) {
    if (place_of_local.try_emplace(symbol, locals.size()).second) locals.push_back(symbol);
  }
};

// All names of a program.
class Names {
 public:
  Symbol symbol_of(const std::string& name);
  std::size_t size() const { return all_.size(); }
  const std::string& operator[](Symbol symbol) const { return all_[static_cast<std::size_t>(symbol)]; }

 private:
  std::vector<std::string> all_;
  std::unordered_map<std::string, Symbol> symbols_;
};

struct Program {
  Names names;
  Block body;

  // The last function that it defines, or nullptr.
  const Function* last_function() const;
};

inline constexpr std::size_t max_program_bytes = 16 * 1024;

// Throws Error(program) for a text that is too long, or at the first mistake in it.
Program parse(std::string_view text);

}  // namespace unroll::program
