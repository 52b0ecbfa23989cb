// The names of a whole file: what its imports stand for, what each statement binds and uses, which classes are modules.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/syntax.h"

namespace unroll::program {

// What a statement uses, at any depth in it.
struct Uses {
  std::set<Symbol> names;       // of the file
  std::set<std::string> paths;  // "torch.optim.Adam", "print"; ".backward" of a method that is called
};

class FileNames {
 public:
  explicit FileNames(const Program& program);

  const Program& program() const { return program_; }
  Uses uses_of(const Statement& statement) const;
  // What a name or a chain of attributes stands for: "torch.nn.Linear" of nn.Linear; of a name that nothing in the file
  // binds, the name itself. Nothing if it begins with a variable, a function or a class of the file.
  std::optional<std::string> path_of(const Expression& expression) const;
  bool is_import(Symbol symbol) const { return imports_.contains(symbol); }
  bool is_bound(Symbol symbol) const { return imports_.contains(symbol) || bound_.contains(symbol); }

  // By their names. A module is derived from a class of torch.nn, maybe through others of the file.
  const std::map<Symbol, const ClassDefinition*>& classes() const { return classes_; }
  bool is_module(const ClassDefinition& definition) const { return modules_.contains(&definition); }
  bool is_dataclass(const DefineClass& statement) const;

 private:
  bool has_module_as_base(const ClassDefinition& definition) const;

  const Program& program_;
  std::map<Symbol, std::string> imports_;
  std::set<Symbol> bound_;
  std::map<Symbol, const ClassDefinition*> classes_;
  std::set<const ClassDefinition*> modules_;
};

// Whether the path is this one or begins with it: torch.optim.Adam with torch.optim.
bool path_begins(std::string_view path, std::string_view beginning);

// The name at the beginning of a.b[c].d(…).
std::optional<Symbol> root_of(const Expression& expression);

// The body's function of this name, or nullptr.
const Function* method_of(const ClassDefinition& definition, std::string_view name);

}  // namespace unroll::program
