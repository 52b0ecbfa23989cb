#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "engine/kernels/parallel.h"

// With UNROLL_THREADS=N in the environment, N threads share every loop, however short.
int main(int arguments, char** values) {
  if (const char* count = std::getenv("UNROLL_THREADS")) unroll::set_threads(std::atoi(count), unroll::SplitLoops::all);
  doctest::Context context;
  context.setOption("order-by", "suite");  // the coverage checks look at all others, so their suite comes last
  context.applyCommandLine(arguments, values);
  return context.run();
}
