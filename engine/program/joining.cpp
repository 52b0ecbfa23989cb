#include "engine/program/joining.h"

#include <algorithm>
#include <array>

#include "engine/program/configuration.h"
#include "engine/program/file_names.h"
#include "engine/program/forward_form.h"
#include "engine/program/sizes.h"

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
        if (names_.is_module(*define->definition))
          modules_.emplace_back(folded(define->definition->name), define->definition.get());
      }
      if (const auto* define = std::get_if<Define>(&each.node)) {
        uses_[define->function->symbol] = names_.uses_of(each);
        functions_.push_back(define->function.get());
      }
    }
  }

  std::vector<Joining> all() {
    std::vector<Joining> all;
    if (makes_forward(names_.program())) return all;
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
      if (all.size() == most_joinings) break;
    }
    return all;
  }

 private:
  static constexpr std::size_t most_joinings = 8;
  static constexpr int most_levels = 8;  // a model of a part of a part …

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

  void reach(Candidate& candidate, Symbol first) const {
    std::vector<Symbol> left = {first};
    while (!left.empty()) {
      const Symbol symbol = left.back();
      left.pop_back();
      const auto found = uses_.find(symbol);
      if (found == uses_.end() || !candidate.reached.insert(symbol).second) continue;
      const auto& [names, paths] = found->second;
      candidate.uses.paths.insert(paths.begin(), paths.end());
      candidate.uses.names.insert(names.begin(), names.end());
      left.insert(left.end(), names.begin(), names.end());
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
            std::vector<Line>& lines, int level = 0) const {
    if (level > most_levels) return false;
    std::string arguments;
    const Function* init = maker ? maker : init_of(type);
    const std::size_t first = maker ? 0 : 1;
    for (std::size_t i = first; init && i < init->parameters.size(); ++i) {
      const ParameterName& parameter = init->parameters[i];
      if (parameter.kind == ParameterName::Kind::rest || parameter.kind == ParameterName::Kind::entries) continue;
      const std::string& name = names_.program().names[parameter.symbol];
      const std::optional<std::string> value = argument(type, parameter, side, lines, level);
      if (!value && !parameter.fallback) return false;
      if (!value) continue;
      const bool is_config = i == first && init->parameters.size() == first + 1 && !size_for(name, side);
      arguments += (arguments.empty() ? "" : ", ") + (is_config ? "" : name + "=") + *value;
    }
    lines.push_back(variable + " = " + (maker ? maker->name : type.name) + "(" + arguments + ")");
    return true;
  }

  // Of the class, or of the first that it is derived from.
  const Function* init_of(const ClassDefinition& type) const {
    const ClassDefinition* at = &type;
    for (int level = 0; level < most_levels; ++level) {
      if (const Function* own = method_of(*at, "__init__")) return own;
      const auto* base = at->bases.empty() ? nullptr : std::get_if<Name>(&at->bases[0].value->node);
      const auto found = base ? names_.classes().find(base->symbol) : names_.classes().end();
      if (found == names_.classes().end()) return nullptr;
      at = found->second;
    }
    return nullptr;
  }

  std::optional<std::string> argument(const ClassDefinition& type, const ParameterName& parameter, Side side,
                                      std::vector<Line>& lines, int level) const {
    const std::string& name = names_.program().names[parameter.symbol];
    const std::optional<Size> size = size_for(name, side);
    if (size && is_size(parameter) && (size->replaces || (!parameter.fallback && !names_.is_bound(parameter.symbol))))
      return size->value;
    if (parameter.fallback) return std::nullopt;
    if (const ClassDefinition* part = class_for(name, type)) {
      const std::string word = folded(name);
      const Side its = word.starts_with("enc") ? Side::source : word.starts_with("dec") ? Side::target : side;
      const auto makes_it = [&](const Line& each) { return each.starts_with(name + " = "); };
      if (std::ranges::any_of(lines, makes_it) || make(name, *part, nullptr, its, lines, level + 1)) return name;
      return std::nullopt;
    }
    if (names_.is_bound(parameter.symbol) && !names_.is_import(parameter.symbol)) return name;
    return configuration_for(names_, type, name, side, lines);
  }

  // share_embedding=True is none, whatever its name.
  static bool is_size(const ParameterName& parameter) {
    const auto* constant = parameter.fallback ? std::get_if<Constant>(&parameter.fallback->node) : nullptr;
    return !constant || !(constant->value.is<bool>() || constant->value.is<std::string>());
  }

  // encoder is an Encoder, dec a Decoder, attn an Attention: a module before this one whose name begins so.
  const ClassDefinition* class_for(const std::string& parameter, const ClassDefinition& user) const {
    const std::string word = folded(parameter) == "attn" ? "attention" : folded(parameter);
    const std::pair<std::string, const ClassDefinition*>* nearest = nullptr;
    for (const auto& each : modules_) {
      const auto& [name, type] = each;
      if (type->place.line >= user.place.line || word.size() < 3 || !name.starts_with(word)) continue;
      if (!nearest || name.size() < nearest->first.size()) nearest = &each;
    }
    return nearest ? nearest->second : nullptr;
  }

  // --- what is returned

  std::optional<Joining> of_one(const Candidate& candidate) const {
    const std::optional<ForwardForm> form = form_of(names_, *candidate.type, candidate.uses.paths);
    if (!form) return std::nullopt;
    const Side side = form->takes_pairs ? Side::target : Side::text;
    std::vector<Line> lines;
    add_globals(candidate, side, lines);
    if (!make("model", *candidate.type, candidate.maker, side, lines)) return std::nullopt;
    // What has no table of vectors, or no vocabulary, takes no ids.
    const bool has_table = std::ranges::any_of(uses_, [](const auto& each) {  // maybe in a part that the lines make
      return each.second.paths.contains("torch.nn.Embedding") || each.second.paths.contains("torch.nn.Parameter");
    });
    const std::string made = join(lines, "\n");
    const bool has_vocabulary = made.find("VOCABULARY") != made.npos;
    // One that takes an encoder, but no target.
    const bool is_of_two_kinds = !form->takes_pairs && made.find("_VOCABULARY") != made.npos;
    if (!has_table || !has_vocabulary || is_of_two_kinds) return std::nullopt;
    return joined(candidate.type->name, form->takes_pairs, lines, form->text);
  }

  Joining joined(const std::string& model, bool takes_pairs, const std::vector<Line>& lines,
                 const std::string& forward) const {
    const std::string text = join(lines, "\n") + "\n\n" + forward;
    const std::optional<Symbol> torch = names_.program().names.find("torch");
    const bool lacks_torch = text.find("torch.") != text.npos && !(torch && names_.is_bound(*torch));
    return {model, takes_pairs, (lacks_torch ? "import torch\n" : "") + text};
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
    return joined(encoder.type->name + " and " + decoder.type->name, true, lines, *forward);
  }

  FileNames names_;
  std::map<Symbol, Uses> uses_;                                          // of classes and functions
  std::vector<std::pair<std::string, const ClassDefinition*>> modules_;  // with their names, folded
  std::vector<const Function*> functions_;
};

}  // namespace

bool makes_forward(const Program& program) {
  return std::ranges::any_of(program.body, [](const Statement& each) {
    const auto* define = std::get_if<Define>(&each.node);
    return define && define->function->name == "forward";
  });
}

std::vector<Joining> joinings_of(const Program& program) { return Joiner(program).all(); }

}  // namespace unroll::program
