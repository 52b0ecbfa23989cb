// Operands whose result would be too large, and huge ones that do not match: refused before memory is allocated.
#include "engine/tensor/pool.h"
#include "tests/engine/support/test.h"

namespace {

using Job = std::function<void()>;

constexpr std::size_t small = 256;  // bytes, for a list of the operands

// The job's refusal, after checking that it took no more than `small` from the pool.
std::string refused_without_memory(const Job& job) {
  pool_trim();
  const std::size_t before = pool_stats().in_use;
  const std::string sentence = refusal(ErrorCode::shape, job);
  CHECK(pool_stats().peak - before <= small);
  return sentence;
}

constexpr int n = 1 << 15;  // n · n values are too many
constexpr int largest = std::numeric_limits<int>::max();

}  // namespace

TEST_CASE("a result that would be too large") {
  const Tensor column = Tensor::full({n, 1}, 1), row = Tensor::full({1, n}, 1), ids = Tensor::full({n}, 0);
  const std::vector<Job> jobs = {
      [&] { column + row; },
      [&] { column - row; },
      [&] { multiply(column, row); },
      [&] { column / row; },
      [&] { equal(column, row); },
      [&] { greater(column, row); },
      [&] { where(column, row, row); },
      [&] { where(row, row, column); },
      [&] { matmul(column, row); },
      [&] { matmul(row, row, Transposed::a); },
      [&] { matmul(column, column, Transposed::b); },
      [&] { gather(row, ids); },
      [&] { one_hot(ids, n); },
      [&] { mean_squared_error(column, row); },
  };
  for (const Job& job : jobs)
    CHECK(refused_without_memory(job) == "A tensor of shape (32768, 32768) is too large: at most 2^28 values.");
}

// With an axis of size 0 a tensor holds no values, however large its other sizes are.
TEST_CASE("huge shapes that do not fit") {
  const Tensor wide({0, largest}), other({0, largest - 1});
  const auto differ = [](const std::string& op) {
    return "[" + op + "] a is (0, 2147483647), b is (0, 2147483646): sizes 2147483647 and 2147483646 along axis -1 " +
           "differ and neither is 1.";
  };
  CHECK(refused_without_memory([&] { wide + other; }) == differ("add"));
  CHECK(refused_without_memory([&] { wide / other; }) == differ("divide"));
  CHECK(refused_without_memory([&] { where(wide, wide, other); }) == differ("where"));
  CHECK(refused_without_memory([&] { matmul(wide, other, Transposed::b); }) ==
        "[matmul] a is (0, 2147483647), b is (0, 2147483646): inner sizes 2147483647 and 2147483646 differ.");
  CHECK(refused_without_memory([&] {
          concat({wide, other}, 0);
        }) == "[concat] (0, 2147483647) and (0, 2147483646) differ elsewhere than along axis 0.");
  CHECK(
      refused_without_memory([&] { cross_entropy(wide, other); }) ==
      "[cross_entropy] logits is (0, 2147483647), target is (0, 2147483646): give one target for each row of logits.");
}
