#include "engine/program/elsewhere.h"

#include <algorithm>
#include <iterator>

namespace unroll::program {
namespace {

struct Elsewhere {
  std::string_view name, instead;
};

constexpr std::string_view no_prefix = "functions are written without a prefix, such as softmax(x, dim=-1)";
constexpr Elsewhere all[] = {
    {"torch", no_prefix},
    {"F", no_prefix},
    {"nn", no_prefix},
    {"np", no_prefix},
    {"numpy", no_prefix},
    {"math", no_prefix},
    {"einsum", "write x @ y, with axes swapped by transpose or .mT before"},
    {"bmm", "write x @ y, which multiplies matrices along the last two axes"},
    {"mm", "write x @ y"},
    {"mv", "write x @ y"},
    {"dot", "write (x * y).sum()"},
    {"outer", "write x[:, None] * y"},
    {"repeat", "write x.expand(…) for axes of size 1, or cat([x, x], dim)"},
    {"repeat_interleave", "write x[:, None].expand(-1, n, -1).flatten(0, 1) for rows, each n times"},
    {"split", "write x.chunk(n, dim) for n parts, or slices such as x[:, :n]"},
    {"unbind", "write [part for part in x]"},
    {"gather", "write (one_hot(ids, n) * x).sum(-1), or x[ids] for rows"},
    {"max", "write x.amax(dim) for the largest values and x.argmax(dim) for where they are"},
    {"min", "write x.amin(dim)"},
    {"sort", "write x.topk(x.shape[-1])"},
    {"argsort", "write x.topk(x.shape[-1])[1]"},
    {"clone", "write x + 0"},
    {"t", "write x.T"},
    {"ndim", "write x.dim()"},
    {"add", "write x + y"},
    {"sub", "write x - y"},
    {"mul", "write x * y"},
    {"div", "write x / y"},
    {"neg", "write -x"},
    {"rsqrt", "write 1 / sqrt(x)"},
    {"reciprocal", "write 1 / x"},
    {"log2", "write log(x) / log(2)"},
    {"log10", "write log(x) / log(10)"},
    {"norm", "write sqrt((x * x).sum())"},
    {"prod", "write exp(log(x).sum()) for numbers above 0"},
    {"any", "write (x > 0).sum() > 0"},
    {"all", "write (x == 0).sum() == 0"},
    {"concat", "write cat([x, y], dim)"},
    {"concatenate", "write cat([x, y], dim)"},
    {"relu_", "write x = relu(x)"},
    {"masked_fill_", "write x = x.masked_fill(mask, value)"},
    {"dropout", "the lab's models have it as a setting; a program computes the same in every run"},
    {"multinomial", "the lab chooses the next token from what a program returns"},
    {"scaled_dot_product_attention", "write softmax(Q @ K.mT / sqrt(Q.shape[-1]), dim=-1) @ V"},
    {"to", "write .float(), .long() or .bool()"},
    {"device", "everything is computed in this page: leave it out"},
    {"manual_seed", "random numbers are the same in every run: leave it out"},
    {"isinstance", "compare shapes or values instead"},
    {"str", "write f\"{x}\""},
    {"reversed", "write items[::-1]"},
    {"sorted", "write topk for tensors, or a loop"},
    {"map", "write [f(x) for x in items]"},
};

}  // namespace

std::string_view instead_of(std::string_view name) {
  const auto* found = std::ranges::find(all, name, &Elsewhere::name);
  return found == std::end(all) ? std::string_view() : found->instead;
}

}  // namespace unroll::program
