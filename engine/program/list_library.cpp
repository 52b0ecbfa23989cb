// The methods of lists and tuples.
#include <algorithm>

#include "engine/program/comparison.h"
#include "engine/program/library.h"
#include "engine/program/sorting.h"

namespace unroll::program {
namespace {

const List& list_at(const Arguments& a) {
  if (!a[0].is<List>()) a.refuse(0, "a_list");
  return *a[0].as<List>();
}

std::vector<Value> copied_items(const Arguments& a) {
  const std::vector<Value>* items = items_of(a[0]);
  if (!items) a.refuse(0, "a_list");
  a.count_items(items->size());
  return *items;
}

Value append(const Arguments& a) {
  const List& list = list_at(a);
  a.interpreter.refuse_itself(list, a[1], a.place);
  list->append(a[1]);
  return None{};
}

Value extend(const Arguments& a) {
  const List& list = list_at(a);
  for (const Value& each : a.interpreter.items(a[1], a.place)) {
    a.interpreter.refuse_itself(list, each, a.place);
    list->append(each);
  }
  return None{};
}

// Where an index stands; before the first item or after the last it is moved there.
std::size_t place_within(std::int64_t index, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  return static_cast<std::size_t>(std::clamp(index < 0 ? index + count : index, std::int64_t{0}, count));
}

Value insert(const Arguments& a) {
  const List& list = list_at(a);
  a.interpreter.refuse_itself(list, a[2], a.place);
  std::vector<Value> items = copied_items(a);
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(place_within(a.index(1), items.size())), a[2]);
  list->replace_all(std::move(items));
  return None{};
}

Value pop(const Arguments& a) {
  const List& list = list_at(a);
  const auto size = static_cast<int>(list->all().size());
  const int index = a.index(1), at = index < 0 ? index + size : index;
  if (size == 0) a.interpreter.raise("IndexError", "pop from empty list", a.place);
  if (at < 0 || at >= size) a.interpreter.raise("IndexError", "pop index out of range", a.place);
  if (at == size - 1) return list->take_last();
  std::vector<Value> items = copied_items(a);
  const Value popped = items[static_cast<std::size_t>(at)];
  items.erase(items.begin() + at);
  list->replace_all(std::move(items));
  return popped;
}

// The place of the first item from `from` on that is equal; nothing if there is none.
std::optional<std::size_t> place_of(const Arguments& a, std::size_t from, std::size_t end) {
  const std::vector<Value> items = copied_items(a);
  for (std::size_t i = from; i < std::min(end, items.size()); ++i)
    if (are_equal(a.interpreter, items[i], a[1], a.place)) return i;
  return std::nullopt;
}

Value remove_item(const Arguments& a) {
  const List& list = list_at(a);
  const std::optional<std::size_t> found = place_of(a, 0, list->all().size());
  if (!found) a.interpreter.raise("ValueError", "list.remove(x): x not in list", a.place);
  std::vector<Value> items = copied_items(a);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(std::min(*found, items.size() - 1)));
  list->replace_all(std::move(items));
  return None{};
}

Value index_of_item(const Arguments& a) {
  const std::size_t size = items_of(a[0]) ? items_of(a[0])->size() : 0;
  const std::size_t end = a.is_none(3) ? size : place_within(a.index(3), size);
  const std::optional<std::size_t> found = place_of(a, place_within(a.index(2), size), end);
  if (!found) a.interpreter.raise("ValueError", "the item is not in the list", a.place);
  return static_cast<std::int64_t>(*found);
}

Value count_of_item(const Arguments& a) {
  return static_cast<std::int64_t>(std::ranges::count_if(
      copied_items(a), [&](const Value& each) { return are_equal(a.interpreter, each, a[1], a.place); }));
}

Value reverse(const Arguments& a) {
  std::vector<Value> items = copied_items(a);
  std::ranges::reverse(items);
  list_at(a)->replace_all(std::move(items));
  return None{};
}

Value sort(const Arguments& a) {
  std::vector<Value> items = copied_items(a);
  sort_values(a.interpreter, items, a[1], a.interpreter.truth(a[2], a.place), a.place);
  list_at(a)->replace_all(std::move(items));
  return None{};
}

Value copy(const Arguments& a) { return list_of(copied_items(a)); }

Value clear(const Arguments& a) {
  list_at(a)->replace_all({});
  return None{};
}

}  // namespace

std::span<const Builtin> list_methods() {
  static constexpr Builtin all[] = {
      {"append", "list, item", append, "puts an item at the end"},
      {"extend", "list, items", extend, "puts several items at the end"},
      {"insert", "list, index, item", insert, "puts an item before the one at this index"},
      {"pop", "list, index=-1", pop, "removes an item, and returns it"},
      {"remove", "list, item", remove_item, "removes the first item that is equal"},
      {"index", "list, item, start=0, stop=None", index_of_item, "where the first item is that is equal"},
      {"count", "list, item", count_of_item, "how many items are equal"},
      {"reverse", "list", reverse, "puts the items in the reverse order"},
      {"sort", "list, *, key=None, reverse=False", sort, "puts the items in order"},
      {"copy", "list", copy, "a new list with the same items"},
      {"clear", "list", clear, "removes all items"},
  };
  return all;
}

std::span<const Builtin> tuple_methods() {
  static constexpr Builtin all[] = {
      {"index", "items, item, start=0, stop=None", index_of_item, "where the first item is that is equal"},
      {"count", "items, item", count_of_item, "how many items are equal"},
  };
  return all;
}

}  // namespace unroll::program
