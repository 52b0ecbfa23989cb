// What crosses the boundary: an answer, or a code with a sentence. Nothing throws across.
#pragma once

#include <exception>
#include <new>
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

inline const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::shape:
      return "E_SHAPE";
    case ErrorCode::config:
      return "E_CONFIG";
    case ErrorCode::input:
      return "E_INPUT";
    case ErrorCode::format:
      return "E_FORMAT";
    case ErrorCode::out_of_memory:
      return "E_OOM";
    case ErrorCode::diverged:
      return "E_DIVERGED";
    default:
      return "E_INTERNAL";
  }
}

// The value of job(), or what went wrong in it. `detail` says which call it was.
template <typename Job>
auto attempt(const char* call, Job job) -> Reply<decltype(job())> {
  using R = Reply<decltype(job())>;
  try {
    return R{true, job(), {}, {}, {}};
  } catch (const Error& error) {
    return R{false, {}, name_of(error.code), error.what(), call};
  } catch (const std::bad_alloc&) {
    return R{false, {}, name_of(ErrorCode::out_of_memory), "There is not enough memory: use smaller sizes.", call};
  } catch (const std::exception& error) {
    return R{false, {}, name_of(ErrorCode::internal), error.what(), call};
  }
}

}  // namespace unroll
