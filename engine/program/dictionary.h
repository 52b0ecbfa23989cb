// Dictionaries: what Python keeps in {}, in __dict__, and as the attributes of a class.
#pragma once

#include <string_view>
#include <unordered_map>

#include "engine/program/value.h"

namespace unroll::program {

// Whether a value may be a key: a number, a text, None, a tuple of these, or what is compared by identity. Long texts
// and tuples of many items may not, as every search for a key reads the whole of it.
bool is_hashable(const Value& value);

// A number that equal keys share, the same on every machine but for what is compared by identity.
std::uint64_t hash_of(const Value& key);

// Where the object is that variables share: two values are one object if these are the same. nullptr of what is
// compared by its value: a number, a text, None, a word.
const void* identity_of(const Value& value);

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
  const Value* find(const char* key) const { return find(std::string_view(key)); }
  void set(const Value& key, Value value);
  void set(std::string_view key, Value value);
  void set(const std::string& key, Value value) { set(std::string_view(key), std::move(value)); }
  void set(const char* key, Value value) { set(std::string_view(key), std::move(value)); }
  bool erase(const Value& key);
  bool erase(std::string_view key);
  bool erase(const std::string& key) { return erase(std::string_view(key)); }
  bool erase(const char* key) { return erase(std::string_view(key)); }
  void clear();
  // All entries, in order. (A copy: the dictionary may change while somebody walks it.)
  std::vector<Entry> entries() const;
  std::vector<Value> keys() const;
  std::vector<Value> values() const;

 private:
  using Places = std::unordered_multimap<std::uint64_t, std::size_t>;

  Places::const_iterator place_of(const Value& key) const;
  Places::const_iterator place_of(std::string_view key) const;
  void insert(std::uint64_t hash, Value key, Value value);
  bool erase(Places::const_iterator found);
  void compact();

  std::vector<std::optional<Entry>> entries_;  // std::nullopt where one was erased
  Places places_{};                            // of entries, by the hash of the key
};

// Whether two keys are the same.
bool same_key(const Value& a, const Value& b);

}  // namespace unroll::program
