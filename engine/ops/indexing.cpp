// gather, scatter_add, pick, one_hot: indexing by ids, which are whole numbers in a tensor.
#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/order.h"
#include "engine/ops/ids.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"
#include "engine/tensor/pool.h"

namespace unroll {
namespace {

void check_count(const char* op, int count) {
  if (count < 0) fail(ErrorCode::config, "op_count_negative", std::string_view(op), count);
}

void check_table(const char* op, const Tensor& table) {
  if (table.rank() != 2) fail(ErrorCode::shape, "op_table_is_no_matrix", std::string_view(op), table.shape());
}

// The gradient of gather: the rows of dy with one id add up in the table (count, width).
struct ToTable {
  Tensor ids;
  int count;

  Tensor operator()(const Tensor& dy) const { return scatter_add(dy, ids, count); }

  // Touches only the rows of `sum` that ids name: a sequence looks up its tokens one by one in the whole vocabulary.
  // The rows of one id are summed separately first, so the bits match those of adding a whole table.
  void accumulate(const Tensor& dy, const Tensor& sum) const {
    const std::size_t width = static_cast<std::size_t>(sum.shape()[-1]);
    const Scalar* id = ids.data();
    const auto rows = stable_order(ids.size(), [id](std::size_t a, std::size_t b) { return id[a] < id[b]; });
    PooledVector<Scalar> own(width);
    for (auto row = rows.begin(); row != rows.end();) {
      const Scalar same = id[*row];
      std::ranges::fill(own, Scalar(0));
      for (; row != rows.end() && id[*row] == same; ++row) add_to(dy.data() + *row * width, own.data(), width);
      add_to(own.data(), sum.data() + static_cast<std::size_t>(same) * width, width);
    }
  }
};

}  // namespace

std::size_t checked_id(const char* op, const Tensor& ids, std::size_t i, int count) {
  const Scalar id = ids.data()[i];
  if (!(id >= 0 && id < static_cast<Scalar>(count)) || id != std::floor(id))
    fail(ErrorCode::input, "op_id_out_of_range", std::string_view(op), i, id, count - 1);
  return static_cast<std::size_t>(id);
}

Tensor gather(Operand table, Operand ids) {
  check_table("gather", table);
  const int count = table.shape()[0], width = table.shape()[1];
  Tensor y(ids.shape().inserted(ids.rank()).with(-1, width));
  for (std::size_t i = 0; i < ids.size(); ++i)
    std::copy_n(table.data() + checked_id("gather", ids, i, count) * width, width, y.data() + i * width);
  return record({"gather", "gather", "{0}"}, y,  //
                Input{table, ToTable{ids, count}}, Input{ids});
}

Tensor scatter_add(Operand rows, Operand ids, int count) {
  check_count("scatter_add", count);
  if (rows.rank() == 0 || rows.shape().without(rows.rank() - 1) != ids.shape())
    fail(ErrorCode::shape, "scatter_add_id_count", rows.shape(), ids.shape());
  const int width = rows.shape()[-1];
  Tensor y = Tensor::full({count, width}, 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Scalar* row = y.data() + checked_id("scatter_add", ids, i, count) * width;
    for (int j = 0; j < width; ++j) row[j] += rows.data()[i * width + j];
  }
  return record({"scatter_add", "scatter", "Σ {0}"}, y,  //
                Input{rows, [ids](const Tensor& dy) { return gather(dy, ids); }}, Input{ids});
}

Tensor pick(Operand x, Operand ids) {
  const int count = x.rank() == 0 ? 0 : x.shape()[-1];
  if (x.rank() == 0 || x.shape().without(x.rank() - 1) != ids.shape())
    fail(ErrorCode::shape, "pick_id_count", x.shape(), ids.shape());
  Tensor y(ids.shape());
  for (std::size_t i = 0; i < ids.size(); ++i) y.data()[i] = x.data()[i * count + checked_id("pick", ids, i, count)];
  return record({"pick", "pick", "{0}"}, y,  //
                Input{x,
                      [ids, count](const Tensor& dy) {
                        const Tensor chosen = one_hot(ids, count);
                        return chosen * reshape(dy, dy.shape().inserted(dy.rank()));
                      }},
                Input{ids});
}

Tensor one_hot(Operand ids, int count) {
  check_count("one_hot", count);
  Tensor y = Tensor::full(ids.shape().inserted(ids.rank()).with(-1, count), 0);
  for (std::size_t i = 0; i < ids.size(); ++i) y.data()[i * count + checked_id("one_hot", ids, i, count)] = 1;
  return record({"one_hot", "one_hot", "[{0} = column]"}, y, Input{ids});
}

}  // namespace unroll
