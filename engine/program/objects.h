// Functions, classes and their instances, as values.
#pragma once

#include <string>

#include "engine/program/dictionary.h"
#include "engine/program/syntax.h"
#include "engine/program/value.h"

namespace unroll::program {

// The variables of a running function, of a file or of a comprehension. Functions that were defined in it keep it.
class Environment {
 public:
  Environment(const Scope* scope, const Program* program, std::shared_ptr<Environment> around)
      : scope(scope), program(program), around(std::move(around)), values_(scope ? scope->locals.size() : 0) {}
  ~Environment() { clear(); }
  Environment(const Environment&) = delete;

  // The variable of this scope alone, or nullptr if the scope has none of that name. Of a file: created when asked for.
  std::optional<Value>* find(Symbol symbol);
  std::optional<Value>& local(std::size_t i) { return values_[i]; }
  std::size_t size() const { return values_.size(); }
  // Forgets all values.
  void clear();

  const Scope* const scope;      // nullptr of a file, whose variables are the symbols of the program
  const Program* const program;  // whose names these are
  const std::shared_ptr<Environment> around;
  bool is_class = false;  // of the body of a class

 private:
  std::vector<std::optional<Value>> values_;
};

struct ClosureBody {
  const Function* function;
  std::shared_ptr<Environment> around;            // where it was defined
  std::vector<std::optional<Value>> fallbacks{};  // of its parameters, evaluated once
  std::weak_ptr<ClassBody> definer{};             // the class in whose body it stands: what super() begins after

  ~ClosureBody();
};

struct BoundBody {
  Value callee, self;  // callee(self, …)

  ~BoundBody() { release({std::move(const_cast<Value&>(callee)), std::move(const_cast<Value&>(self))}); }
};

struct ClassBody {
  std::string name;
  const ClassDefinition* definition;
  std::vector<Class> bases;
  std::vector<const ClassBody*> order;  // in which attributes are looked up: itself first (C3)
  Dict attributes = std::make_shared<Dictionary>();
  // The names that its body annotates, in order: the fields of a dataclass.
  std::vector<std::string> annotated{};
  bool is_dataclass = false;

  // The attribute, of the class or of one it is derived from; nullptr if there is none.
  const Value* find(std::string_view name) const;
  bool is_derived_from(const ClassBody& other) const;
};

struct InstanceBody {
  Class type;
  Dict attributes = std::make_shared<Dictionary>();
  std::string path{};  // of a module within its model: "transformer.h.0"
};

struct SuperBody {
  Class after;
  Value self;  // an instance or a class
};

struct DescriptorBody {
  enum class Kind { property, static_method, class_method };
  Kind kind;
  Value function;
  Value setter{};  // of a property
};

}  // namespace unroll::program
