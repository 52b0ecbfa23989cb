// Runs a program. Every operation is recorded on the live tape with its own line as the call site.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/kernels/random.h"
#include "engine/program/budget.h"
#include "engine/program/indexing.h"
#include "engine/program/library.h"
#include "engine/program/syntax.h"
#include "engine/tensor/pool.h"

namespace unroll::program {

// The file of every call site in a program.
inline constexpr char program_file[] = "program";

// Where parameter(name, shape, init) gets its tensor from.
class ParameterSource {
 public:
  virtual ~ParameterSource() = default;
  virtual Tensor parameter(const std::string& name, const Shape& shape, const std::string& init,
                           const Place& place) = 0;
};

class Interpreter {
 public:
  struct Options {
    std::uint64_t seed = 1;                    // of randn and other random numbers, which are the same in each run
    std::map<std::string, Value> constants{};  // besides inf and pi
    Budget budget{};
    ParameterSource* parameters = nullptr;  // none of a program that may make none
  };

  Interpreter(const Program& program, const Options& options);

  // The statements outside of functions, which define these; to be called once.
  void run();
  // Calls a function of the program, after run().
  Value call(const Function& function, std::vector<Value> arguments);

  // The defaults of a function's parameters, after run().
  const std::vector<std::optional<Value>>& fallbacks(const Function& function) const {
    return fallbacks_.at(&function);
  }

  // For the library:
  Value call(const Value& callee, std::vector<Value> arguments, const Place& place);
  Account& account() { return account_; }
  // Throws Error(program): the list would contain itself.
  void refuse_itself(const List& list, const Value& item, const Place& place);
  Tensor parameter(const std::string& name, const Shape& shape, const std::string& init, const Place& place);
  Random& random() { return random_; }
  // A short text of an operand: "Q", "scores(…)"; "" if it has none, and ".T" of the .T of such a one.
  std::string spelled(const Expression& expression) const;
  // The items of a list or tuple, or the parts of a tensor along its first axis.
  std::vector<Value> items(const Value& iterable, const Place& place);

 private:
  struct Frame {
    const Function* function = nullptr;
    std::vector<std::optional<Value>> locals;          // as function->locals
    std::vector<std::pair<Symbol, Value>> loop_names;  // of the lists [… for …] around, innermost last
    Value result;
  };

  // An argument of a call, evaluated.
  struct PassedArgument {
    std::string name;
    Value value;
    Place place;
  };

  Flow run(const Block& block);
  Flow run(const Statement& statement);
  Flow run(const Evaluate& statement, const Place& place);
  Flow run(const Assign& statement, const Place& place);
  Flow run(const Update& statement, const Place& place);
  Flow run(const Return& statement, const Place& place);
  Flow run(const If& statement, const Place& place);
  Flow run(const While& statement, const Place& place);
  Flow run(const For& statement, const Place& place);
  Flow run(const Define& statement, const Place& place);
  Flow run(const Jump& statement, const Place& place);

  void assign(const Expression& target, const Value& value);
  // Gives the names of [… for target in …] these values.
  void bind_loop_names(const Expression& target, const Value& value);
  // The items of the value, one for each of so many names; throws Error(program) if there are more or fewer.
  std::vector<Value> parts_of(const Value& value, std::size_t names, const Place& place);
  void assign_item(const Expression& target, const Index& index, const Value& value);
  void bind(Symbol symbol, const Value& value, const Place& place);
  void extend(const List& list, const Value& added, const Place& place);
  std::optional<Value>* variable(Symbol symbol);
  // Throws Error(program) if anything but the target holds the tensor, which PyTorch would change there, too.
  void check_sole_holder(const TypedTensor& tensor, const Place& place);

  Value evaluate(const Expression& expression);
  Value evaluate(const Constant& node, const Expression& at);
  Value evaluate(const Formatted& node, const Expression& at);
  Value evaluate(const Name& node, const Expression& at);
  Value evaluate(const Sequence& node, const Expression& at);
  Value evaluate(const Comprehension& node, const Expression& at);
  Value evaluate(const Unary& node, const Expression& at);
  Value evaluate(const Binary& node, const Expression& at);
  Value evaluate(const Logical& node, const Expression& at);
  Value evaluate(const Comparison& node, const Expression& at);
  Value evaluate(const Conditional& node, const Expression& at);
  Value evaluate(const Call& node, const Expression& at);
  Value evaluate(const Attribute& node, const Expression& at);
  Value evaluate(const Index& node, const Expression& at);

  [[noreturn]] void refuse_name(Symbol symbol, const Place& place) const;
  bool truth(const Expression& condition) { return is_true(evaluate(condition), condition.place); }
  std::vector<Subscripted> evaluated(const Index& index);

  std::vector<PassedArgument> evaluated(const std::vector<Argument>& arguments);
  Value call(const Function& function, std::vector<PassedArgument> passed, const Place& place);
  Value call(const Builtin& callee, std::vector<PassedArgument> passed, const Place& place);
  Value run_builtin(const Builtin& callee, const Arguments& arguments);
  Value enter(const Function& function, std::vector<std::optional<Value>> locals, const Place& place);

  const Program& program_;
  ParameterSource* parameters_;
  std::map<std::string, Value> constants_;
  Random random_;
  Account account_;
  Setting<std::size_t> memory_;                                                       // that tensors may take
  std::vector<std::optional<Value>> globals_;                                         // by symbol
  std::unordered_map<const Function*, std::vector<std::optional<Value>>> fallbacks_;  // of parameters
  std::deque<Frame> frames_;  // a deque, because frames must not move
  int depth_ = 0;             // of evaluate()
};

}  // namespace unroll::program
