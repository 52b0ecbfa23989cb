#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

int main(int arguments, char** values) {
  doctest::Context context;
  context.setOption("order-by", "suite");  // the coverage checks look at all others, so their suite comes last
  context.applyCommandLine(arguments, values);
  return context.run();
}
