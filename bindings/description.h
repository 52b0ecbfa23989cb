// How a call, and the data that cross with it, are described once. From the descriptions in session.h and programs.h
// come Embind's table (embind.cpp), the TypeScript declarations (native/declarations.cpp, which writes engine.d.ts) and
// the session that the tests run natively (tests/bindings/unroll_session.cpp).
//
// Structs list their fields: see fields.h.
// A header lists its calls, with the names of their arguments:
//   void describe_session(auto call) { call("values", &Session::values, "id"); … }
#pragma once

#include <type_traits>
#include <utility>

#include "bindings/reply.h"

namespace unroll {

// An argument's name, and its TypeScript type where that says more than the C++ type.
struct Argument {
  Argument(const char* name, const char* type = nullptr) : name(name), type(type) {}

  const char* name;
  const char* type;
};
template <typename>
using ArgumentOf = Argument;  // one for each C++ parameter

// The types of a call: its value and its parameters.
template <typename Value, typename... Parameters>
struct Signature {};
template <typename T, typename Object, typename... A>
Signature<T, std::decay_t<A>...> signature_of(Reply<T> (Object::*)(A...)) {
  return {};
}
template <typename T, typename Object, typename... A>
Signature<T, std::decay_t<A>...> signature_of(Reply<T> (Object::*)(A...) const) {
  return {};
}
template <typename T, typename... A>
Signature<T, std::decay_t<A>...> signature_of(Reply<T> (*)(A...)) {
  return {};
}

// Asks the session; a call about programs, which is no member of it, needs none.
template <typename Session, typename Call, typename... A>
auto ask(Session& session, Call call, A&&... arguments) {
  if constexpr (std::is_member_function_pointer_v<Call>)
    return (session.*call)(std::forward<A>(arguments)...);
  else
    return call(std::forward<A>(arguments)...);
}

// A struct that lists its fields.
template <typename T>
concept Described = requires(const T& it) {
  fields(it, [](const char*, const auto&) {});
};

}  // namespace unroll
