#include "engine/program/configuration.h"

#include <algorithm>

#include "engine/program/formatting.h"
#include "engine/program/walk.h"

namespace unroll::program {
namespace {

using Fields = std::set<std::string>;

class Configuration {
 public:
  Configuration(const FileNames& names, const std::string& parameter, Side side)
      : names_(names), parameter_(parameter), side_(side) {
    for_each_within(names_.program().body, [&](const Expression& each) {
      if (const auto* attribute = std::get_if<Attribute>(&each.node); attribute && is_it(*attribute->object))
        attributes_.insert(attribute->name);
      if (const auto* index = std::get_if<Index>(&each.node); index && is_it(*index->object)) add_key(*index);
    });
  }

  std::optional<std::string> value(const ClassDefinition& model, std::vector<std::string>& lines) const {
    if (!keys_.empty()) return dictionary();
    if (attributes_.empty()) return std::nullopt;
    const DefineClass* own = own_class();
    if (own && (names_.is_dataclass(*own) || method_of(*own->definition, "__init__")))
      return own->definition->name + "(" + arguments(fields_of(*own)) + ")";
    if (method_of(model, "get_default_config")) {
      lines.push_back(parameter_ + " = " + model.name + ".get_default_config()");
    } else {
      if (!own) lines.push_back("class Config:\n    pass\n");
      lines.push_back(parameter_ + " = " + (own ? own->definition->name : "Config") + "()");
    }
    for (const std::string& each : attributes_) {
      const std::optional<Size> size = size_for(each, side_);
      // The name of a ready configuration would set the others again.
      if (size || each == "model_type")
        lines.push_back(parameter_ + "." + each + " = " + (size ? size->value : "None"));
    }
    return parameter_;
  }

 private:
  // config, or self.config.
  bool is_it(const Expression& expression) const {
    if (const auto* name = std::get_if<Name>(&expression.node)) return name_of(name->symbol) == parameter_;
    const auto* attribute = std::get_if<Attribute>(&expression.node);
    return attribute && attribute->name == parameter_;
  }

  const std::string& name_of(Symbol symbol) const { return names_.program().names[symbol]; }

  void add_key(const Index& index) {
    const auto* key = index.subscripts.size() == 1 ? std::get_if<ExpressionPtr>(&index.subscripts[0]) : nullptr;
    const auto* constant = key ? std::get_if<Constant>(&(*key)->node) : nullptr;
    if (const auto* text = constant ? constant->value.as<std::string>() : nullptr) keys_.insert(*text);
  }

  std::string dictionary() const {
    std::vector<std::string> entries;
    for (const std::string& each : keys_) {
      const std::optional<Size> size = size_for(each, side_);
      entries.push_back(quoted(each) + ": " + (size ? size->value : each == "rope_base" ? "10000.0" : "None"));
    }
    return "{" + join(entries, ", ") + "}";
  }

  std::string arguments(const Fields& fields) const {
    std::vector<std::string> all;
    for (const std::string& each : fields)
      if (const std::optional<Size> size = size_for(each, side_); size && size->replaces)
        all.push_back(each + "=" + size->value);
    return join(all, ", ");
  }

  // Of the classes that are no modules, the one that has most of the fields.
  const DefineClass* own_class() const {
    const DefineClass* best = nullptr;
    std::size_t most = 0;
    for (const Statement& each : names_.program().body) {
      const auto* define = std::get_if<DefineClass>(&each.node);
      if (!define || names_.is_module(*define->definition)) continue;
      const Fields fields = fields_of(*define);
      const auto shared = static_cast<std::size_t>(
          std::ranges::count_if(attributes_, [&](const std::string& name) { return fields.contains(name); }));
      if (shared > most) best = define, most = shared;
    }
    return best;
  }

  // What its body assigns or annotates, and what its __init__ takes: with **kwargs all that is read.
  Fields fields_of(const DefineClass& define) const {
    Fields fields;
    const Function* init = method_of(*define.definition, "__init__");
    if (!init)
      for (const Symbol each : define.definition->locals) fields.insert(name_of(each));
    for (std::size_t i = 1; init && i < init->parameters.size(); ++i) {
      const ParameterName& each = init->parameters[i];
      if (each.kind != ParameterName::Kind::entries)
        fields.insert(name_of(each.symbol));
      else if (i > 1)
        fields.insert(attributes_.begin(), attributes_.end());
    }
    return fields;
  }

  const FileNames& names_;
  const std::string& parameter_;
  Side side_;
  Fields attributes_, keys_;
};

}  // namespace

std::optional<std::string> configuration_for(const FileNames& names, const ClassDefinition& model,
                                             const std::string& parameter, Side side, std::vector<std::string>& lines) {
  return Configuration(names, parameter, side).value(model, lines);
}

}  // namespace unroll::program
