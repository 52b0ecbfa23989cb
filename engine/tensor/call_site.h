// A source location: the call site of an operation, a scope or a parameter.
#pragma once

namespace unroll {

// std::source_location without the function name, whose text would end up in every build.
struct CallSite {
  const char* file = "";
  // In one word, as nearly every function is given one.
  int line : 18 = 0;
  int column : 14 = 0;  // only in the learner's own text, where it counts characters from 1

  // The call site; as a default argument, the call site of the function it belongs to.
  static constexpr CallSite current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line, 0};
  }
};

}  // namespace unroll
