#include "engine/tensor/hash.h"

#include "tests/engine/support/test.h"

TEST_CASE("FNV-1a gives its authors' hashes of texts, whole and in pieces") {
  CHECK(hash_of("") == 0xcbf29ce484222325u);
  CHECK(hash_of("a") == 0xaf63dc4c8601ec8cu);
  CHECK(hash_of("foobar") == 0x85944171f73967e8u);
  CHECK(hash_of("bar", hash_of("foo")) == hash_of("foobar"));
  CHECK(hash_of("\xff") == 0xaf64724c8602eb6eu);
}
