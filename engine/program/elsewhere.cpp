#include "engine/program/elsewhere.h"

#include <algorithm>
#include <iterator>

namespace unroll::program {
namespace {

struct Elsewhere {
  std::string_view name;
  const char* instead;  // a phrase
};

constexpr Elsewhere all[] = {
    {"torch", "instead_of_torch"},
    {"F", "instead_of_torch"},
    {"nn", "instead_of_torch"},
    {"np", "instead_of_torch"},
    {"numpy", "instead_of_torch"},
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

const char* instead_of(std::string_view name) {
  const auto* found = std::ranges::find(all, name, &Elsewhere::name);
  return found == std::end(all) ? nullptr : found->instead;
}

}  // namespace unroll::program
