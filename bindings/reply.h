// What crosses the boundary: an answer, or a code with a sentence. Nothing throws across.
#pragma once

#include <string>
#include <utility>

#include "engine/tensor/error.h"

namespace unroll {

template <typename T>
struct Reply {
  bool ok = false;
  T value = {};
  std::string code, message, detail;
};

struct Failure {
  std::string code, message;
};

// What the exception that is being handled says.
Failure current_failure();

// The reply that says so. `detail` says which call it was.
template <typename T>
Reply<T> refusal(const char* call) {
  Failure failure = current_failure();
  return {false, {}, std::move(failure.code), std::move(failure.message), call};
}

// The value of job(), or what went wrong in it.
template <typename Job>
auto attempt(const char* call, Job job) -> Reply<decltype(job())> {
  try {
    return {true, job(), {}, {}, {}};
  } catch (...) {
    return refusal<decltype(job())>(call);
  }
}

}  // namespace unroll
