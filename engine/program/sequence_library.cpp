// Functions of Python that walk something: range, zip, map, sorted.
#include <algorithm>
#include <limits>

#include "engine/program/comparison.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/sorting.h"

namespace unroll::program {
namespace {

constexpr std::int64_t longest_range = 1'000'000;

// range(n), range(start, stop) or range(start, stop, step).
Value whole_range(const Arguments& a) {
  const Bounds bounds = bounds_of(a, &Arguments::index);
  const std::int64_t stop = bounds.stop, step = bounds.step;
  std::vector<Value> all;
  for (std::int64_t i = bounds.start; step > 0 ? i < stop : i > stop; i += step) {
    if (static_cast<std::int64_t>(all.size()) >= longest_range)
      a.refuse(bounds.place_of_stop, "a_range_of_at_most_a_million");
    all.push_back(i);
  }
  a.count_items(all.size());
  return range_of(std::move(all));
}

// The items of several lists by their place: the first of each, then the second.
std::vector<std::vector<Value>> rows_of(const Arguments& a, const std::vector<Value>& lists, bool is_strict) {
  std::vector<std::vector<Value>> columns, rows;
  std::size_t shortest = lists.empty() ? 0 : std::numeric_limits<std::size_t>::max(), longest = 0;
  for (const Value& each : lists) {
    columns.push_back(a.interpreter.items(each, a.place));
    shortest = std::min(shortest, columns.back().size()), longest = std::max(longest, columns.back().size());
  }
  if (is_strict && shortest < longest) fail_at(a.place, "zip_of_other_lengths", shortest, longest);
  a.count_items(shortest * columns.size());
  for (std::size_t i = 0; i < shortest; ++i) {
    rows.emplace_back();
    for (const std::vector<Value>& column : columns) rows.back().push_back(column[i]);
  }
  return rows;
}

Value zipped(const Arguments& a) {
  std::vector<Value> all;
  for (std::vector<Value>& row : rows_of(a, a.values(0), a.flag(1))) all.push_back(tuple_of(std::move(row)));
  return iterator_of(std::move(all));
}

// At once, not when each item is taken: the same results, unless the function changes what the loop reads.
Value mapped(const Arguments& a) {
  std::vector<Value> all;
  for (std::vector<Value>& row : rows_of(a, a.values(1), false))
    all.push_back(a.interpreter.call(a[0], std::move(row), a.place));
  return iterator_of(std::move(all));
}

Value filtered(const Arguments& a) {
  std::vector<Value> all;
  for (Value& each : a.interpreter.items(a[1], a.place)) {
    const Value holds = a.is_none(0) ? each : a.interpreter.call(a[0], {each}, a.place);
    if (a.interpreter.truth(holds, a.place)) all.push_back(std::move(each));
  }
  return iterator_of(std::move(all));
}

Value enumerated(const Arguments& a) {
  std::int64_t i = a.index(1);
  std::vector<Value> all;
  for (Value& each : a.interpreter.items(a[0], a.place)) all.push_back(tuple_of({i++, std::move(each)}));
  return iterator_of(std::move(all));
}

Value reversed(const Arguments& a) {
  if (const std::optional<Value> method = a.interpreter.special(a[0], "__reversed__"))
    return a.interpreter.call(*method, std::vector<Value>{}, a.place);
  std::vector<Value> all = a.interpreter.items(a[0], a.place);
  std::ranges::reverse(all);
  return iterator_of(std::move(all));
}

Value sorted(const Arguments& a) {
  std::vector<Value> all = a.interpreter.items(a[0], a.place);
  sort_values(a.interpreter, all, a[1], a.interpreter.truth(a[2], a.place), a.place);
  return list_of(std::move(all));
}

Value iterator_over(const Arguments& a) {
  if (a[0].is<Iterator>()) return a[0];
  if (const std::optional<Value> method = a.interpreter.special(a[0], "__iter__"))
    return a.interpreter.call(*method, std::vector<Value>{}, a.place);
  return iterator_of(a.interpreter.items(a[0], a.place));
}

// next(iterator), or next(iterator, fallback).
Value next_item(const Arguments& a) {
  const std::vector<Value>& fallback = a.values(1);
  if (const auto* iterator = a[0].as<Iterator>()) {
    Iterator::Remaining& remaining = *iterator->remaining;
    if (remaining.next < remaining.items.all().size()) return remaining.items.all()[remaining.next++];
    if (!fallback.empty()) return fallback[0];
    a.interpreter.raise("StopIteration", "", a.place);
  }
  const std::optional<Value> method = a.interpreter.special(a[0], "__next__");
  if (!method) a.refuse(0, "an_iterator_such_as_iter_gives");
  return a.interpreter.call(*method, std::vector<Value>{}, a.place);
}

}  // namespace

// Sorts by merging, which keeps the order of equal values and ends for any answers that __lt__ gives.
void sort_values(Interpreter& interpreter, std::vector<Value>& values, const Value& key, bool is_reversed,
                 const Place& place) {
  struct Sorted {
    Value key, value;
  };
  std::vector<Sorted> all, merged;
  for (Value& each : values) {
    Value by = key.is<None>() ? each : interpreter.call(key, {each}, place);
    all.push_back({std::move(by), std::move(each)});
  }
  const auto comes_after = [&](const Sorted& a, const Sorted& b) {
    return is_reversed ? is_less(interpreter, a.key, b.key, place) : is_less(interpreter, b.key, a.key, place);
  };
  for (std::size_t length = 1; length < all.size(); length *= 2) {
    interpreter.account().items(all.size(), place);
    merged.clear();
    for (std::size_t begin = 0; begin < all.size(); begin += 2 * length) {
      const std::size_t middle = std::min(begin + length, all.size()), end = std::min(begin + 2 * length, all.size());
      std::size_t left = begin, right = middle;
      while (left < middle || right < end) {
        const bool takes_right = left == middle || (right < end && comes_after(all[left], all[right]));
        merged.push_back(std::move(all[takes_right ? right++ : left++]));
      }
    }
    all.swap(merged);
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::move(all[i].value);
}

std::span<const Builtin> sequence_functions() {
  static constexpr Builtin all[] = {
      {"range", "start, stop=None, step=1", whole_range, "whole numbers from start to below stop"},
      {"zip", "*lists, strict=False", zipped, "the first items of several lists, then the second, …"},
      {"enumerate", "items, start=0", enumerated, "each item with its number"},
      {"map", "function, *lists", mapped, "what the function returns for each item"},
      {"filter", "function, items", filtered, "the items for which the function holds"},
      {"reversed", "items", reversed, "the items from the last to the first"},
      {"sorted", "items, *, key=None, reverse=False", sorted, "a list of the items in order"},
      {"iter", "items", iterator_over, "the items, of which next takes one after another"},
      {"next", "iterator, *fallback", next_item, "the next item, or the fallback if there is none"},
  };
  return all;
}

}  // namespace unroll::program
