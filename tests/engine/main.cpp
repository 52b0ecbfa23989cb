#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "engine/kernels/parallel.h"

// With --threads=N, N threads share every loop, however short.
int main(int arguments, char** values) {
  const std::string option = "--threads=";
  for (int i = 1; i < arguments; ++i)
    if (const std::string word = values[i]; word.starts_with(option))
      unroll::set_threads(std::atoi(word.c_str() + option.size()), unroll::SplitLoops::all);
  doctest::Context context;
  context.setOption("order-by", "suite");  // the coverage checks look at all others, so their suite comes last
  context.applyCommandLine(arguments, values);
  return context.run();
}
