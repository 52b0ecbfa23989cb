// What the engine consults without being given it.
#pragma once

#include <utility>

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

// Not inlined, like the two functions below: they are called in hundreds of places, and the page loads them first.
[[gnu::noinline]] inline Context& Context::current() { return *current_context; }

// Makes a context current while an instance is alive, then the previous one.
class CurrentContext {
 public:
  [[gnu::noinline]] explicit CurrentContext(Context& context) : previous_(*std::exchange(current_context, &context)) {}
  [[gnu::noinline]] ~CurrentContext() { current_context = &previous_; }
  CurrentContext(const CurrentContext&) = delete;

 private:
  Context& previous_;
};

// Sets one field of the current context while an instance is alive, then restores it there.
template <typename T>
class Setting {
 public:
  Setting(T Context::*field, T value)
      : place_(Context::current().*field), previous_(std::exchange(place_, std::move(value))) {}
  ~Setting() { place_ = std::move(previous_); }
  Setting(const Setting&) = delete;

 private:
  T& place_;
  T previous_;
};

}  // namespace unroll
