// The methods of dictionaries and sets.
#include <algorithm>

#include "engine/program/dictionary.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/types.h"

namespace unroll::program {
namespace {

Dictionary& entries_at(const Arguments& a, int i = 0) {
  if (const auto* dict = a[i].as<Dict>()) return **dict;
  if (const auto* set = a[i].as<Set>()) return *set->items;
  a.refuse(i, "a_dictionary_or_a_set");
}

const Value& checked_key(const Arguments& a, const Value& key) {
  if (!is_hashable(key)) fail_at(a.place, "value_is_no_key", described(key));
  return key;
}

Value get(const Arguments& a) {
  const Value* found = entries_at(a).find(checked_key(a, a[1]));
  return found ? *found : a[2];
}

std::size_t counted_size(const Arguments& a, const Dictionary& entries) {
  a.count_items(entries.size());
  return entries.size();
}

Value items_of_dictionary(const Arguments& a) {
  std::vector<Value> all;
  all.reserve(counted_size(a, entries_at(a)));
  for (auto& [key, value] : entries_at(a).entries()) all.push_back(tuple_of({std::move(key), std::move(value)}));
  return list_of(std::move(all));
}

// As a set, which has the operators that Python's keys have.
Value keys_of_dictionary(const Arguments& a) {
  counted_size(a, entries_at(a));
  return set_of(entries_at(a).keys());
}

Value values_of_dictionary(const Arguments& a) {
  counted_size(a, entries_at(a));
  return list_of(entries_at(a).values());
}

Value pop_key(const Arguments& a) {
  Dictionary& entries = entries_at(a);
  const Value* found = entries.find(checked_key(a, a[1]));
  const std::vector<Value>& fallback = a.values(2);
  if (!found && fallback.empty()) a.interpreter.raise_key_error(a[1], a.place);
  const Value popped = found ? *found : fallback[0];
  entries.erase(a[1]);
  return popped;
}

Value pop_last(const Arguments& a) {
  Dictionary& entries = entries_at(a);
  if (entries.size() == 0) a.interpreter.raise("KeyError", "popitem(): dictionary is empty", a.place);
  counted_size(a, entries);
  const std::vector<Dictionary::Entry> all = entries.entries();
  const Dictionary::Entry& one = a.interpreter.truth(a[1], a.place) ? all.back() : all.front();
  entries.erase(one.first);
  return tuple_of({one.first, one.second});
}

Value set_default(const Arguments& a) {
  Dictionary& entries = entries_at(a);
  if (const Value* found = entries.find(checked_key(a, a[1]))) return *found;
  entries.set(a[1], a[2]);
  return a[2];
}

Value update_dictionary(const Arguments& a) {
  Dictionary& entries = entries_at(a);
  for (const Value& each : a.values(1)) add_entries(a, entries, each);
  for (const auto& [key, value] : (*a[2].as<Dict>())->entries()) entries.set(key, value);
  return None{};
}

Value copy_of_dictionary(const Arguments& a) {
  counted_size(a, entries_at(a));
  return dict_of(entries_at(a).entries());
}

Value clear_all(const Arguments& a) {
  entries_at(a).clear();
  return None{};
}

Value move_to_end(const Arguments& a) {
  Dictionary& entries = entries_at(a);
  const Value* found = entries.find(checked_key(a, a[1]));
  if (!found) a.interpreter.raise_key_error(a[1], a.place);
  const Value moved = *found;
  entries.erase(a[1]);
  entries.set(a[1], moved);
  return None{};
}

// ── Sets ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

Value add_item(const Arguments& a) {
  entries_at(a).set(checked_key(a, a[1]), None{});
  return None{};
}

Value discard(const Arguments& a) {
  entries_at(a).erase(checked_key(a, a[1]));
  return None{};
}

Value remove_key(const Arguments& a) {
  if (!entries_at(a).erase(checked_key(a, a[1]))) a.interpreter.raise_key_error(a[1], a.place);
  return None{};
}

Value pop_first(const Arguments& a) {
  Dictionary& entries = entries_at(a);
  if (entries.size() == 0) a.interpreter.raise("KeyError", "pop from an empty set", a.place);
  counted_size(a, entries);
  const Value first = entries.keys().front();
  entries.erase(first);
  return first;
}

Value copy_of_set(const Arguments& a) {
  counted_size(a, entries_at(a));
  return set_of(entries_at(a).keys());
}

// The items of what is walked, as a set.
Set as_set(const Arguments& a, const Value& items) {
  if (const auto* set = items.as<Set>()) return *set;
  std::vector<Value> all = a.interpreter.items(items, a.place);
  for (const Value& each : all) checked_key(a, each);
  return *set_of(std::move(all)).as<Set>();
}

std::vector<Value> kept_of(const Arguments& a, const Dictionary& entries, const Dictionary& other, bool wanted) {
  counted_size(a, entries);
  std::vector<Value> kept = entries.keys();
  std::erase_if(kept, [&](const Value& key) { return (other.find(key) != nullptr) != wanted; });
  return kept;
}

Value union_of(const Arguments& a) {
  std::vector<Value> all = entries_at(a).keys();
  for (const Value& each : a.values(1))
    for (const Value& key : as_set(a, each).items->keys()) all.push_back(key);
  a.count_items(all.size());
  return set_of(std::move(all));
}

Value cut_by(const Arguments& a, bool keeps_common) {
  Value left = copy_of_set(a);
  for (const Value& each : a.values(1))
    left = set_of(kept_of(a, *left.as<Set>()->items, *as_set(a, each).items, keeps_common));
  return left;
}
Value intersection_of(const Arguments& a) { return cut_by(a, true); }
Value difference_of(const Arguments& a) { return cut_by(a, false); }

Value symmetric_difference_of(const Arguments& a) {
  const Set other = as_set(a, a[1]);
  std::vector<Value> all = kept_of(a, entries_at(a), *other.items, false);
  for (Value& each : kept_of(a, *other.items, entries_at(a), false)) all.push_back(std::move(each));
  return set_of(std::move(all));
}

// Replaces the contents of the set by those of another.
Value replaced_by(const Arguments& a, const Value& result) {
  Dictionary& entries = entries_at(a);
  const std::vector<Value> keys = result.as<Set>()->items->keys();
  entries.clear();
  for (const Value& key : keys) entries.set(key, None{});
  return None{};
}
Value update_set(const Arguments& a) { return replaced_by(a, union_of(a)); }
Value keep_common(const Arguments& a) { return replaced_by(a, intersection_of(a)); }
Value remove_common(const Arguments& a) { return replaced_by(a, difference_of(a)); }

Value is_subset_of(const Arguments& a) { return kept_of(a, entries_at(a), *as_set(a, a[1]).items, false).empty(); }
Value is_superset_of(const Arguments& a) { return kept_of(a, *as_set(a, a[1]).items, entries_at(a), false).empty(); }
Value is_disjoint_from(const Arguments& a) { return kept_of(a, entries_at(a), *as_set(a, a[1]).items, true).empty(); }

}  // namespace

void add_entries(const Arguments& a, Dictionary& entries, const Value& added) {
  if (const auto* dict = added.as<Dict>()) {
    counted_size(a, **dict);
    for (const auto& [key, value] : (*dict)->entries()) entries.set(key, value);
    return;
  }
  // What has keys and an index, as modules of PyTorch do.
  if (const std::optional<Value> keys = a.interpreter.special(added, "keys")) {
    const std::optional<Value> item = a.interpreter.special(added, "__getitem__");
    if (!item) fail_at(a.place, "no_entries", described(added));
    for (const Value& key : a.interpreter.items(a.interpreter.call(*keys, std::vector<Value>{}, a.place), a.place))
      entries.set(checked_key(a, key), a.interpreter.call(*item, {key}, a.place));
    return;
  }
  for (const Value& each : a.interpreter.items(added, a.place)) {
    const std::vector<Value> pair = a.interpreter.items(each, a.place);
    if (pair.size() != 2) fail_at(a.place, "no_entries", described(each));
    entries.set(checked_key(a, pair[0]), pair[1]);
  }
}

std::span<const Builtin> dictionary_methods() {
  static constexpr Builtin all[] = {
      {"get", "dictionary, key, default=None", get, "the value of a key, or the default if there is none"},
      {"items", "dictionary", items_of_dictionary, "all keys with their values"},
      {"keys", "dictionary", keys_of_dictionary, "all keys"},
      {"values", "dictionary", values_of_dictionary, "all values"},
      {"pop", "dictionary, key, *default", pop_key, "removes a key, and returns its value"},
      {"popitem", "dictionary, last=True", pop_last, "removes the last key, and returns it with its value"},
      {"setdefault", "dictionary, key, default=None", set_default, "the value of a key, which is set if there is none"},
      {"update", "dictionary, *others, **entries", update_dictionary, "sets keys from another dictionary"},
      {"copy", "dictionary", copy_of_dictionary, "a new dictionary with the same keys and values"},
      {"clear", "dictionary", clear_all, "removes all keys"},
      {"move_to_end", "dictionary, key", move_to_end, "makes a key the last"},
  };
  return all;
}

std::span<const Builtin> set_methods() {
  static constexpr Builtin all[] = {
      {"add", "set, item", add_item, "puts an item in"},
      {"discard", "set, item", discard, "removes an item, if it is there"},
      {"remove", "set, item", remove_key, "removes an item"},
      {"pop", "set", pop_first, "removes an item, and returns it"},
      {"copy", "set", copy_of_set, "a new set with the same items"},
      {"clear", "set", clear_all, "removes all items"},
      {"union", "set, *others", union_of, "the items of all"},
      {"intersection", "set, *others", intersection_of, "the items that are in all"},
      {"difference", "set, *others", difference_of, "the items that are in none of the others"},
      {"symmetric_difference", "set, other", symmetric_difference_of, "the items that are in one of both"},
      {"update", "set, *others", update_set, "puts the items of others in"},
      {"intersection_update", "set, *others", keep_common, "keeps the items that are in all"},
      {"difference_update", "set, *others", remove_common, "removes the items of others"},
      {"issubset", "set, other", is_subset_of, "whether all items are in the other"},
      {"issuperset", "set, other", is_superset_of, "whether all items of the other are in it"},
      {"isdisjoint", "set, other", is_disjoint_from, "whether no item is in both"},
  };
  return all;
}

// a | b of two dictionaries, of which the second has the last word; | & - ^ of two sets; int | None of types.
std::optional<Value> combine_containers(Interpreter& interpreter, Operator operation, const Value& left,
                                        const Value& right, const Place& place) {
  if (left.is<Dict>() && right.is<Dict>() && operation == Operator::bit_or) {
    std::vector<std::pair<Value, Value>> all = (*left.as<Dict>())->entries();
    for (auto& entry : (*right.as<Dict>())->entries()) all.push_back(std::move(entry));
    interpreter.account().items(all.size(), place);
    return dict_of(std::move(all));
  }
  const auto may_be_type = [](const Value& value) {
    return is_type(value) || value.is<Word>() || value.is<None>() || value.is<Tuple>();
  };
  if (operation == Operator::bit_or && may_be_type(left) && may_be_type(right)) return tuple_of({left, right});
  if (!left.is<Set>() || !right.is<Set>()) return std::nullopt;
  const Dictionary &a = *left.as<Set>()->items, &b = *right.as<Set>()->items;
  interpreter.account().items(a.size() + b.size(), place);
  std::vector<Value> kept;
  const auto take = [&](const Dictionary& from, const auto& wanted) {
    for (const Value& key : from.keys())
      if (wanted(key)) kept.push_back(key);
  };
  const auto is_in_b = [&](const Value& key) { return b.find(key) != nullptr; };
  const auto is_only_in_a = [&](const Value& key) { return !is_in_b(key); };
  const auto is_only_in_b = [&](const Value& key) { return !a.find(key); };
  if (operation == Operator::bit_and)
    take(a, is_in_b);
  else if (operation == Operator::bit_or || operation == Operator::bit_xor || operation == Operator::subtract)
    take(a, [&](const Value& key) { return operation == Operator::bit_or || is_only_in_a(key); });
  else
    return std::nullopt;
  if (operation == Operator::bit_or || operation == Operator::bit_xor) take(b, is_only_in_b);
  return set_of(std::move(kept));
}

}  // namespace unroll::program
