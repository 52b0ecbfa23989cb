#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

int main(int arguments, char** values) {
  doctest::Context context;
  context.setOption("order-by", "suite");  // what looks at the checks of all others is a suite of its own, the last one
  context.applyCommandLine(arguments, values);
  return context.run();
}
