// A line of source: where an operation, a scope or a parameter was written.
#pragma once

namespace unroll {

// What std::source_location is for, without the name of the function, which would be text in every build.
struct Where {
  const char* file = "";
  int line = 0;

  // The line of the call; as a default argument, the line of the call that has it.
  static constexpr Where current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace unroll
