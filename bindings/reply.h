// What crosses the JavaScript boundary: a value, or why there is none, as data. No C++ exception crosses it.
#pragma once

#include <string>
#include <utility>

#include "bindings/fields.h"
#include "engine/tensor/error.h"

namespace unroll {

// Of a place the page needs no file: what the library refuses has the learner's own line.
void fields(const Place& it, auto each) { pass_fields("line\0column", each, it.line, it.column); }

// Data that JavaScript reads from JSON.
struct JsonText {
  const std::string& text;
};

void fields(const Message& it, auto each) {
  each("id", std::string(it.id));
  each("arguments", JsonText{it.arguments});
}

// An error for the page, which makes the sentence.
struct Failure {
  std::string code;
  Message message;
  Place place;
};
void fields(const Failure& it, auto each) {
  each("code", it.code);
  fields(it.message, each);
  each("place", it.place);
}

template <typename T>
struct Reply {
  bool ok = false;
  T value = {};
  Failure failure{};
  std::string detail{};  // the call that was refused

  // In English, in native programs.
  const std::string& message() const { return failure.message.english; }
};

// What the exception being handled tells the page.
Failure current_failure();

// The failed reply for the exception being handled.
template <typename T>
Reply<T> refusal(const char* call) {
  return {.failure = current_failure(), .detail = call};
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
