#include "engine/models/program/fitting.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/program/file_names.h"
#include "engine/program/place.h"
#include "engine/program/sizes.h"
#include "engine/program/syntax.h"
#include "engine/program/walk.h"

namespace unroll {
namespace {

using program::Expression;
using program::Statement;

bool is_of_size(const Error& error) {
  constexpr std::array<std::string_view, 6> ids = {
      "parameters_too_many_values", "tensors_too_large",   "too_many_values",
      "too_many_multiplications",   "recording_too_large", "gradients_too_large"};
  return std::ranges::find(ids, error.message.id) != ids.end();
}

// A whole number of the text.
struct Number {
  std::string name;
  Place place;
  std::int64_t value = 0;
};

// Widths first: they are what a model's size depends on most. Then other sizes, then what no model has a name for.
int rank_of(const Number& number) {
  const auto size = program::size_for(number.name, program::Side::text);
  if (!size) return 2;
  return size->value == "32" ? 0 : 1;
}

class Numbers {
 public:
  explicit Numbers(const program::Program& program) : program_(program) { add(program.body); }

  // Those to try first come first; of one name the last, as it replaces the others.
  std::vector<Number> all() && {
    std::ranges::reverse(all_);
    std::ranges::stable_sort(all_, {}, rank_of);
    return std::move(all_);
  }

 private:
  void add(const program::Block& block) {
    for (const Statement& each : block) add(each);
  }

  void add(const Statement& statement) {
    if (const auto* type = std::get_if<program::DefineClass>(&statement.node)) return add(type->definition->body);
    if (const auto* define = std::get_if<program::Define>(&statement.node)) return add_defaults(*define->function);
    if (const auto* assign = std::get_if<program::Assign>(&statement.node))
      for (const program::ExpressionPtr& target : assign->targets) add_target(*target, *assign->value);
    if (const auto* annotate = std::get_if<program::Annotate>(&statement.node); annotate && annotate->value)
      add_target(*annotate->target, *annotate->value);
    program::for_each_child(
        statement, [&](const Expression& each) { add_within(each); }, [&](const program::Block& block) { add(block); });
  }

  // D = 64, config.width = 64, D, N = 64, 4
  void add_target(const Expression& target, const Expression& value) {
    if (const auto* name = std::get_if<program::Name>(&target.node)) add(program_.names[name->symbol], value);
    if (const auto* attribute = std::get_if<program::Attribute>(&target.node)) add(attribute->name, value);
    const auto* targets = std::get_if<program::Sequence>(&target.node);
    const auto* values = std::get_if<program::Sequence>(&value.node);
    for (std::size_t i = 0; targets && values && i < std::min(targets->items.size(), values->items.size()); ++i)
      add_target(*targets->items[i], *values->items[i]);
  }

  void add_defaults(const program::Function& function) {
    for (const program::ParameterName& each : function.parameters)
      if (each.fallback) add(program_.names[each.symbol], *each.fallback);
  }

  // GPT(Config(n_embd=64)), GPT(64), {"n_embd": 64}
  void add_within(const Expression& expression) {
    if (const auto* call = std::get_if<program::Call>(&expression.node)) add_arguments(*call);
    if (const auto* dict = std::get_if<program::DictDisplay>(&expression.node))
      for (const auto& [key, value] : dict->items)
        if (const auto* constant = key ? std::get_if<program::Constant>(&key->node) : nullptr)
          if (const auto* name = constant->value.as<std::string>()) add(*name, *value);
    program::for_each_child(expression, [&](const Expression& each) { add_within(each); });
  }

  void add_arguments(const program::Call& call) {
    const program::Function* init = init_of(*call.callee);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const program::Argument& each = call.arguments[i];
      if (!each.name.empty())
        add(each.name, *each.value);
      else if (init && i + 1 < init->parameters.size())  // after self
        add(program_.names[init->parameters[i + 1].symbol], *each.value);
    }
  }

  // The __init__ of the class of the file that is called.
  const program::Function* init_of(const Expression& callee) const {
    const auto* name = std::get_if<program::Name>(&callee.node);
    for (const Statement& each : program_.body)
      if (const auto* type = std::get_if<program::DefineClass>(&each.node);
          name && type && type->definition->symbol == name->symbol)
        return program::method_of(*type->definition, "__init__");
    return nullptr;
  }

  void add(const std::string& name, const Expression& value) {
    const auto* constant = std::get_if<program::Constant>(&value.node);
    const auto* whole = constant ? constant->value.as<std::int64_t>() : nullptr;
    if (whole && *whole > 1) all_.push_back({name, value.place, *whole});
  }

  const program::Program& program_;
  std::vector<Number> all_;
};

// Where the place is in the text: its column counts characters, of up to four bytes in UTF-8.
std::size_t offset_of(const std::string& text, const Place& place) {
  std::size_t at = 0;
  for (int line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
  for (int column = 1; column < place.column; ++column)
    for (++at; at < text.size() && (text[at] & 0xc0) == 0x80;) ++at;
  return at;
}

// Nothing for a number that is not written in digits alone.
std::optional<std::string> replaced(std::string text, const Number& number, std::int64_t value) {
  const std::size_t at = offset_of(text, number.place);
  const std::string digits = std::to_string(number.value);
  if (at > text.size() || text.compare(at, digits.size(), digits) != 0) return std::nullopt;
  return text.replace(at, digits.size(), std::to_string(value));
}

enum class Outcome { fits, too_large, refused };

Outcome outcome_of(const Config& config, const std::function<void(const Config&)>& make) {
  try {
    make(config);
    return Outcome::fits;
  } catch (const Error& error) {
    return is_of_size(error) ? Outcome::too_large : Outcome::refused;
  }
}

// The number divided by the least power of two with which the program fits; halves keep what heads can share. Small
// ones are tried first, as they take the least time. Nothing if none fits.
std::optional<std::int64_t> fitting_value(const Number& number, Config config,
                                          const std::function<void(const Config&)>& make) {
  constexpr int halvings = 6;
  const std::string text = *config.any_text("program");
  std::optional<std::int64_t> best;
  for (int i = halvings; i > 0; --i) {
    const std::int64_t value = number.value >> i;
    const auto smaller = value > 0 ? replaced(text, number, value) : std::nullopt;
    if (!smaller) continue;
    config.set("program", *smaller);
    const Outcome outcome = outcome_of(config, make);
    if (outcome == Outcome::too_large) break;
    if (outcome == Outcome::fits) best = value;
  }
  return best;
}

}  // namespace

void refuse_size(const Error& error, const Config& config, const std::function<void(const Config&)>& make) {
  constexpr std::size_t most = 3;  // numbers that are tried: each may take as long as a run, and an editor waits
  const std::optional<std::string> text = config.any_text("program");
  if (!is_of_size(error) || !text) throw Error(error);
  const RecordingGuard nothing(nullptr);
  const auto program = program::parse(*text);
  std::vector<Number> numbers = Numbers(*program).all();
  if (numbers.size() > most) numbers.resize(most);
  for (const Number& each : numbers)
    if (const std::optional<std::int64_t> value = fitting_value(each, config, make))
      program::fail_at(error.place, "too_large_but_smaller_fits", error.moved_to({}).message, each.name,
                       each.place.line, each.value, *value);
  throw Error(error);
}

}  // namespace unroll
