#include "engine/train/metrics.h"

#include "tests/engine/support/test.h"

namespace {

Tokens words(std::string_view text) { return split_text(text, " "); }

Bleu bleu(const std::vector<Tokens>& outputs, const std::vector<Tokens>& references) {
  Bleu all;
  for (std::size_t i = 0; i < outputs.size(); ++i) all.add(outputs[i], references[i]);
  return all;
}

}  // namespace

// Papineni's example 2: "the" occurs seven times, but twice in the reference: 2/7.
TEST_CASE("BLEU clips repeated words") {
  const Bleu result = bleu({words("the the the the the the the")}, {words("the cat is on the mat")});
  CHECK(result.precision(1) == doctest::Approx(2.0 / 7));
  CHECK(result.precision(2) == 0);
  CHECK(result.brevity_penalty() == 1);
  CHECK(result.score() == 0);
}

// Output a b c d x, reference a b c d e f: words 4 of 5, pairs ab bc cd of 4, triples abc bcd of 3, abcd of 2;
// 4/5 · 3/4 · 2/3 · 1/2 = 1/5, its fourth root 0.668740; 5 words for 6: exp(1 − 6/5) = 0.818731; 0.547518 in all.
TEST_CASE("BLEU of a sentence worked by hand") {
  const Bleu result = bleu({words("a b c d x")}, {words("a b c d e f")});
  CHECK(result.precision(1) == doctest::Approx(0.8));
  CHECK(result.precision(2) == doctest::Approx(0.75));
  CHECK(result.precision(3) == doctest::Approx(2.0 / 3));
  CHECK(result.precision(4) == doctest::Approx(0.5));
  CHECK(result.brevity_penalty() == doctest::Approx(0.818731).epsilon(1e-5));
  CHECK(result.score() == doctest::Approx(0.547518).epsilon(1e-5));
}

// Counts are summed before they are divided: with the sentence above, a b c d → a b c d gives words (4+4)/(5+4),
// pairs (3+3)/(4+3), triples (2+2)/(3+2), fours (1+1)/(2+1); 9 words for 10.
TEST_CASE("BLEU is computed over the corpus, not as a mean over sentences") {
  const Bleu result = bleu({words("a b c d x"), words("a b c d")}, {words("a b c d e f"), words("a b c d")});
  CHECK(result.matches == std::array<int, 4>{8, 6, 4, 2});
  CHECK(result.ngrams == std::array<int, 4>{9, 7, 5, 3});
  CHECK(result.output_length == 9);
  CHECK(result.reference_length == 10);
  CHECK(result.score() == doctest::Approx(std::exp(1 - 10.0 / 9) * std::pow(8 * 6 * 4 * 2 / (9.0 * 7 * 5 * 3), 0.25)));
}

TEST_CASE("BLEU of perfect output, of empty output and of none") {
  CHECK(bleu({words("a b c d e")}, {words("a b c d e")}).score() == 1);
  CHECK(bleu({{}}, {words("a")}).brevity_penalty() == 0);
  CHECK(bleu({{}}, {words("a")}).score() == 0);
  CHECK(bleu({}, {}).score() == 0);
}

// |A| = 3, |S| = 4, two links in both: 1 − 2·2/(3 + 4) = 3/7.
TEST_CASE("the alignment error rate, worked by hand") {
  const Pair pair{words("x y z"), words("u v w"), {{0, 0}, {1, 1}, {2, 1}, {0, 2}}};
  AlignmentErrors errors;
  CHECK(errors.rate() == 0);
  errors.add({{0, 0}, {2, 1}, {2, 2}}, pair);
  CHECK(errors.rate() == doctest::Approx(3.0 / 7));
  errors.add(pair.alignment, pair);  // 6 of 7 and 8: 1 − 12/15
  CHECK(errors.rate() == doctest::Approx(0.2));
}

TEST_CASE("hard links take the largest weight, the first among equals, and leave out <eos> and padding") {
  const Tensor attention({3, 4}, {0.1, 0.5, 0.1, 0.3, 0.4, 0.1, 0.4, 0.1, 0, 0, 0, 1});
  CHECK(hard_links(attention, 3, 2) == Alignment{{1, 0}, {0, 1}});
  CHECK(hard_links(attention, 4, 3) == Alignment{{1, 0}, {0, 1}, {3, 2}});
  CHECK(REFUSAL(shape, hard_links(attention, 5, 3)) == "[hard_links] attention is (3, 4): it must be at least (3, 5).");
}

TEST_CASE("a pronoun counts as right at its place in the target, whatever else is generated") {
  Pair pair{words("because it was wide"), words("parce qu' elle était large"), {}};
  PronounResult result;
  result.add(words("parce qu' elle"), pair);
  CHECK(result.pronouns == 0);
  pair.pronoun = 2;
  result.add(words("parce qu' elle était fatigué"), pair);
  result.add(words("parce qu' il était large"), pair);
  result.add(words("parce"), pair);
  result.add({}, pair);
  CHECK(result.pronouns == 4);
  CHECK(result.right == 1);
  CHECK(result.share() == 0.25);
}

TEST_CASE("perplexity: a uniform choice of eight has the loss ln 8 and the perplexity 8") {
  CHECK(perplexity(std::log(8.0)) == doctest::Approx(8).epsilon(1e-6));
  CHECK(perplexity(0) == 1);
}
