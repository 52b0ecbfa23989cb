// Dictionaries: what Python keeps in {}, in __dict__, and as the attributes of a class.
#pragma once

#include <string_view>
#include <unordered_map>

#include "engine/program/value.h"

namespace unroll::program {

// Whether a value may be a key: a number, a text, None, a tuple of these, or what is compared by identity.
bool is_hashable(const Value& value);

// Keys and values, in the order in which the keys came. A key must be hashable. 1, 1.0 and True are one key.
class Dictionary {
 public:
  using Entry = std::pair<Value, Value>;

  Dictionary() { hold(1, 0); }
  ~Dictionary();
  Dictionary(const Dictionary&) = delete;

  std::size_t size() const { return places_.size(); }
  // The value of the key, or nullptr.
  const Value* find(const Value& key) const;
  const Value* find(std::string_view key) const;
  const Value* find(const std::string& key) const { return find(std::string_view(key)); }
  void set(const Value& key, Value value);
  void set(std::string_view key, Value value);
  void set(const std::string& key, Value value) { set(std::string_view(key), std::move(value)); }
  bool erase(const Value& key);
  bool erase(std::string_view key);
  bool erase(const std::string& key) { return erase(std::string_view(key)); }
  void clear();
  // All entries, in order. (A copy: the dictionary may change while somebody walks it.)
  std::vector<Entry> entries() const;
  std::vector<Value> keys() const;
  std::vector<Value> values() const;

 private:
  std::unordered_multimap<std::size_t, std::size_t>::const_iterator place_of(const Value& key) const;
  void compact();

  std::vector<std::optional<Entry>> entries_;                   // std::nullopt where one was erased
  std::unordered_multimap<std::size_t, std::size_t> places_{};  // of entries, by the hash of the key
};

// Whether two keys are the same.
bool same_key(const Value& a, const Value& b);

}  // namespace unroll::program
