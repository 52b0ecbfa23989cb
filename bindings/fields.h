// How a struct that crosses the JavaScript boundary lists its fields. From the list come its conversions (convert.h)
// and its declaration in TypeScript (native/declarations.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

namespace unroll {

// "done, exact_match" → "done\0exactMatch\0"
template <std::size_t size>
constexpr std::array<char, size> names_in_javascript(const char (&list)[size]) {
  std::array<char, size> names{};
  for (std::size_t from = 0, to = 0; from + 1 < size; ++from) {
    if (list[from] == '_')
      names[to++] = static_cast<char>(list[++from] - 'a' + 'A');
    else if (list[from] == ',')
      ++to;
    else if (list[from] != ' ')
      names[to++] = list[from];
  }
  return names;
}

void pass_fields(const char* name, auto& each, const auto&... fields) {
  ((each(name, fields), name += std::strlen(name) + 1), ...);
}

}  // namespace unroll

// UNROLL_FIELDS(SizeInfo, parameters, step_bytes) lists all fields of a struct, in their order; JavaScript sees
// parameters and stepBytes. It defines fields(it, each), which calls each(name, field) for one after another.
#define UNROLL_FIELDS(Struct, ...)                                          \
  void fields(const Struct& it, auto each) {                                \
    const auto& [__VA_ARGS__] = it;                                         \
    static constexpr auto names_of_all = names_in_javascript(#__VA_ARGS__); \
    pass_fields(names_of_all.data(), each, __VA_ARGS__);                    \
  }
