#include "tests/bench/work.h"

#include "engine/tensor/pool.h"
#include "tests/bench/bench.h"

namespace {

Work& as_work(void* work) { return *static_cast<Work*>(work); }

}  // namespace

extern "C" {

float bench_run(void* work) { return as_work(work).run(); }
const float* bench_values(void* work, int i) { return as_work(work).values.at(i).data(); }
int bench_count(void* work) { return static_cast<int>(as_work(work).values.size()); }
int bench_size(void* work, int i) { return static_cast<int>(as_work(work).values.at(i).size()); }
double bench_multiply_adds(void* work) { return as_work(work).multiply_adds(); }
void bench_delete(void* work) { delete &as_work(work); }

float bench_read_values(void* work) {
  float sum = 0;
  for (const unroll::Tensor& value : as_work(work).values)
    sum += bench_read(value.data(), static_cast<int>(value.size()));
  return sum;
}

double bench_bytes() { return static_cast<double>(unroll::pool_stats().reserved); }
}
