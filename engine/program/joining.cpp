#include "engine/program/joining.h"

#include <algorithm>
#include <array>

#include "engine/program/file_names.h"
#include "engine/program/forward_form.h"
#include "engine/program/sizes.h"
#include "engine/program/walk.h"

namespace unroll::program {
namespace {

using Line = std::string;

// A model of the file: a class, or what a function of it such as make_model returns.
struct Candidate {
  const ClassDefinition* type;
  const Function* maker;  // or nullptr
  std::set<Symbol> reached;
  Uses uses;  // of all that it reaches
};

class Joiner {
 public:
  explicit Joiner(const Program& program) : names_(program) {
    for (const Statement& each : program.body) {
      if (const auto* define = std::get_if<DefineClass>(&each.node)) {
        uses_[define->definition->symbol] = names_.uses_of(each);
        if (names_.is_dataclass(*define)) dataclasses_.push_back(define->definition.get());
      }
      if (const auto* define = std::get_if<Define>(&each.node)) {
        uses_[define->function->symbol] = names_.uses_of(each);
        functions_.push_back(define->function.get());
      }
    }
  }

  std::vector<Joining> all() {
    std::vector<Joining> all;
    if (std::ranges::any_of(functions_, [](const Function* each) { return each->name == "forward"; })) return all;
    std::vector<Candidate> candidates = find_candidates();
    std::ranges::stable_sort(candidates, std::ranges::greater(),
                             [](const Candidate& each) { return each.reached.size(); });
    const auto is_called = [](std::string_view word) {
      return [word](const Candidate& each) { return folded(each.type->name).find(word) != std::string::npos; };
    };
    const auto encoder = std::ranges::find_if(candidates, is_called("encoder"));
    for (const Candidate& each : candidates) {
      std::optional<Joining> found;
      if (encoder == candidates.end() || is_called("encoderdecoder")(each))
        found = of_one(each);
      else if (is_called("decoder")(each))
        found = of_two(*encoder, each);
      if (found) all.push_back(*std::move(found));
    }
    return all;
  }

 private:
  // --- which classes are models

  std::vector<Candidate> find_candidates() {
    std::set<Symbol> parts;
    std::vector<std::pair<const ClassDefinition*, const Function*>> found;
    for (const Function* each : functions_)
      if (const ClassDefinition* made = returned_class(*each)) {
        const std::set<Symbol>& names = uses_[each->symbol].names;
        parts.insert(names.begin(), names.end());
        found.emplace_back(made, each);
      }
    for (const auto& [symbol, definition] : names_.classes()) {
      if (!names_.is_module(*definition)) continue;
      for (const Symbol other : uses_[symbol].names)
        if (other != symbol) parts.insert(other);
      // Seq2Seq(encoder, decoder) does not name their classes.
      if (const Function* init = init_of(*definition))
        for (const ParameterName& each : init->parameters)
          if (const ClassDefinition* part = class_for(names_.program().names[each.symbol], *definition))
            parts.insert(part->symbol);
    }
    for (const auto& [symbol, definition] : names_.classes())
      if (names_.is_module(*definition) && !parts.contains(symbol)) found.emplace_back(definition, nullptr);
    std::ranges::sort(found, {}, [](const auto& each) { return each.first->place.line; });
    std::vector<Candidate> candidates;
    for (const auto& [type, maker] : found) {
      Candidate candidate{type, maker, {}, {}};
      reach(candidate, maker ? maker->symbol : type->symbol);
      candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

  void reach(Candidate& candidate, Symbol symbol) {
    const auto found = uses_.find(symbol);
    if (found == uses_.end() || !candidate.reached.insert(symbol).second) return;
    candidate.uses.paths.insert(found->second.paths.begin(), found->second.paths.end());
    for (const Symbol each : found->second.names) {
      candidate.uses.names.insert(each);
      reach(candidate, each);
    }
  }

  const ClassDefinition* class_called(const Expression& expression) const {
    const auto* call = std::get_if<Call>(&expression.node);
    const auto* name = call ? std::get_if<Name>(&call->callee->node) : nullptr;
    const auto found = name ? names_.classes().find(name->symbol) : names_.classes().end();
    return found != names_.classes().end() && names_.is_module(*found->second) ? found->second : nullptr;
  }

  // Of a function that makes a model and returns it.
  const ClassDefinition* returned_class(const Function& function) const {
    std::map<Symbol, const ClassDefinition*> made;
    const ClassDefinition* returned = nullptr;
    for (const Statement& each : function.body) {
      if (const auto* assign = std::get_if<Assign>(&each.node))
        if (const auto* name = std::get_if<Name>(&assign->targets[0]->node))
          if (const ClassDefinition* type = class_called(*assign->value)) made[name->symbol] = type;
      const auto* back = std::get_if<Return>(&each.node);
      if (!back || !back->value) continue;
      const auto* name = std::get_if<Name>(&back->value->node);
      returned = name ? made[name->symbol] : class_called(*back->value);
    }
    return returned;
  }

  // --- how a model is made

  // Numbers of the file that its classes use: vocab_size, n_embd.
  void add_globals(const Candidate& candidate, Side side, std::vector<Line>& lines) const {
    for (const Symbol each : candidate.uses.names) {
      const std::string& name = names_.program().names[each];
      if (uses_.contains(each) || names_.is_import(each)) continue;
      const std::optional<Size> size = size_for(name, side);
      if (size && (size->replaces || !names_.is_bound(each))) add(lines, name + " = " + size->value);
    }
  }

  static void add(std::vector<Line>& lines, const Line& line) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }

  // model = Class(…), after the lines that make what it takes. False if a value is not known.
  bool make(const std::string& variable, const ClassDefinition& type, const Function* maker, Side side,
            std::vector<Line>& lines) const {
    std::string arguments;
    const Function* init = maker ? maker : init_of(type);
    const std::size_t first = maker ? 0 : 1;
    for (std::size_t i = first; init && i < init->parameters.size(); ++i) {
      const ParameterName& parameter = init->parameters[i];
      if (parameter.kind == ParameterName::Kind::rest || parameter.kind == ParameterName::Kind::entries) continue;
      const std::string& name = names_.program().names[parameter.symbol];
      const std::optional<std::string> value = argument(type, parameter, side, lines);
      if (!value && !parameter.fallback) return false;
      if (!value) continue;
      const bool is_config = i == first && init->parameters.size() == first + 1 && !size_for(name, side);
      arguments += (arguments.empty() ? "" : ", ") + (is_config ? "" : name + "=") + *value;
    }
    lines.push_back(variable + " = " + (maker ? maker->name : type.name) + "(" + arguments + ")");
    return true;
  }

  const Function* init_of(const ClassDefinition& type) const {
    if (const Function* own = method_of(type, "__init__")) return own;
    for (const Argument& base : type.bases)
      if (const auto* name = std::get_if<Name>(&base.value->node))
        if (const auto found = names_.classes().find(name->symbol);
            found != names_.classes().end() && found->second->place.line < type.place.line)
          return init_of(*found->second);
    return nullptr;
  }

  std::optional<std::string> argument(const ClassDefinition& type, const ParameterName& parameter, Side side,
                                      std::vector<Line>& lines) const {
    const std::string& name = names_.program().names[parameter.symbol];
    const std::optional<Size> size = size_for(name, side);
    if (size && is_size(parameter) && (size->replaces || (!parameter.fallback && !names_.is_bound(parameter.symbol))))
      return size->value;
    if (parameter.fallback) return std::nullopt;
    if (const ClassDefinition* part = class_for(name, type)) {
      const std::string word = folded(name);
      const Side its = word.starts_with("enc") ? Side::source : word.starts_with("dec") ? Side::target : side;
      if (make(name, *part, nullptr, its, lines)) return name;
      return std::nullopt;
    }
    if (names_.is_bound(parameter.symbol) && !names_.is_import(parameter.symbol)) return name;
    return configuration(type, name, side, lines);
  }

  // share_embedding=True is none, whatever its name.
  static bool is_size(const ParameterName& parameter) {
    const auto* constant = parameter.fallback ? std::get_if<Constant>(&parameter.fallback->node) : nullptr;
    return !constant || !(constant->value.is<bool>() || constant->value.is<std::string>());
  }

  // encoder is an Encoder, dec a Decoder, attn an Attention: a module before this one whose name begins so.
  const ClassDefinition* class_for(const std::string& parameter, const ClassDefinition& user) const {
    const std::string word = folded(parameter) == "attn" ? "attention" : folded(parameter);
    const ClassDefinition* nearest = nullptr;
    for (const auto& [_, each] : names_.classes()) {
      const std::string name = folded(each->name);
      if (!names_.is_module(*each) || each->place.line >= user.place.line || !name.starts_with(word)) continue;
      if (!nearest || name.size() < folded(nearest->name).size()) nearest = each;
    }
    return word.size() < 3 ? nullptr : nearest;
  }

  // --- configurations

  // The attributes or the keys of a parameter such as config that the file's classes use.
  struct Fields {
    std::set<std::string> attributes, keys;
  };
  Fields fields_of(const std::string& parameter) const {
    Fields fields;
    const auto is_it = [&](const Expression& expression) {
      if (const auto* name = std::get_if<Name>(&expression.node))
        return names_.program().names[name->symbol] == parameter;
      const auto* attribute = std::get_if<Attribute>(&expression.node);
      return attribute && attribute->name == parameter;
    };
    for_each_within(names_.program().body, [&](const Expression& each) {
      if (const auto* attribute = std::get_if<Attribute>(&each.node); attribute && is_it(*attribute->object))
        fields.attributes.insert(attribute->name);
      const auto* index = std::get_if<Index>(&each.node);
      if (!index || index->subscripts.size() != 1 || !is_it(*index->object)) return;
      const auto* key = std::get_if<ExpressionPtr>(&index->subscripts[0]);
      const auto* constant = key ? std::get_if<Constant>(&(*key)->node) : nullptr;
      if (const auto* text = constant ? constant->value.as<std::string>() : nullptr) fields.keys.insert(*text);
    });
    return fields;
  }

  std::optional<std::string> configuration(const ClassDefinition& type, const std::string& parameter, Side side,
                                           std::vector<Line>& lines) const {
    const Fields fields = fields_of(parameter);
    if (!fields.keys.empty()) return dictionary(fields.keys, side);
    if (fields.attributes.empty()) return std::nullopt;
    if (const ClassDefinition* best = dataclass_with(fields.attributes)) {
      std::set<std::string> own;
      for (const Statement& each : best->body)
        if (const auto* field = std::get_if<Annotate>(&each.node))
          if (const auto* name = std::get_if<Name>(&field->target->node))
            own.insert(names_.program().names[name->symbol]);
      return best->name + "(" + assignments(own, side, ", ") + ")";
    }
    const bool has_default = method_of(type, "get_default_config");
    lines.push_back(has_default ? parameter + " = " + type.name + ".get_default_config()"
                                : "class Config:\n    pass\n");
    if (!has_default) lines.push_back(parameter + " = Config()");
    for (const std::string& each : fields.attributes) {
      const std::optional<Size> size = size_for(each, side);
      // A name of ready sizes would set them again.
      if (size || each == "model_type") lines.push_back(parameter + "." + each + " = " + (size ? size->value : "None"));
    }
    return parameter;
  }

  std::string dictionary(const std::set<std::string>& keys, Side side) const {
    std::string text;
    for (const std::string& each : keys) {
      const std::optional<Size> size = size_for(each, side);
      const std::string value = size ? size->value : each == "rope_base" ? "10000.0" : "None";
      text += (text.empty() ? "\"" : ", \"") + each + "\": " + value;
    }
    return "{" + text + "}";
  }

  static std::string assignments(const std::set<std::string>& names, Side side, const std::string& separator) {
    std::string text;
    for (const std::string& each : names)
      if (const std::optional<Size> size = size_for(each, side); size && size->replaces)
        text += (text.empty() ? "" : separator) + each + "=" + size->value;
    return text;
  }

  const ClassDefinition* dataclass_with(const std::set<std::string>& attributes) const {
    const ClassDefinition* best = nullptr;
    std::size_t most = 0;
    for (const ClassDefinition* each : dataclasses_) {
      std::size_t shared = 0;
      for (const Symbol symbol : each->locals) shared += attributes.contains(names_.program().names[symbol]);
      if (shared > most) best = each, most = shared;
    }
    return best;
  }

  // --- what is returned

  std::optional<Joining> of_one(const Candidate& candidate) const {
    const std::optional<ForwardForm> form = form_of(names_, *candidate.type, candidate.reached, candidate.uses.paths);
    if (!form) return std::nullopt;
    const Side side = form->takes_pairs ? Side::target : Side::text;
    std::vector<Line> lines;
    add_globals(candidate, side, lines);
    if (!make("model", *candidate.type, candidate.maker, side, lines)) return std::nullopt;
    // What has no table of vectors, or no vocabulary, takes no ids.
    const std::set<std::string>& paths = candidate.uses.paths;
    const bool has_table = paths.contains("torch.nn.Embedding") || paths.contains("torch.nn.Parameter");
    const auto has_vocabulary = [](const Line& each) { return each.find("VOCABULARY") != Line::npos; };
    if (!has_table || std::ranges::none_of(lines, has_vocabulary)) return std::nullopt;
    return Joining{candidate.type->name, form->takes_pairs, join(lines, "\n") + "\n\n" + form->text};
  }

  // An encoder and a decoder that a function outside of both brings together.
  std::optional<Joining> of_two(const Candidate& encoder, const Candidate& decoder) const {
    std::vector<Line> lines;
    add_globals(encoder, Side::source, lines);
    add_globals(decoder, Side::target, lines);
    std::string longest;
    for (const Line& each : lines)
      if (each.ends_with(" = 64")) longest = each.substr(0, each.size() - 5);
    const std::optional<std::string> forward = form_of_two(names_, *encoder.type, *decoder.type, longest);
    if (!forward || !make("encoder", *encoder.type, nullptr, Side::source, lines) ||
        !make("decoder", *decoder.type, nullptr, Side::target, lines))
      return std::nullopt;
    return Joining{encoder.type->name + " and " + decoder.type->name, true, join(lines, "\n") + "\n\n" + *forward};
  }

  FileNames names_;
  std::map<Symbol, Uses> uses_;  // of classes and functions
  std::vector<const ClassDefinition*> dataclasses_;
  std::vector<const Function*> functions_;
};

}  // namespace

std::vector<Joining> joinings_of(const Program& program) { return Joiner(program).all(); }

}  // namespace unroll::program
