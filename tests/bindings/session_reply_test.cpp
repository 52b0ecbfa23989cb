// Nothing throws across the boundary: any failure of a call becomes a code with a sentence.
#include <new>
#include <stdexcept>

#include "bindings/reply.h"
#include "tests/engine/support/test.h"

namespace {

// The reply to a call that throws this.
template <typename Thrown>
Reply<int> reply_to(Thrown thrown) {
  const Reply<int> reply = attempt("train", [&]() -> int { throw thrown; });
  CHECK_FALSE(reply.ok);
  CHECK(reply.detail == "train");
  return reply;
}

}  // namespace

TEST_CASE("the result of a call is its reply's value") {
  const Reply<int> reply = attempt("train", [] { return 7; });
  CHECK(reply.ok);
  CHECK(reply.value == 7);
}

TEST_CASE("an error of the engine keeps its code and its sentence") {
  const Reply<int> reply =
      reply_to(Error(ErrorCode::shape, {"X is (3): use (4).", "X is {shape}: use {shape}.", {"(3)", "(4)"}}));
  CHECK(reply.code == "E_SHAPE");
  CHECK(reply.message == "X is (3): use (4).");
  CHECK(reply.pattern == "X is {shape}: use {shape}.");
  CHECK(reply.arguments == std::vector<std::string>{"(3)", "(4)"});
}

TEST_CASE("running out of memory is not an internal error") {
  const Reply<int> reply = reply_to(std::bad_alloc());
  CHECK(reply.code == "E_OOM");
  CHECK(reply.message == "There is not enough memory: use smaller sizes.");
}

TEST_CASE("anything else thrown is an internal error, with a sentence") {
  const Reply<int> known = reply_to(std::out_of_range("vector::at"));
  CHECK(known.code == "E_INTERNAL");
  CHECK(known.message == "The engine stopped at a mistake of its own: vector::at.");
  const Reply<int> unknown = reply_to(7);
  CHECK(unknown.code == "E_INTERNAL");
  CHECK(unknown.message == "The engine stopped for a reason that it does not know.");
}
