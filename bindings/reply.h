// What crosses the JavaScript boundary: a value, or an error code with a message that can be translated. No C++
// exception crosses it.
#pragma once

#include <string>
#include <utility>

#include "engine/tensor/error.h"

namespace unroll {

template <typename T>
struct Reply {
  bool ok = false;
  T value = {};
  std::string code{}, message{}, detail{};  // of a refusal
  std::string pattern{};                    // of its message, with the arguments for the places
  std::vector<std::string> arguments{};
};

struct Failure {
  std::string code;
  Message message;
};

// Code and message of the exception being handled.
Failure current_failure();

// The failed reply for the exception being handled. `detail` names the call.
template <typename T>
Reply<T> refusal(const char* call) {
  Failure failure = current_failure();
  Message& message = failure.message;
  return {.code = std::move(failure.code),
          .message = std::move(message.text),
          .detail = call,
          .pattern = std::move(message.pattern),
          .arguments = std::move(message.arguments)};
}

// The value of job(), or a refusal if it throws.
template <typename Job>
auto attempt(const char* call, Job job) -> Reply<decltype(job())> {
  try {
    return {true, job()};
  } catch (...) {
    return refusal<decltype(job())>(call);
  }
}

}  // namespace unroll
