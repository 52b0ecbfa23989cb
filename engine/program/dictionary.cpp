#include "engine/program/dictionary.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/program/arithmetic.h"
#include "engine/program/library.h"
#include "engine/program/objects.h"

namespace unroll::program {
namespace {

constexpr std::size_t items_of_entry = 4;  // in memory: two values, and their place in the table
constexpr std::size_t work_of_entry = 16;  // to insert one, in the time of items that are copied
constexpr std::size_t longest_key = 10'000, most_items_of_key = 1'000;

// Spreads all bits over all others: the last step of MurmurHash3 (Appleby 2011, public domain), with 64 bits.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccdULL;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return bits ^ (bits >> 33);
}

std::uint64_t joined(std::uint64_t hash, std::uint64_t next) { return mixed(hash * 31 + next); }

std::uint64_t hash_of_text(std::string_view text) {
  std::uint64_t hash = text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t eight = 0;
    for (int i = 0; i < 8; ++i) eight |= std::uint64_t{static_cast<unsigned char>(text[std::size_t(i)])} << (8 * i);
    hash = joined(hash, eight);
  }
  for (const char each : text) hash = hash * 257 + static_cast<unsigned char>(each);
  return mixed(hash);
}

// 1, 1.0 and True are one key.
std::uint64_t hash_of_number(const Value& number) {
  if (is_whole(number)) return mixed(static_cast<std::uint64_t>(whole_of(number)));
  const double real = *number.as<double>();
  if (std::abs(real) < 9e18 && real == std::trunc(real))
    return mixed(static_cast<std::uint64_t>(static_cast<std::int64_t>(real)));
  return mixed(std::bit_cast<std::uint64_t>(real) + 1);
}

// Of what is no tuple.
std::uint64_t hash_of_one(const Value& value) {
  if (is_number(value)) return hash_of_number(value);
  if (const auto* text = value.as<std::string>()) return hash_of_text(*text);
  if (const auto* word = value.as<Word>()) return hash_of_text(word->text);
  return mixed(reinterpret_cast<std::uintptr_t>(identity_of(value)) + 7);
}

// Of what is no tuple. NaN is not equal to itself, and is one key all the same.
bool is_same_one(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b))
    return compare_numbers(Relation::equal, a, b) || (std::isnan(number_of(a)) && std::isnan(number_of(b)));
  if (a.content().index() != b.content().index()) return false;
  if (const auto* text = a.as<Text>())
    return text->letters == b.as<Text>()->letters || text->letters->text == b.as<Text>()->letters->text;
  if (const auto* word = a.as<Word>()) return std::string_view(word->text) == b.as<Word>()->text;
  if (const auto* bound = a.as<Bound>())
    return identity_of((*bound)->callee) == identity_of((*b.as<Bound>())->callee) &&
           identity_of((*bound)->self) == identity_of((*b.as<Bound>())->self) &&
           (identity_of((*bound)->self) || *bound == *b.as<Bound>());
  return identity_of(a) == identity_of(b);
}

struct Identity {
  template <typename T>
  const void* operator()(const std::shared_ptr<T>& shared) const {
    return shared.get();
  }
  const void* operator()(const Tuple& tuple) const { return tuple.items.get(); }
  const void* operator()(const WholeRange& range) const { return range.items.get(); }
  const void* operator()(const Iterator& iterator) const { return iterator.remaining.get(); }
  const void* operator()(const Set& set) const { return set.items.get(); }
  const void* operator()(const Builtin* builtin) const { return builtin; }
  const void* operator()(const Package& package) const { return package.name; }
  const void* operator()(const auto&) const { return nullptr; }
};

}  // namespace

const void* identity_of(const Value& value) { return std::visit(Identity(), value.content()); }

bool is_hashable(const Value& value) {
  std::vector<const Value*> pending{&value};
  std::size_t items = 0;
  while (!pending.empty()) {
    const Value& each = *pending.back();
    pending.pop_back();
    if (each.is<List>() || each.is<Dict>() || each.is<Set>()) return false;
    // Two instances may be equal, and a dictionary would not ask them.
    if (const auto* instance = each.as<Instance>())
      if ((*instance)->type->is_dataclass || (*instance)->type->find("__eq__")) return false;
    if (const auto* text = each.as<std::string>(); text && text->size() > longest_key) return false;
    const auto* tuple = each.as<Tuple>();
    if (!tuple) continue;
    if (items += tuple->items->all().size() + 1; items > most_items_of_key) return false;
    for (const Value& item : tuple->items->all()) pending.push_back(&item);
  }
  return true;
}

std::uint64_t hash_of(const Value& key) {
  std::vector<const Value*> pending{&key};
  std::uint64_t hash = 0;
  while (!pending.empty()) {
    const Value& each = *pending.back();
    pending.pop_back();
    const auto* tuple = each.as<Tuple>();
    if (tuple)
      for (const Value& item : tuple->items->all()) pending.push_back(&item);
    // A bound method is a new object each time it is asked for.
    const auto* bound = each.as<Bound>();
    hash = joined(hash, tuple   ? tuple->items->all().size() + 5
                        : bound ? hash_of_one((*bound)->callee)
                                : hash_of_one(each));
  }
  return hash;
}

bool same_key(const Value& a, const Value& b) {
  std::vector<std::pair<const Value*, const Value*>> pending{{&a, &b}};
  while (!pending.empty()) {
    const auto [left, right] = pending.back();
    pending.pop_back();
    const auto *tuple = left->as<Tuple>(), *other = right->as<Tuple>();
    if (!tuple || !other) {
      if (!is_same_one(*left, *right)) return false;
      continue;
    }
    const std::vector<Value>&items = tuple->items->all(), &others = other->items->all();
    if (items.size() != others.size()) return false;
    for (std::size_t i = 0; i < items.size(); ++i) pending.emplace_back(&items[i], &others[i]);
  }
  return true;
}

Dictionary::~Dictionary() {
  clear();
  let_go(1, 0);
}

Dictionary::Places::const_iterator Dictionary::place_of(const Value& key) const {
  const auto [first, last] = places_.equal_range(hash_of(key));
  for (auto each = first; each != last; ++each)
    if (same_key(entries_[each->second]->first, key)) return each;
  return places_.end();
}

// Attributes are found without a new text for each search.
Dictionary::Places::const_iterator Dictionary::place_of(std::string_view key) const {
  const auto [first, last] = places_.equal_range(joined(0, hash_of_text(key)));
  for (auto each = first; each != last; ++each)
    if (const auto* text = entries_[each->second]->first.as<std::string>(); text && *text == key) return each;
  return places_.end();
}

const Value* Dictionary::find(const Value& key) const {
  const auto found = place_of(key);
  return found == places_.end() ? nullptr : &entries_[found->second]->second;
}

const Value* Dictionary::find(std::string_view key) const {
  const auto found = place_of(key);
  return found == places_.end() ? nullptr : &entries_[found->second]->second;
}

void Dictionary::insert(std::uint64_t hash, Value key, Value value) {
  places_.emplace(hash, entries_.size());
  entries_.emplace_back(Entry{std::move(key), std::move(value)});
  hold(items_of_entry, 0);
  count_work(work_of_entry);
}

void Dictionary::set(const Value& key, Value value) {
  const auto found = place_of(key);
  if (found == places_.end()) return insert(hash_of(key), key, std::move(value));
  std::swap(entries_[found->second]->second, value);  // so that the old value ends after the change
}

void Dictionary::set(std::string_view key, Value value) {
  const auto found = place_of(key);
  if (found == places_.end()) return insert(joined(0, hash_of_text(key)), std::string(key), std::move(value));
  std::swap(entries_[found->second]->second, value);
}

bool Dictionary::erase(Places::const_iterator found) {
  if (found == places_.end()) return false;
  const std::optional<Entry> old = std::exchange(entries_[found->second], std::nullopt);
  places_.erase(found);
  let_go(items_of_entry, 0);
  if (entries_.size() > 2 * places_.size() + 8) compact();
  return true;
}

bool Dictionary::erase(const Value& key) { return erase(place_of(key)); }
bool Dictionary::erase(std::string_view key) { return erase(place_of(key)); }

void Dictionary::compact() {
  std::vector<std::size_t> moved(entries_.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    moved[i] = next;
    if (entries_[i] && i != next) entries_[next] = std::exchange(entries_[i], std::nullopt);
    if (entries_[next]) ++next;
  }
  entries_.resize(next);
  for (auto& [hash, place] : places_) place = moved[place];
}

void Dictionary::clear() {
  std::vector<Value> all;
  for (std::optional<Entry>& each : entries_)
    if (each) all.push_back(std::move(each->first)), all.push_back(std::move(each->second));
  let_go(items_of_entry * places_.size(), 0);
  entries_.clear();
  places_.clear();
  release(std::move(all));
}

std::vector<Dictionary::Entry> Dictionary::entries() const {
  count_work(2 * entries_.size());
  std::vector<Entry> all;
  all.reserve(size());
  for (const std::optional<Entry>& each : entries_)
    if (each) all.push_back(*each);
  return all;
}

std::vector<Value> Dictionary::keys() const {
  count_work(entries_.size());
  std::vector<Value> all;
  all.reserve(size());
  for (const std::optional<Entry>& each : entries_)
    if (each) all.push_back(each->first);
  return all;
}

std::vector<Value> Dictionary::values() const {
  count_work(entries_.size());
  std::vector<Value> all;
  all.reserve(size());
  for (const std::optional<Entry>& each : entries_)
    if (each) all.push_back(each->second);
  return all;
}

}  // namespace unroll::program
