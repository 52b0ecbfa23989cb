#include "engine/program/unknown_names.h"

#include <algorithm>
#include <numeric>

namespace unroll::program {
namespace {

// How many letters must be added, removed or replaced to make b of a (Levenshtein 1966).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Names of PyTorch, NumPy and math, and what to write instead: a phrase.
constexpr std::pair<std::string_view, const char*> elsewhere[] = {
    {"torch", "instead_of_torch"},
    {"F", "instead_of_torch"},
    {"nn", "instead_of_torch"},
    {"np", "instead_of_torch"},
    {"numpy", "instead_of_torch"},
    {"linalg", "instead_of_torch"},
    {"math", "instead_of_torch"},
    {"svd", "instead_of_svd"},
    {"dropout", "instead_of_dropout"},
    {"scaled_dot_product_attention", "instead_of_scaled_dot_product_attention"},
    {"device", "instead_of_device"},
    {"manual_seed", "instead_of_manual_seed"},
    {"isinstance", "instead_of_isinstance"},
    {"str", "instead_of_str"},
    {"reversed", "instead_of_reversed"},
    {"sorted", "instead_of_sorted"},
    {"map", "instead_of_map"},
};

}  // namespace

std::string nearest_of(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 40;
  std::string nearest;
  std::size_t least = std::min(name.size(), longest) / 3 + 1;
  if (name.size() > longest) return nearest;
  for (const std::string& each : names)
    if (const std::size_t off = each.size() > longest ? longest : distance(name, each); off < least)
      least = off, nearest = each;
  return nearest;
}

const char* instead_of(std::string_view name) {
  for (const auto& [each, instead] : elsewhere)
    if (each == name) return instead;
  return nullptr;
}

}  // namespace unroll::program
