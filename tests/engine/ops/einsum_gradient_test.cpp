#include "tests/engine/support/gradient_check.h"

namespace {

// The rule, and which of the sizes i, j, k, l each operand has.
struct Rule {
  const char* text;
  std::vector<std::vector<int>> operands;
};
const Rule rules[] = {
    {"ij,jk->ik", {{0, 1}, {1, 2}}},
    {"ij,kj->ki", {{0, 1}, {2, 1}}},
    {"...i,...i->...", {{2, 1, 0}, {1, 0}}},
    {"bhid,bhjd->bhij", {{0, 1, 2, 3}, {0, 1, 2, 3}}},
    {"ij,jk,kl->li", {{0, 1}, {1, 2}, {2, 3}}},
    {"iij->ji", {{0, 0, 1}}},
    {"ij,j,k->k", {{0, 1}, {1}, {2}}},
    {"abcdi,abcdi->abcd", {{0, 1, 0, 1, 2}, {0, 1, 0, 1, 2}}},
};

GRADIENT("einsum(rule, operands, where)") {
  const Rule& rule = rules[random.below(std::size(rules))];
  int sizes[4];
  for (int& size : sizes) size = random.up_to(rule.operands[0].size() > 3 ? 2 : 4);
  Tensors operands;
  for (const std::vector<int>& each : rule.operands) {
    Shape shape;
    for (const int size : each) shape = joined(shape, {sizes[size]});
    operands.push_back(random.tensor(shape));
  }
  return {operands, [=](const Tensors& x) { return einsum(rule.text, {x.begin(), x.end()}); }};
}

}  // namespace
