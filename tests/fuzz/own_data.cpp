// The learner's own pairs and texts: damaged good ones, and random bytes.
#include "engine/data/tasks/own_data.h"

#include "tests/engine/support/damage.h"
#include "tests/engine/support/usable.h"
#include "tests/fuzz/fuzzer.h"

namespace unroll {
namespace {

const std::string good_pairs[] = {"ab\tba\ncd\tdc\n", "été\tsummer\r\n\r\nnoël\tchristmas",
                                  "hello\tbonjour\ngood  night \tbonne nuit\n",
                                  "e\x1f\u0301a\tab\n👋\x1f🏽 x\tcd <unk>\n"};
const std::string good_texts[] = {
    "밤비가 창을 두드리면 나는 너의 이름을 읽는다 한 글자 또 한 글자 젖은 길 위에 놓인 등불처럼 바람이 문을 지나가면 "
    "나는 너의 "
    "편지를 접는다 한 번 또 한 번 작아진 종이배 하나",
    "the cat sat on the mat; the dog sat on the log;\nthe hen sat in the pen: and the fox, in the box, sat on the cat",
    "a b a a b a b b a b a a b a b b a b a a b a b b a b a a b a b b a b a a b a b b a b a a b a b b a b a a b a b b "
    "a b a a b a b b a b a a b a b b a b a a b a b b a b a a b a b b a b a a b a b b a b a a b a b b a b a a b a b b "};

template <typename Parse>
bool try_parse(const std::string& text, Parse parse) {
  std::unique_ptr<Task> task;
  if (!accepts(ErrorCode::input, [&] { task = parse(text); })) return false;
  require(is_usable(*task), "it was accepted, but no batch of it can be used");
  return true;
}

std::string any_data(Random& random, std::span<const std::string> good) {
  return random.below(16) ? damaged(pick(random, good), stray_pieces, random) : any_bytes(random, 200);
}

bool try_pairs(Random& random) {
  const auto read_as = static_cast<PairTokens>(random.below(3));
  return try_parse(any_data(random, good_pairs), [&](const std::string& text) { return parse_pairs(text, read_as); });
}

bool try_text(Random& random) {
  const bool words = random.below(4) == 0;
  return try_parse(any_data(random, good_texts), [&](const std::string& text) { return parse_text(text, words); });
}

}  // namespace

const Fuzzer fuzz_pairs{"pairs", try_pairs, 1e5};
const Fuzzer fuzz_text{"text", try_text, 1e5};

}  // namespace unroll
