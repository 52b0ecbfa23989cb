// What the engine consults without being given it.
#pragma once

#include "engine/tensor/setting.h"

namespace unroll {

constexpr double max_parameter_bytes = 64e6;  // suits a page

class DropoutStep;
class Tape;

// Each session owns a context and makes it current for the time of a call, so that no session sees what another has
// set. Where nobody has made one current, as in tests, it is the program's own. Memory alone is shared by all
// (tensor/pool.h): what one session frees serves the next.
struct Context {
  Tape* tape = nullptr;                          // operations record on it: RecordingGuard
  DropoutStep* dropout = nullptr;                // the training step that dropout draws for (nn/layers/position_wise.h)
  double parameter_bytes = max_parameter_bytes;  // the most that the parameters of a new model may take

  static Context& current();
};
inline Context context_of_the_program;
inline Context* current_context = &context_of_the_program;

// Not inlined, like the function below: they are called in hundreds of places, and the page loads them first.
[[gnu::noinline]] inline Context& Context::current() { return *current_context; }

// Makes a context current while an instance is alive, then the previous one.
struct CurrentContext : Setting<Context*> {
  [[gnu::noinline]] explicit CurrentContext(Context& context) : Setting(current_context, &context) {}
};

}  // namespace unroll
