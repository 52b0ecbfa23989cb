#include "engine/program/script_names.h"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/program/bindings.h"
#include "engine/program/script_rules.h"
#include "engine/program/walk.h"

namespace unroll::program {
namespace {

using Packages = std::optional<std::set<std::string>>;

bool contains(const auto& list, const auto& item) { return std::ranges::find(list, item) != std::end(list); }

struct OpenScope {
  const program::Scope* scope;
  bool is_class;
};

// Goes over the program twice: first for the variables outside of functions and for those that hold packages, then for
// what each statement names.
class NameChecker {
 public:
  NameChecker(const Program& program, const ScriptScope& script) : program_(program), script_(script) {}

  ScriptNames run() {
    for_each_bound(program_.body, [&](Symbol symbol, const Place&) { of_file_.insert(symbol); });
    collect(program_.body);
    check(program_.body, false);
    return std::move(found_);
  }

 private:
  // ── Scopes ──

  template <typename Work>
  void within(const program::Scope& scope, bool is_class, Work work) {
    scopes_.push_back({&scope, is_class});
    work();
    scopes_.pop_back();
  }

  // The function or comprehension whose variable the name is here; nullptr if it is one of the file or Python's own. A
  // class is looked into only by what stands directly in it: see is_of_class.
  const program::Scope* scope_of(Symbol symbol, const Place& place) const {
    bool is_doubtful = false;  // declared global in a class around
    for (auto each = scopes_.rbegin(); each != scopes_.rend(); ++each) {
      const bool is_innermost = each == scopes_.rbegin();
      const bool is_global = contains(each->scope->globals, symbol);
      if (is_global && (is_innermost || !each->is_class)) return nullptr;
      is_doubtful |= is_global;
      if (each->is_class || !each->scope->place_of_local.contains(symbol)) continue;
      if (is_doubtful) fail_at(place, "no_such_variable", name_of(symbol));
      return each->scope;
    }
    return nullptr;
  }
  // Whether it is a variable of the class whose body this is. Before it is bound, it means what it means around.
  bool is_of_class(Symbol symbol) const {
    return !scopes_.empty() && scopes_.back().is_class && scopes_.back().scope->place_of_local.contains(symbol);
  }
  bool is_bound(Symbol symbol, const Place& place) const {
    return scope_of(symbol, place) || is_of_class(symbol) || of_file_.contains(symbol);
  }
  const std::string& name_of(Symbol symbol) const { return program_.names[symbol]; }

  // ── The first walk ──

  void collect(const Block& block) {
    for (const Statement& each : block) {
      if (const auto* import = std::get_if<Import>(&each.node)) collect(*import, each.place);
      for_each_child(
          each, [](const Expression&) {}, [&](const Block& inner) { collect(inner); });
      if (const auto* define = std::get_if<Define>(&each.node))
        collect(*define->function, define->function->body, false);
      if (const auto* type = std::get_if<DefineClass>(&each.node))
        collect(*type->definition, type->definition->body, true);
    }
  }
  void collect(const program::Scope& scope, const Block& body, bool is_class) {
    of_file_.insert(scope.globals.begin(), scope.globals.end());
    within(scope, is_class, [&] { collect(body); });
  }
  void collect(const Import& import, const Place& place) {
    for (const Import::Bound& each : import.names) {
      if (each.symbol < 0) continue;
      const std::string path = each.member.empty() ? each.package : each.package + "." + each.member;
      if (each.member.empty() || is_package_of_script(path))
        packages_[{scope_of(each.symbol, place), each.symbol}].insert(path);
    }
  }

  // ── Statements ──

  // `is_optional`: the block belongs to a function or a branch, so it may have never run.
  void check(const Block& block, bool is_optional) {
    for (const Statement& each : block) check(each, is_optional);
  }

  void check(const Statement& statement, bool is_optional) {
    try {
      check_alone(statement);
    } catch (const Error& error) {
      return leave_out(statement, error, is_optional);
    }
    for_each_child(
        statement, [](const Expression&) {}, [&](const Block& each) { check(each, true); });
    if (const auto* define = std::get_if<Define>(&statement.node))
      within(*define->function, false, [&] { check(define->function->body, true); });
    if (const auto* type = std::get_if<DefineClass>(&statement.node))
      within(*type->definition, true, [&] { check(type->definition->body, is_optional); });
  }

  void leave_out(const Statement& statement, const Error& why, bool is_optional) {
    using How = Omission::How;
    const How how = unsupported_body(statement)                      ? How::function
                    : std::holds_alternative<Import>(statement.node) ? How::import
                    : is_optional                                    ? How::line
                                                                     : How::refused;
    found_.left_out.push_back({how, &statement, is_optional, why});
  }

  // What the parser has kept of a function with yield or async.
  static const Unsupported* unsupported_body(const Statement& statement) {
    const auto* define = std::get_if<Define>(&statement.node);
    const Block* body = define ? &define->function->body : nullptr;
    return body && body->size() == 1 ? std::get_if<Unsupported>(&body->front().node) : nullptr;
  }

  // The statement without the blocks that belong to it.
  void check_alone(const Statement& statement) {
    const Place& place = statement.place;
    if (const Unsupported* body = unsupported_body(statement)) fail_at(place, body->id, body->word);
    if (const auto* unsupported = std::get_if<Unsupported>(&statement.node))
      fail_at(place, unsupported->id, unsupported->word);
    if (const auto* import = std::get_if<Import>(&statement.node)) return check_import(*import, place);
    const std::vector<const Expression*> targets = targets_of(statement);
    for_each_child(
        statement, [&](const Expression& each) { contains(targets, &each) ? check_target(each) : check(each); },
        [](const Block&) {});
    if (const auto* update = std::get_if<Update>(&statement.node)) check_target(*update->target);
    if (const auto* define = std::get_if<Define>(&statement.node)) check_binding(define->function->symbol, place);
    if (const auto* type = std::get_if<DefineClass>(&statement.node)) check_binding(type->definition->symbol, place);
    if (const auto* attempt = std::get_if<Try>(&statement.node))
      for (const Try::Handler& each : attempt->handlers)
        if (each.symbol) check_binding(*each.symbol, each.place);
  }

  // The expressions that a statement assigns to or deletes.
  static std::vector<const Expression*> targets_of(const Statement& statement) {
    std::vector<const Expression*> all;
    if (const auto* assign = std::get_if<Assign>(&statement.node))
      for (const ExpressionPtr& each : assign->targets) all.push_back(each.get());
    if (const auto* annotate = std::get_if<Annotate>(&statement.node)) all.push_back(annotate->target.get());
    if (const auto* loop = std::get_if<For>(&statement.node)) all.push_back(loop->target.get());
    if (const auto* removed = std::get_if<Delete>(&statement.node))
      for (const ExpressionPtr& each : removed->targets) all.push_back(each.get());
    if (const auto* with = std::get_if<With>(&statement.node))
      for (const auto& [_, target] : with->items) all.push_back(target.get());
    return all;
  }

  void check_target(const Expression& target) {
    if (const auto* name = std::get_if<Name>(&target.node)) return check_binding(name->symbol, target.place);
    if (const auto* attribute = std::get_if<Attribute>(&target.node)) return check_changed(*attribute, target.place);
    if (const auto* starred = std::get_if<Starred>(&target.node)) return check_target(*starred->value);
    if (const auto* several = std::get_if<Sequence>(&target.node)) {
      for (const ExpressionPtr& each : several->items) check_target(*each);
      return;
    }
    check(target);
  }

  // No attribute of a package, or of a class in it, and none with underscores on both sides.
  void check_changed(const Attribute& target, const Place& place) {
    check(*target.object);
    const auto* around = std::get_if<Attribute>(&target.object->node);
    if (is_hidden(target.name) || target.name.starts_with("__") || (around && packages_of(*around->object)))
      fail_at(place, "attribute_not_in_script", target.name);
  }

  void check_binding(Symbol symbol, const Place& place) {
    const std::string& name = name_of(symbol);
    if (is_of_class(symbol)) {
      if (name.starts_with("__") && !is_special_method(name)) fail_at(place, "class_defines_hidden_name", name);
      return;
    }
    if (scope_of(symbol, place)) return;
    constexpr std::string_view harmless[] = {"__all__", "__author__", "__version__", "__doc__"};
    if (is_dangerous(name) || (name.starts_with("__") && !contains(harmless, name)))
      fail_at(place, "name_is_of_python", name);
    if (script_.own.contains(name)) fail_at(place, "name_is_of_script", name);
  }

  // ── Imports ──

  void check_import(const Import& import, const Place& place) {
    found_.needs.imports = true;
    for (const Import::Bound& each : import.names) {
      if (each.member == "*") fail_at(place, "star_import_in_script", each.package);
      if (!is_package_of_script(each.whole)) fail_at(place, "package_not_in_script", each.whole);
      if (!each.member.empty()) check_member(each.package, each.member, place);
      if (is_of_class(each.symbol)) fail_at(place, "class_defines_hidden_name", name_of(each.symbol));
      check_binding(each.symbol, place);
    }
  }

  void check_member(const std::string& package, const std::string& member, const Place& place) {
    const std::string path = package + "." + member;
    if (is_package_of_script(path)) return;
    if (!is_member_of_script(package, member)) fail_at(place, "member_not_in_script", path);
    found_.needs.members.insert(path);
  }

  // ── Expressions ──

  void check(const Expression& at) {
    if (const auto* name = std::get_if<Name>(&at.node)) return check_name(name->symbol, at.place);
    if (const auto* attribute = std::get_if<Attribute>(&at.node)) return check_attribute(*attribute, at.place);
    if (const auto* call = std::get_if<Call>(&at.node)) return check_call(*call);
    if (const auto* comprehension = std::get_if<Comprehension>(&at.node)) return check_comprehension(*comprehension);
    if (const auto* unsupported = std::get_if<Unsupported>(&at.node))
      fail_at(at.place, unsupported->id, unsupported->word);
    if (const auto* walrus = std::get_if<Walrus>(&at.node)) check_binding(walrus->symbol, at.place);
    for_each_child(at, [&](const Expression& each) { check(each); });
    if (const auto* lambda = std::get_if<Lambda>(&at.node))
      within(*lambda->function, false, [&] {
        for (const Statement& each : lambda->function->body) check_alone(each);
      });
  }

  // Its first list belongs to the scope around it.
  void check_comprehension(const Comprehension& node) {
    check(*node.clauses.front().iterable);
    within(*node.scope, false, [&] {
      for (const Comprehension::Clause& each : node.clauses) {
        check_target(*each.target);
        if (&each != &node.clauses.front()) check(*each.iterable);
        for (const ExpressionPtr& condition : each.conditions) check(*condition);
      }
      if (node.key) check(*node.key);
      check(*node.item);
    });
  }

  void check_name(Symbol symbol, const Place& place) {
    const std::string& name = name_of(symbol);
    if (packages_of(symbol, place)) fail_at(place, "package_is_no_value", name);
    if (scope_of(symbol, place)) return;
    if (script_.own.contains(name) || (is_dangerous(name) && !is_guarded(name)))
      fail_at(place, "no_such_variable", name);
    if (is_bound(symbol, place)) return;
    if (!script_.constants.contains(name) && !is_python_function(name) && !is_guarded(name) && !script_.defines(name))
      fail_at(place, "no_such_variable", name);
    found_.needs.names.insert(name);
  }

  // A package may be asked for a member by a name that the program computes: hasattr says only whether there is one,
  // and getattr of the script has a list of them.
  void check_call(const Call& node) {
    const auto* callee = std::get_if<Name>(&node.callee->node);
    const std::string name = callee ? name_of(callee->symbol) : "";
    const bool is_lookup = (name == "hasattr" || name == "getattr") && !is_bound(callee->symbol, node.callee->place);
    check(*node.callee);
    for (const Argument& each : node.arguments) {
      const bool is_first = &each == &node.arguments.front() && each.kind == Argument::Kind::plain && each.name.empty();
      const Packages packages = is_first && is_lookup ? packages_of(*each.value) : std::nullopt;
      if (!packages) check(*each.value);
      if (packages && name == "getattr") found_.needs.looked_up.insert(packages->begin(), packages->end());
    }
  }

  // The packages that the expression may be; nothing if it is none.
  Packages packages_of(const Expression& at) const {
    if (const auto* name = std::get_if<Name>(&at.node)) return packages_of(name->symbol, at.place);
    const auto* attribute = std::get_if<Attribute>(&at.node);
    const Packages around = attribute ? packages_of(*attribute->object) : std::nullopt;
    if (!around) return std::nullopt;
    std::set<std::string> inner;
    for (const std::string& each : *around)
      if (const std::string path = each + "." + attribute->name; is_package_of_script(path)) inner.insert(path);
    return inner.empty() ? std::nullopt : Packages(inner);
  }
  Packages packages_of(Symbol symbol, const Place& place) const {
    const auto found = packages_.find({scope_of(symbol, place), symbol});
    return found == packages_.end() ? std::nullopt : Packages(found->second);
  }

  void check_attribute(const Attribute& node, const Place& place) {
    const std::string& name = node.name;
    if (const Packages packages = packages_of(*node.object)) {
      for (const std::string& each : *packages) {
        const std::string path = each + "." + name;
        if (is_package_of_script(path)) fail_at(place, "package_is_no_value", path);
        check_member(each, name, place);
      }
      return;
    }
    const auto* inner = std::get_if<Attribute>(&node.object->node);
    const bool is_name_of_class = inner && inner->name == "__class__" && (name == "__name__" || name == "__qualname__");
    check(is_name_of_class ? *inner->object : *node.object);
    if (is_name_of_class) return;
    const auto* holder = std::get_if<Name>(&node.object->node);
    if (name == "__dict__" && holder)
      return void(found_.needs.dictionaries.emplace_back(node.object->place, name_of(holder->symbol)));
    if (name == "format" && is_plain_template(*node.object)) return;
    if (is_hidden(name) || (name.starts_with("__") && !is_special_method(name)))
      fail_at(place, "attribute_not_in_script", name);
  }

  // "{0} of {1:.2f}", whose fields read neither attributes nor items: not "{0.x}" or "{0[x]}".
  static bool is_plain_template(const Expression& at) {
    const auto* constant = std::get_if<Constant>(&at.node);
    const auto* text = constant ? constant->value.as<std::string>() : nullptr;
    if (!text) return false;
    for (std::size_t at = text->find('{'); at != std::string::npos; at = text->find('{', at + 1)) {
      const std::size_t end = text->find_first_of(":!}", at + 1);
      if (text->substr(at, end - at).find_first_of(".[") != std::string::npos) return false;
    }
    return true;
  }

  const Program& program_;
  const ScriptScope& script_;
  ScriptNames found_{};
  std::vector<OpenScope> scopes_{};  // around the line, innermost last, without the file
  std::set<Symbol> of_file_{};       // its variables
  std::map<std::pair<const program::Scope*, Symbol>, std::set<std::string>> packages_{};  // that variables hold
};

}  // namespace

ScriptNames names_for_script(const Program& program, const ScriptScope& scope) {
  return NameChecker(program, scope).run();
}

}  // namespace unroll::program
