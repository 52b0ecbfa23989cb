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
    {"einsum", "instead_of_einsum"},
    {"bmm", "instead_of_bmm"},
    {"mm", "instead_of_mm"},
    {"mv", "instead_of_mm"},
    {"dot", "instead_of_dot"},
    {"outer", "instead_of_outer"},
    {"repeat", "instead_of_repeat"},
    {"repeat_interleave", "instead_of_repeat_interleave"},
    {"split", "instead_of_split"},
    {"unbind", "instead_of_unbind"},
    {"gather", "instead_of_gather"},
    {"max", "instead_of_max"},
    {"min", "instead_of_min"},
    {"sort", "instead_of_sort"},
    {"argsort", "instead_of_argsort"},
    {"clone", "instead_of_clone"},
    {"t", "instead_of_t"},
    {"ndim", "instead_of_ndim"},
    {"add", "instead_of_add"},
    {"sub", "instead_of_sub"},
    {"mul", "instead_of_mul"},
    {"div", "instead_of_div"},
    {"neg", "instead_of_neg"},
    {"rsqrt", "instead_of_rsqrt"},
    {"reciprocal", "instead_of_reciprocal"},
    {"log2", "instead_of_log2"},
    {"log10", "instead_of_log10"},
    {"norm", "instead_of_norm"},
    {"svd", "instead_of_svd"},
    {"prod", "instead_of_prod"},
    {"any", "instead_of_any"},
    {"all", "instead_of_all"},
    {"concat", "instead_of_concat"},
    {"concatenate", "instead_of_concat"},
    {"relu_", "instead_of_relu"},
    {"masked_fill_", "instead_of_masked_fill"},
    {"dropout", "instead_of_dropout"},
    {"multinomial", "instead_of_multinomial"},
    {"scaled_dot_product_attention", "instead_of_scaled_dot_product_attention"},
    {"to", "instead_of_to"},
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
