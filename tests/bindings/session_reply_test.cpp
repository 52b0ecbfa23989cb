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

TEST_CASE("an error of the engine keeps its code, its sentence and its place") {
  const Reply<int> reply =
      reply_to(Error(ErrorCode::shape, phrase("input_shape_differs", std::string("X"), Shape{3}, Shape{4}), {2, 5}));
  CHECK(reply.failure.code == "E_SHAPE");
  CHECK(reply.message() == "line 2, column 5: X is (3): this model takes (4).");
  CHECK(reply.failure.message.id == Text("input_shape_differs"));
  CHECK(reply.failure.message.arguments == R"(["X",{"shape":[3]},{"shape":[4]}])");
  CHECK(reply.failure.place.line == 2);
}

TEST_CASE("running out of memory is not an internal error") {
  const Reply<int> reply = reply_to(std::bad_alloc());
  CHECK(reply.failure.code == "E_OOM");
  CHECK(reply.message() == "There is not enough memory: use smaller sizes.");
}

TEST_CASE("anything else thrown is an internal error, with a sentence") {
  const Reply<int> known = reply_to(std::out_of_range("vector::at"));
  CHECK(known.failure.code == "E_INTERNAL");
  CHECK(known.message() == "The engine stopped at a mistake of its own: vector::at.");
  const Reply<int> unknown = reply_to(7);
  CHECK(unknown.failure.code == "E_INTERNAL");
  CHECK(unknown.message() == "The engine stopped for a reason that it does not know.");
}
