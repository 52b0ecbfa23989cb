#include "engine/program/file_names.h"

#include <algorithm>

#include "engine/program/bindings.h"
#include "engine/program/walk.h"

namespace unroll::program {
namespace {

// Walks through scopes, since a parameter or a local variable hides the name of the file.
class Reader {
 public:
  Reader(const FileNames& file, Uses& uses) : file_(file), uses_(uses) {}

  void read(const Statement& statement) {
    for_each_child(
        statement, [&](const Expression& each) { read(each); }, [&](const Block& each) { read(each); });
    if (const auto* define = std::get_if<Define>(&statement.node)) read_within(*define->function, false);
    if (const auto* define = std::get_if<DefineClass>(&statement.node))
      scopes_.push_back({define->definition.get(), true}), read(define->definition->body), scopes_.pop_back();
    if (const auto* import = std::get_if<Import>(&statement.node))
      for (const Import::Bound& each : import->names)
        uses_.paths.insert(each.member.empty() || each.member == "*" ? each.package : each.package + "." + each.member);
  }

 private:
  void read(const Block& block) {
    for (const Statement& each : block) read(each);
  }

  void read_within(const Function& function, bool is_class) {
    scopes_.push_back({&function, is_class});
    read(function.body);
    scopes_.pop_back();
  }

  void read(const Expression& expression) {
    const auto* comprehension = std::get_if<Comprehension>(&expression.node);
    if (const auto* call = std::get_if<Call>(&expression.node))
      if (const auto* method = std::get_if<Attribute>(&call->callee->node)) uses_.paths.insert("." + method->name);
    if (const auto* name = std::get_if<Name>(&expression.node); name && !is_local(name->symbol))
      uses_.names.insert(name->symbol);
    if (const std::optional<Symbol> root = root_of(expression); root && !is_local(*root))
      if (const std::optional<std::string> path = file_.path_of(expression)) uses_.paths.insert(*path);
    if (comprehension) scopes_.push_back({comprehension->scope.get(), false});
    for_each_child(expression, [&](const Expression& each) { read(each); });
    if (comprehension) scopes_.pop_back();
    if (const auto* lambda = std::get_if<Lambda>(&expression.node)) read_within(*lambda->function, false);
  }

  bool is_local(Symbol symbol) const {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      const auto& [scope, is_class] = scopes_[i];
      // Methods do not see the variables of their class.
      if (is_class && i + 1 < scopes_.size()) continue;
      if (std::find(scope->globals.begin(), scope->globals.end(), symbol) != scope->globals.end()) return false;
      if (scope->place_of_local.contains(symbol)) return true;
    }
    return false;
  }

  const FileNames& file_;
  Uses& uses_;
  std::vector<std::pair<const Scope*, bool>> scopes_;
};

}  // namespace

FileNames::FileNames(const Program& program) : program_(program) {
  for_each_bound(program.body, [&](Symbol symbol, const Place&) { bound_.insert(symbol); });
  for (const Statement& each : program.body) {
    if (const auto* define = std::get_if<DefineClass>(&each.node))
      classes_[define->definition->symbol] = define->definition.get();
    if (const auto* import = std::get_if<Import>(&each.node))
      for (const Import::Bound& name : import->names)
        if (name.member != "*")
          imports_[name.symbol] = name.member.empty() ? name.package : name.package + "." + name.member;
  }
  // In the order of the text: a class comes after those that it is derived from.
  for (const Statement& each : program.body)
    if (const auto* define = std::get_if<DefineClass>(&each.node); define && has_module_as_base(*define->definition))
      modules_.insert(define->definition.get());
}

Uses FileNames::uses_of(const Statement& statement) const {
  Uses uses;
  Reader(*this, uses).read(statement);
  return uses;
}

std::optional<std::string> FileNames::path_of(const Expression& expression) const {
  if (const auto* name = std::get_if<Name>(&expression.node)) {
    if (const auto import = imports_.find(name->symbol); import != imports_.end()) return import->second;
    if (bound_.contains(name->symbol)) return std::nullopt;
    return program_.names[name->symbol];
  }
  const auto* attribute = std::get_if<Attribute>(&expression.node);
  if (!attribute) return std::nullopt;
  std::optional<std::string> path = path_of(*attribute->object);
  if (path) *path += "." + attribute->name;
  return path;
}

bool FileNames::has_module_as_base(const ClassDefinition& definition) const {
  return std::ranges::any_of(definition.bases, [&](const Argument& base) {
    if (const std::optional<std::string> path = path_of(*base.value))
      return path_begins(*path, "torch.nn") || *path == "Module";
    const auto* name = std::get_if<Name>(&base.value->node);
    const auto found = name ? classes_.find(name->symbol) : classes_.end();
    return found != classes_.end() && modules_.contains(found->second);
  });
}

bool FileNames::is_dataclass(const DefineClass& statement) const {
  for (const ExpressionPtr& each : statement.decorators) {
    const auto* call = std::get_if<Call>(&each->node);
    const std::optional<std::string> path = path_of(call ? *call->callee : *each);
    if (path == "dataclasses.dataclass" || path == "dataclass") return true;
  }
  return false;
}

bool path_begins(std::string_view path, std::string_view beginning) {
  return path.starts_with(beginning) && (path.size() == beginning.size() || path[beginning.size()] == '.');
}

std::optional<Symbol> root_of(const Expression& expression) {
  if (const auto* name = std::get_if<Name>(&expression.node)) return name->symbol;
  if (const auto* attribute = std::get_if<Attribute>(&expression.node)) return root_of(*attribute->object);
  if (const auto* index = std::get_if<Index>(&expression.node)) return root_of(*index->object);
  if (const auto* call = std::get_if<Call>(&expression.node)) return root_of(*call->callee);
  return std::nullopt;
}

const Function* method_of(const ClassDefinition& definition, std::string_view name) {
  for (const Statement& each : definition.body)
    if (const auto* define = std::get_if<Define>(&each.node); define && define->function->name == name)
      return define->function.get();
  return nullptr;
}

}  // namespace unroll::program
