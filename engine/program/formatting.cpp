#include "engine/program/formatting.h"

#include <algorithm>
#include <set>

#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/types.h"
#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

// Writes values that may be nested deeply, without recursion: what is still to be written is a stack.
class Writer {
 public:
  Writer(Interpreter& interpreter, const Place& place) : interpreter_(interpreter), place_(place) {}

  std::string written(const Value& value, bool as_repr) {
    pending_.push_back({"", value, nullptr, as_repr});
    while (!pending_.empty()) {
      const Part next = std::move(pending_.back());
      pending_.pop_back();
      if (next.ends) open_.erase(next.ends);
      if (next.value)
        write(*next.value, next.as_repr);
      else
        add(next.text);
    }
    return std::move(text_);
  }

 private:
  struct Part {
    std::string text;
    std::optional<Value> value{};
    const void* ends = nullptr;  // the container that ends here
    bool as_repr = true;
  };

  void add(const std::string& text) {
    interpreter_.account().items(text.size() + 1, place_);
    text_ += text;
  }

  void write(const Value& value, bool as_repr) {
    if (const auto* text = value.as<std::string>()) return add(as_repr ? quoted(*text) : *text);
    if (const auto* list = value.as<List>()) return put_off(list->get(), "[", parts((*list)->all()), "]");
    if (const auto* tuple = value.as<Tuple>()) {
      const std::vector<Value>& items = tuple->items->all();
      return put_off(tuple->items.get(), "(", parts(items), items.size() == 1 ? ",)" : ")");
    }
    if (const auto* set = value.as<Set>()) {
      if (set->items->size() == 0) return add("set()");
      return put_off(set->items.get(), "{", parts(set->items->keys()), "}");
    }
    if (const auto* dict = value.as<Dict>()) return put_off(dict->get(), "{", parts(**dict), "}");
    if (const auto* instance = value.as<Instance>()) return write(value, **instance, as_repr);
    add(simple(value));
  }

  void write(const Value& value, const InstanceBody& instance, bool as_repr) {
    std::optional<Value> method;
    if (!as_repr) method = interpreter_.special(value, "__str__");
    if (!method) method = interpreter_.special(value, "__repr__");
    if (method) {
      const Value text = interpreter_.call(*method, std::vector<Value>{}, place_);
      if (!text.is<std::string>()) fail_at(place_, "text_method_returns_other", instance.type->name, described(text));
      return add(*text.as<std::string>());
    }
    if (!instance.type->is_dataclass) return add("<" + instance.type->name + " object>");
    std::vector<Part> all;
    for (const std::string& name : instance.type->annotated)
      if (const Value* field = instance.attributes->find(name)) {
        all.push_back({(all.empty() ? "" : ", ") + name + "="});
        all.push_back({"", *field});
      }
    put_off(&instance, instance.type->name + "(", std::move(all), ")");
  }

  std::string simple(const Value& value) {
    if (value.is<None>()) return "None";
    if (const bool* truth = value.as<bool>()) return *truth ? "True" : "False";
    if (const auto* whole = value.as<std::int64_t>()) return std::to_string(*whole);
    if (const auto* number = value.as<double>()) return python_text(*number);
    if (const auto* tensor = value.as<TypedTensor>()) {
      interpreter_.account().values(tensor->tensor.shape(), place_);
      return tensor_text(*tensor);
    }
    if (const auto* range = value.as<WholeRange>()) return range_text(range->items->all());
    if (const auto* closure = value.as<Closure>()) return "<function " + (*closure)->function->name + ">";
    if (const auto* builtin = value.as<const Builtin*>())
      return (is_type(value) ? "<class '" : "<built-in function ") + std::string((*builtin)->name) +
             (is_type(value) ? "'>" : ">");
    if (const auto* type = value.as<Class>()) return "<class '" + (*type)->name + "'>";
    if (const auto* package = value.as<Package>()) return "<module '" + *package->name + "'>";
    if (const auto* word = value.as<Word>())
      return word->kind == Word::Kind::device ? "device(type=" + quoted(word->text) + ")" : word->text;
    if (const auto* bound = value.as<Bound>()) return "<bound " + simple((*bound)->callee).substr(1);
    return value.is<Iterator>() ? "<iterator>" : "<object>";
  }

  static std::string range_text(const std::vector<Value>& items) {
    if (items.empty()) return "range(0, 0)";
    const std::int64_t first = whole_of(items.front()), last = whole_of(items.back()),
                       step = items.size() > 1 ? whole_of(items[1]) - first : 1;
    return "range(" + std::to_string(first) + ", " + std::to_string(last + (step > 0 ? 1 : -1)) +
           (step == 1 ? "" : ", " + std::to_string(step)) + ")";
  }

  std::vector<Part> parts(const std::vector<Value>& items) {
    interpreter_.account().items(items.size(), place_);
    std::vector<Part> all;
    for (const Value& each : items) {
      if (!all.empty()) all.push_back({", "});
      all.push_back({"", each});
    }
    return all;
  }

  std::vector<Part> parts(const Dictionary& entries) {
    interpreter_.account().items(entries.size(), place_);
    std::vector<Part> all;
    for (auto& [key, value] : entries.entries()) {
      if (!all.empty()) all.push_back({", "});
      all.push_back({"", key});
      all.push_back({": "});
      all.push_back({"", value});
    }
    return all;
  }

  void put_off(const void* container, const std::string& begin, std::vector<Part> parts, const std::string& end) {
    if (!open_.insert(container).second) return add(begin + "..." + end);
    add(begin);
    pending_.push_back({end, std::nullopt, container});
    std::move(parts.rbegin(), parts.rend(), std::back_inserter(pending_));
  }

  Interpreter& interpreter_;
  const Place& place_;
  std::string text_;
  std::vector<Part> pending_;
  std::set<const void*> open_;  // containers that are being written: one may contain itself
};

}  // namespace

std::string text_of(Interpreter& interpreter, const Value& value, const Place& place) {
  if (const auto* word = value.as<Word>(); word && word->kind == Word::Kind::device) return word->text;
  return Writer(interpreter, place).written(value, false);
}

std::string repr_of(Interpreter& interpreter, const Value& value, const Place& place) {
  return Writer(interpreter, place).written(value, true);
}

std::string quoted(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string all(1, quote);
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == quote || each == '\\')
      all += {'\\', each};
    else if (each == '\n' || each == '\t' || each == '\r')
      all += each == '\n' ? "\\n" : each == '\t' ? "\\t" : "\\r";
    else if (byte < 32 || byte == 127)
      all += std::string("\\x") + (byte < 16 ? "0" : "") + whole_text(byte, 16);
    else
      all += each;
  }
  return all + quote;
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace unroll::program
