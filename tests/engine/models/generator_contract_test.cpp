// Further requirements for models that generate: see small_models.
#include "engine/generate/decoding.h"
#include "engine/models/encoder_decoder_model.h"
#include "engine/nn/recurrent/sequence.h"
#include "engine/nn/tokens.h"
#include "tests/engine/support/small_models.h"

namespace {

void for_each_generator(const std::function<void(Model&, Generator&)>& check) {
  for_each_model([&](Model& model, const Config&) {
    if (Generator* generator = dynamic_cast<Generator*>(&model)) check(model, *generator);
  });
}

// The tokens of each row, chosen greedily step by step, up to <eos> or `positions` tokens.
std::vector<std::vector<int>> stepped(Generator& generator, const Tensor& source, int positions) {
  std::vector<std::vector<int>> rows(3);
  std::set<std::size_t> ended;
  GeneratorState state = generator.start(source);
  Tensor tokens = begin_tokens(3);
  for (int t = 0; t < positions; ++t) {
    tokens = argmax(generator.next(tokens, state).logits);
    for (std::size_t row = 0; row < 3; ++row) {
      const int token = static_cast<int>(tokens.data()[row]);
      if (token == eos_id) ended.insert(row);
      if (!ended.contains(row)) rows[row].push_back(token);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("generating token by token gives the logits and weights of teacher forcing, bit for bit") {
  for_each_generator([](Model& model, Generator& generator) {
    model.loss();
    const auto* pair_model = dynamic_cast<EncoderDecoderModel*>(&model);
    GeneratorState state = generator.start(source_for(model));
    for (int t = 0; t < 4; ++t) {
      const StepOutput step = generator.next(at_position(target_in, t), state);
      CHECK(same_bits(step.logits, at_position(model.output(), t)));
      if (pair_model && pair_model->weights()) CHECK(same_bits(step.weights, at_position(pair_model->weights(), t)));
    }
  });
}

TEST_CASE("no position of the target sees a later one") {
  for_each_generator([](Model& model, Generator&) {
    model.loss();
    const Tensor before = model.output().copy();
    Tensor changed = target_in.copy();
    changed.data()[2] = 5;  // position 2 of row 0
    model.set_input("target_in", changed);
    model.loss();
    CHECK(same_bits(slice(model.output(), 1, 0, 2), slice(before, 1, 0, 2)));
    CHECK_FALSE(same_bits(slice(model.output(), 1, 2, 1), slice(before, 1, 2, 1)));
  });
}

// Sums run in one order, whatever the batch (see gemm.h and sums.h), and padding adds zeros at their ends.
TEST_CASE("a row has the same bits alone, without the padding that others need") {
  for_each_generator([](Model& model, Generator&) {
    const auto [together, alone] = row_in_batch_and_alone(model);
    CHECK(same_bits(alone, together));
  });
}

TEST_CASE("rows of a state can be selected, before the first token and later") {
  for_each_generator([](Model& model, Generator& generator) {
    const int reversed[] = {2, 1, 0}, chosen[] = {2, 0, 2};
    const Tensor first({3}, {4, 5, 6});
    GeneratorState state = generator.start(source_for(model)), backwards = state;
    if (source_for(model).size()) backwards = state.select(reversed);
    const Tensor logits = generator.next(Tensor({3}, {6, 5, 4}), backwards).logits;
    CHECK(same_bits(row(logits, 0), row(generator.next(first, state).logits, 2)));
    GeneratorState some = state.select(chosen);
    CHECK(some.position == state.position);
    const Tensor after = generator.next(Tensor({3}, {4, 5, 6}), some).logits;
    const Tensor expected = generator.next(Tensor({3}, {5, 1, 4}), state).logits;
    CHECK(same_bits(row(after, 0), row(expected, 2)));
    CHECK(same_bits(row(after, 1), row(expected, 0)));
    CHECK_FALSE(same_bits(row(after, 0), row(after, 2)));
  });
}

TEST_CASE("generation ends by itself, and single steps choose the same tokens") {
  for_each_generator([](Model& model, Generator& generator) {
    const Tensor source = source_for(model);
    const int limit = generation_length(generator, source, max_generation_length);
    CHECK(limit <= max_generation_length);
    const std::vector<DecodedSequence> sequences = greedy_decode(generator, source, max_generation_length);
    const std::vector<std::vector<int>> rows = stepped(generator, source, limit);
    REQUIRE(sequences.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(sequences[i].tokens == rows[i]);
      CHECK(sequences[i].ended == (std::ssize(rows[i]) < limit));
    }
  });
}
