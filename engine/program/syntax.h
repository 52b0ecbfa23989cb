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

enum class Operator {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  remainder,
  power,
  matmul,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right
};
enum class Relation { equal, not_equal, less, less_or_equal, greater, greater_or_equal, is, is_not, in, not_in };

struct Function;
struct ClassDefinition;

// The names that a function, a class or a comprehension binds, and those that it declares to be of the file.
struct Scope {
  std::vector<Symbol> locals;
  std::unordered_map<Symbol, std::size_t> place_of_local;
  std::vector<Symbol> globals;

  void add_local(Symbol symbol) {
    if (place_of_local.try_emplace(symbol, locals.size()).second) locals.push_back(symbol);
  }
};

struct Constant {
  Value value;
};
// f"{loss:.3f} of {name!r}": its parts, one after another.
struct Formatted {
  struct Part {
    ExpressionPtr value;
    char conversion = 0;     // 'r', 's' or 'a' of {x!r}
    ExpressionPtr format{};  // of {x:…}, itself Formatted or Constant; may be missing
  };
  std::vector<Part> parts;  // what stands between the braces is a Constant
};
struct Name {
  Symbol symbol;
};
// [a, b], or (a, b) and a, b. An item may be Starred.
struct Sequence {
  std::vector<ExpressionPtr> items;
  bool is_tuple;
};
// {a, b}
struct SetDisplay {
  std::vector<ExpressionPtr> items;
};
// {key: value, **others}; of the latter the key is missing.
struct DictDisplay {
  std::vector<std::pair<ExpressionPtr, ExpressionPtr>> items;
};
// *value, in a sequence, in a call or in targets.
struct Starred {
  ExpressionPtr value;
};
// [item for target in iterable if condition for …]; its targets are names of a scope of its own. The first iterable is
// evaluated outside of this.
struct Comprehension {
  enum class Kind { list, set, dict, generator };
  struct Clause {
    ExpressionPtr target, iterable;
    std::vector<ExpressionPtr> conditions;
  };
  Kind kind;
  std::shared_ptr<const Scope> scope;
  ExpressionPtr key;  // only of a dict
  ExpressionPtr item;
  std::vector<Clause> clauses;
};
// lambda x: value, as a function whose body is one Return.
struct Lambda {
  std::shared_ptr<const Function> function;
};
// (name := value)
struct Walrus {
  Symbol symbol;
  ExpressionPtr value;
};
// -x, +x, ~x, or not x.
struct Unary {
  enum class Kind { negative, positive, invert, is_not };
  Kind kind;
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
  enum class Kind { plain, items, entries };  // x, *x or **x
  std::string name;                           // empty if the argument has no name
  ExpressionPtr value;
  Kind kind = Kind::plain;
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
  bool is_tuple;  // x[a, b] or x[a,], not x[a]: what a dictionary has as its key
};
// What Python has and this language has not: refused where it is executed, with the sentence of this id.
struct Unsupported {
  const char* id;
  std::string word;  // the first argument of the sentence
};

struct Expression {
  Place place;  // of an operation between two operands, that of its operator
  std::variant<Constant, Formatted, Name, Sequence, SetDisplay, DictDisplay, Starred, Comprehension, Lambda, Walrus,
               Unary, Binary, Logical, Comparison, Conditional, Call, Attribute, Index, Ellipsis, Unsupported>
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
// target: type = value. The type is read and forgotten.
struct Annotate {
  ExpressionPtr target;
  ExpressionPtr value;  // may be missing
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
  Block body, otherwise;
};
struct For {
  ExpressionPtr target, iterable;
  Block body, otherwise;
};
struct Define {
  std::shared_ptr<const Function> function;
  std::vector<ExpressionPtr> decorators;  // the outermost first
};
struct DefineClass {
  std::shared_ptr<const ClassDefinition> definition;
  std::vector<ExpressionPtr> decorators;
};
struct Import {
  struct Bound {
    std::string package;  // "torch.nn.functional"
    std::string member;   // of `from package import member`; empty of `import package`; "*" of all
    Symbol symbol;        // what it is called here
    std::string whole;    // "torch.nn" of `import torch.nn`, which binds torch
  };
  std::vector<Bound> names;
};
struct Delete {
  std::vector<ExpressionPtr> targets;
};
struct Assert {
  ExpressionPtr condition, message;  // the message may be missing
};
struct Raise {
  ExpressionPtr value;  // missing: the exception that is being handled
  ExpressionPtr cause;  // of `raise value from cause`; read for the names in it, and never evaluated
};
struct Try {
  struct Handler {
    Place place;
    ExpressionPtr type;  // may be missing
    std::optional<Symbol> symbol;
    Block body;
  };
  Block body;
  std::vector<Handler> handlers;
  Block otherwise, last;  // else and finally
};
struct With {
  std::vector<std::pair<ExpressionPtr, ExpressionPtr>> items;  // value and target, which may be missing
  Block body;
};
// What runs after a statement.
enum class Flow { next, leave_loop, next_round, leave_function };
// pass, break, continue, and global x, which only the parser reads.
struct Jump {
  Flow to;
};

struct Statement {
  Place place;
  std::variant<Evaluate, Assign, Annotate, Update, Return, If, While, For, Define, DefineClass, Import, Delete, Assert,
               Raise, Try, With, Jump, Unsupported>
      node;
};

struct ParameterName {
  enum class Kind { plain, by_name_only, rest, entries };  // x; x after *; *x; **x
  Symbol symbol;
  Place place;
  ExpressionPtr fallback;  // may be missing
  Kind kind = Kind::plain;
};

struct Program;

// A def or a lambda.
struct Function : Scope {
  std::string name;  // "<lambda>" of a lambda
  Symbol symbol = -1;
  Place place;
  const Program* program = nullptr;
  std::vector<ParameterName> parameters;  // the first of its locals, in this order
  Block body;
};

struct ClassDefinition : Scope {
  std::string name;
  Symbol symbol = -1;
  Place place;
  const Program* program = nullptr;
  std::vector<Argument> bases;  // and metaclass=…
  Block body;
};

// All names of a program.
class Names {
 public:
  Symbol symbol_of(const std::string& name);
  std::optional<Symbol> find(const std::string& name) const;
  std::size_t size() const { return all_.size(); }
  const std::string& operator[](Symbol symbol) const { return all_[static_cast<std::size_t>(symbol)]; }

 private:
  std::vector<std::string> all_;
  std::unordered_map<std::string, Symbol> symbols_;
};

// The text of one file. It must not move: functions point to it.
struct Program {
  const char* file = "program";  // of every call site in it
  Names names;
  Block body;

  Program() = default;
  Program(const Program&) = delete;

  // The last function that it defines, or nullptr.
  const Function* last_function() const;
};

inline constexpr std::size_t max_program_bytes = 64 * 1024;

// Throws Error(program) for a text that is too long, or at the first mistake in it.
std::unique_ptr<const Program> parse(std::string_view text, const char* file = "program");

}  // namespace unroll::program
