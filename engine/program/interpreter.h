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
#include "engine/program/objects.h"
#include "engine/program/syntax.h"
#include "engine/tensor/pool.h"

namespace unroll::program {

// The file of every call site in a program of the learner.
inline constexpr char program_file[] = "program";

// Where parameter(name, shape, init) gets its tensor from.
class ParameterSource {
 public:
  virtual ~ParameterSource() = default;
  virtual Tensor parameter(const std::string& name, const Shape& shape, const std::string& init,
                           const Place& place) = 0;
};

// An exception of Python that `raise` has thrown, on its way to a handler.
struct Raised {
  Value exception;
  Place place;
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
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;

  // The text outside of functions, once: it defines functions, classes and models.
  void run();
  // Calls a function of the program, or a model that it has made. Each call has a budget of its own. Its random numbers
  // are those of a training step; without one they are the same each time, and modules do not train: nothing is
  // dropped.
  Value run(const Value& callee, std::vector<Value> arguments, std::optional<Random> of_step = {});

  // A global variable of the program; nothing if it has none of that name.
  std::optional<Value> global(const std::string& name) const;
  std::vector<std::pair<std::string, Value>> globals() const;

  // For the library:
  Value call(const Value& callee, std::vector<Value> arguments, const Place& place);
  Value call(const Value& callee, const std::vector<Value>& arguments, const Dict& named, const Place& place);
  Account& account() { return *account_; }
  // Throws Error(program): the list would contain itself.
  void refuse_itself(const List& list, const Value& item, const Place& place);
  Tensor parameter(const std::string& name, const Shape& shape, const std::string& init, const Place& place);
  Random& random() { return random_; }
  // A short text of an operand: "Q", "scores(…)"; "" if it has none, and ".T" of the .T of such a one.
  std::string spelled(const Expression& expression) const;
  // The items of what can be walked: a list, a tuple, a dictionary (its keys), a text (its characters), a tensor (its
  // parts along the first axis), an instance with __iter__ or __getitem__.
  std::vector<Value> items(const Value& iterable, const Place& place);
  // Whether a condition holds; also of an instance with __bool__ or __len__.
  bool truth(const Value& value, const Place& place);
  // object.name. Throws Error(program) if it has none.
  Value attribute(const Value& object, const std::string& name, const Place& place);
  // object.name, or nothing.
  std::optional<Value> find_attribute(const Value& object, const std::string& name, const Place& place);
  void set_attribute(const Value& object, const std::string& name, const Value& value, const Place& place);
  void delete_attribute(const Value& object, const std::string& name, const Place& place);
  // The method of an instance's class, bound to it; nothing of other values: "__len__".
  std::optional<Value> special(const Value& object, std::string_view name) const;
  // A new instance of a class, by a call of it.
  Value instance_of(const Class& type, std::vector<Value> arguments, const Place& place);
  // A new instance without attributes: its __init__ is not called.
  Instance bare_instance(const Class& type, const Place& place);
  // A class or function that a file of the library defines: ("builtins", "ValueError"). Nothing if there is none.
  std::optional<Value> find_in_library(const std::string& file, const std::string& name);
  // Throws the exception of that name with a text: raise("KeyError", …).
  [[noreturn]] void raise(const char* type, const std::string& text, const Place& place);
  // Throws KeyError, of the key itself.
  [[noreturn]] void raise_key_error(const Value& key, const Place& place);

  // Whether operations are recorded for a gradient: not within `with torch.no_grad()`.
  bool records() const { return records_; }
  void set_records(bool records) { records_ = records; }

 private:
  struct Frame {
    const ClosureBody* closure = nullptr;      // none of a file or of a class
    std::shared_ptr<Environment> environment;  // innermost: of a comprehension within it, if one runs
    std::shared_ptr<Environment> variables;    // its own
    Class type{};                              // whose body it is
    Value result{};
  };

  // An argument of a call, evaluated.
  struct PassedArgument {
    std::string name;
    Value value;
    Place place;
  };
  using Passed = std::vector<PassedArgument>;

  // What has been loaded of the library.
  struct File {
    const Program* program = nullptr;  // see library_program
    std::shared_ptr<Environment> variables;
  };

  Flow run(const Block& block);
  Flow run(const Statement& statement);
  Flow run(const Evaluate& statement, const Place& place);
  Flow run(const Assign& statement, const Place& place);
  Flow run(const Annotate& statement, const Place& place);
  Flow run(const Update& statement, const Place& place);
  Flow run(const Return& statement, const Place& place);
  Flow run(const If& statement, const Place& place);
  Flow run(const While& statement, const Place& place);
  Flow run(const For& statement, const Place& place);
  Flow run(const Define& statement, const Place& place);
  Flow run(const DefineClass& statement, const Place& place);
  Flow run(const Import& statement, const Place& place);
  Flow run(const Delete& statement, const Place& place);
  Flow run(const Assert& statement, const Place& place);
  Flow run(const Raise& statement, const Place& place);
  Flow run(const Try& statement, const Place& place);
  Flow run(const With& statement, const Place& place);
  Flow run(const Jump& statement, const Place& place);
  Flow run(const Unsupported& statement, const Place& place);
  const Try::Handler* handler_of(const Try& statement, const Value& exception);

  void assign(const Expression& target, const Value& value);
  void assign_all(const Sequence& targets, const Value& value, const Place& place);
  void assign_item(const Value& object, const Index& index, const Value& value, const Place& place);
  void delete_item(const Value& object, const Index& index, const Place& place);
  void bind(Symbol symbol, const Value& value, const Place& place);
  Value imported(const Import::Bound& name, const Place& place);
  std::optional<Value>& variable(Symbol symbol);  // that an assignment to this name changes here
  const std::optional<Value>* find_variable(Symbol symbol);
  const std::optional<Value>* file_variable(Symbol symbol);
  std::shared_ptr<Environment> new_environment(const Scope* scope, const Program* program,
                                               const std::shared_ptr<Environment>& around);
  void extend(const List& list, const Value& added, const Place& place);
  const std::string& name_of(Symbol symbol) const { return frames_.back().variables->program->names[symbol]; }

  Value evaluate(const Expression& expression);
  Value evaluate(const Constant& node, const Expression& at);
  Value evaluate(const Formatted& node, const Expression& at);
  Value evaluate(const Name& node, const Expression& at);
  Value evaluate(const Sequence& node, const Expression& at);
  Value evaluate(const SetDisplay& node, const Expression& at);
  Value evaluate(const DictDisplay& node, const Expression& at);
  Value evaluate(const Starred& node, const Expression& at);
  Value evaluate(const Comprehension& node, const Expression& at);
  Value evaluate(const Lambda& node, const Expression& at);
  Value evaluate(const Walrus& node, const Expression& at);
  Value evaluate(const Unary& node, const Expression& at);
  Value evaluate(const Binary& node, const Expression& at);
  Value evaluate(const Logical& node, const Expression& at);
  Value evaluate(const Comparison& node, const Expression& at);
  Value evaluate(const Conditional& node, const Expression& at);
  Value evaluate(const Call& node, const Expression& at);
  Value evaluate(const Attribute& node, const Expression& at);
  Value evaluate(const Index& node, const Expression& at);
  Value evaluate(const Ellipsis& node, const Expression& at);
  Value evaluate(const Unsupported& node, const Expression& at);
  std::vector<Value> evaluated(const std::vector<ExpressionPtr>& items);
  void comprehend(const Comprehension& node, std::size_t clause, const Value& walked,
                  const std::function<void()>& take);
  std::optional<Value> combined_by_method(Operator operation, const Value& left, const Value& right, const Place& place,
                                          bool is_update = false);

  [[noreturn]] void refuse_name(Symbol symbol, const Place& place) const;
  [[noreturn]] void refuse_raised(const Raised& raised);
  std::vector<Value> items_of_instance(const Value& instance, const Place& place);
  std::vector<Value> items_until(const char* exception, const Place& place,
                                 const std::function<Value(std::int64_t)>& make);
  bool truth(const Expression& condition) { return truth(evaluate(condition), condition.place); }
  std::vector<Subscripted> evaluated(const Index& index);
  Subscripted subscripted(const Value& value, const Place& place);
  Value key_of(const Index& index);
  void check_key(const Value& key, const Place& place);

  Closure closure_of(const std::shared_ptr<const Function>& function);
  Value decorated(Value value, const std::vector<ExpressionPtr>& decorators);
  Passed evaluated(const std::vector<Argument>& arguments);
  Value call(const Value& callee, Passed passed, const Place& place);
  Value call(const ClosureBody& closure, Passed passed, const Place& place);
  Value call(const Builtin& callee, Passed passed, const Place& place);
  Value call(const Class& type, Passed passed, const Place& place);
  Value call(const Instance& instance, Passed passed, const Place& place);
  Value call_method(const Instance& instance, const Value& method, Passed passed, const Place& place);
  bool is_of_this_module(const Function& function, Environment& variables) const;
  Value without_gradient(const Value& function);
  Value super_of_here(const Place& place) const;
  Value run_builtin(const Builtin& callee, const Arguments& arguments);
  Value enter(const ClosureBody& closure, std::shared_ptr<Environment> variables, const Place& place);
  void fill_dataclass(const Instance& instance, Passed passed, const Place& place);
  Value bound_attribute(const Value& found, const Value& object, const Class& type, const Place& place);
  File* library(const std::string& file);
  std::optional<Value> attribute_of_instance(const Instance& instance, const std::string& name, const Place& place);
  std::optional<Value> attribute_of_class(const Class& type, const std::string& name, const Place& place);
  std::vector<const ClassBody*> lookup_order(const ClassBody& type, const Place& place) const;
  std::vector<std::string> fields_of(const ClassBody& type) const;
  void import_all(const Import::Bound& name, const Place& place);
  // Keeps it in mind, to be emptied at the end.
  template <typename T>
  void remember(std::vector<std::weak_ptr<T>>& all, const std::shared_ptr<T>& one);

  const Program& program_;
  ParameterSource* parameters_;
  std::map<std::string, Value> constants_;
  const std::uint64_t seed_;
  const Budget budget_;
  Random random_;
  std::optional<Account> account_;
  std::shared_ptr<Environment> globals_;
  std::map<std::string, File> library_;
  std::deque<Frame> frames_;      // a deque, because frames must not move
  Place called_from_{};           // the learner's own line, while the library runs
  std::vector<Value> handled_{};  // exceptions, while their handlers run
  std::vector<std::weak_ptr<Environment>>
      environments_{};  // all that live, to be emptied at the end: they form circles
  std::vector<std::weak_ptr<InstanceBody>> instances_{};
  std::vector<std::weak_ptr<ClassBody>> classes_{};
  bool records_ = true, trains_ = true;
  const InstanceBody* module_ = nullptr;  // that is being called, whose name the open scope has
  int depth_ = 0;                         // of evaluate()
};

template <typename T>
void Interpreter::remember(std::vector<std::weak_ptr<T>>& all, const std::shared_ptr<T>& one) {
  if (all.size() == all.capacity()) std::erase_if(all, [](const std::weak_ptr<T>& each) { return each.expired(); });
  all.push_back(one);
}

}  // namespace unroll::program
