// What the editor offers after a dot: the members of packages and classes, with their parameters.
#include <algorithm>

#include "bindings/programs.h"
#include "engine/program/formatting.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/objects.h"
#include "engine/program/packages.h"
#include "engine/program/syntax.h"

namespace unroll {
namespace {

using program::ParameterName;
using program::Value;

class Members {
 public:
  Members() : program_(program::parse("")), interpreter_(*program_, {}) { interpreter_.run(); }

  std::vector<MemberInfo> of(const std::string& path) {
    std::vector<MemberInfo> all;
    if (const auto package = program::find_package(path)) {
      const auto& found = *package->as<program::Package>();
      for (const std::string& name : program::names_in(found))
        if (const auto value = program::find_member(interpreter_, found, name))
          all.push_back(described(name, *value, false));
    } else if (const auto type = class_at(path)) {
      for (const program::ClassBody* each : (*type)->order) add_methods(*each, all);
    }
    return all;
  }

 private:
  // "torch.nn.Linear" is the member Linear of the package torch.nn.
  std::optional<program::Class> class_at(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const auto package = dot == path.npos ? std::nullopt : program::find_package(path.substr(0, dot));
    if (!package) return std::nullopt;
    const auto value = program::find_member(interpreter_, *package->as<program::Package>(), path.substr(dot + 1));
    const auto* type = value ? value->as<program::Class>() : nullptr;
    return type ? std::optional(*type) : std::nullopt;
  }

  void add_methods(const program::ClassBody& type, std::vector<MemberInfo>& all) {
    for (const auto& [key, value] : type.attributes->entries()) {
      const auto* name = key.as<std::string>();
      const auto is_it = [&](const MemberInfo& each) { return each.name == *name; };
      if (name && !name->starts_with('_') && std::ranges::none_of(all, is_it))
        all.push_back(described(*name, value, true));
    }
  }

  MemberInfo described(const std::string& name, const Value& value, bool is_method) {
    if (const auto* builtin = value.as<const program::Builtin*>())
      return {name, "function", std::string((*builtin)->parameters), (*builtin)->help};
    if (const auto* closure = value.as<program::Closure>())
      return {name, "function", parameters_of(**closure, is_method), help_of((*closure)->function->body)};
    if (const auto* type = value.as<program::Class>()) {
      const Value* init = (*type)->find("__init__");
      const auto* closure = init ? init->as<program::Closure>() : nullptr;
      return {name, "class", closure ? parameters_of(**closure, true) : "",
              (*type)->definition ? help_of((*type)->definition->body) : ""};
    }
    return {name, value.is<program::Package>() ? "package" : "value", "", ""};
  }

  std::string parameters_of(const program::ClosureBody& closure, bool is_method) {
    std::vector<std::string> all;
    const program::Function& function = *closure.function;
    for (std::size_t i = is_method ? 1 : 0; i < function.parameters.size(); ++i) {
      const ParameterName& each = function.parameters[i];
      std::string text = function.program->names[each.symbol];
      if (each.kind == ParameterName::Kind::rest) text = "*" + text;
      if (each.kind == ParameterName::Kind::entries) text = "**" + text;
      if (closure.fallbacks[i]) text += "=" + program::repr_of(interpreter_, *closure.fallbacks[i], each.place);
      all.push_back(std::move(text));
    }
    return join(all, ", ");
  }

  // The first line of its text of documentation.
  static std::string help_of(const program::Block& body) {
    const auto* first = body.empty() ? nullptr : std::get_if<program::Evaluate>(&body[0].node);
    const auto* constant = first ? std::get_if<program::Constant>(&first->value->node) : nullptr;
    const auto* text = constant ? constant->value.as<std::string>() : nullptr;
    return text ? text->substr(0, text->find('\n')) : "";
  }

  std::unique_ptr<const program::Program> program_;
  program::Interpreter interpreter_;
};

}  // namespace

Reply<std::vector<MemberInfo>> members(const std::string& path) {
  return attempt("members", [&] { return Members().of(path); });
}

}  // namespace unroll
