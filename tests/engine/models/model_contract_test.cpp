// Requirements for all models, and further ones for those that generate, tested on every registered kind and its
// variants: see small_models.
#include <regex>

#include "engine/generate/decoding.h"
#include "engine/models/model.h"
#include "engine/models/sequence_model.h"
#include "engine/nn/recurrent/recurrent.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/random_config.h"
#include "tests/engine/support/small_models.h"

namespace {

void for_each_model_that_learns(const CheckModel& check) {
  for_each_model([&](Model& model, const Config& config) {
    if (model.parameters().count()) check(model, config);
  });
}

bool all_finite(const Tensor& x) {
  return std::ranges::all_of(x.values(), [](Scalar value) { return std::isfinite(value); });
}

// The names that occur more than once.
template <typename Named>
std::set<Text> repeated(const std::vector<Named>& all) {
  std::set<Text> once, again;
  for (const Named& each : all)
    if (!once.insert(each.name).second) again.insert(each.name);
  return again;
}

Text refusal_to_train(const Config& config) { return REFUSAL(config, make_to_train(config)); }

// But the learner's own text, which is refused in its own way: see program/errors_test.cpp.
std::vector<Text> refusable_fields(const Config& config) {
  std::vector<Text> fields = fields_of(refusal_to_train, config);
  std::erase(fields, "program");
  return fields;
}

Config learning(const Config& config, double seed) {
  return with(config, {{"optimiser", "adam"}, {"learning_rate", 0.01}, {"seed", seed}});
}

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

TEST_CASE("a model runs: its loss is one finite number, and its output has values") {
  for_each_model([](Model& model, const Config&) {
    CHECK(std::isfinite(model.loss().item()));
    CHECK(model.output().size() > 0);
    CHECK(all_finite(model.output()));
  });
}

TEST_CASE("the same seed gives the same bits; another seed gives others, if anything is random") {
  for_each_model([](Model& model, const Config& config) {
    const auto loss = [&](double seed) { return model_on_batch(with(config, {{"seed", seed}}))->loss(); };
    CHECK(same_bits(loss(5), loss(5)));
    const bool is_given = config.any_text("kind") == "unigram";  // its scores are; only its batches are drawn
    if (model.parameters().count() && !is_given) CHECK_FALSE(same_bits(loss(5), loss(6)));
  });
}

TEST_CASE("inputs, parameters and the loss are on the tape under unique names") {
  for_each_model([](Model& model, const Config&) {
    CHECK(repeated(model.inputs()).empty());
    CHECK(repeated(model.parameters().all()).empty());
    std::vector<Text> names = {"L"};
    for (const ModelInput& input : model.inputs()) names.push_back(input.name);
    for (const Parameter& parameter : model.parameters().all()) names.push_back(parameter.name);
    traced(model, names);
  });
}

TEST_CASE("the trace has a name for each tensor of each position and block, and for the logits only one") {
  const std::map<Text, std::vector<Text>> named = {
      {"seq2seq: bahdanau",
       {"encoder.0.t3/h", "encoder.0_reverse.t3/h", "encoder/h", "decoder.t2.attention/e", "decoder.t2.attention/α",
        "decoder.t2.attention/c", "decoder.t2/s", "decoder.t2/logits", "attention/α", "logits", "L"}},
      {"transformer: two layers, post-norm",
       {"encoder/x", "encoder.0.attention/q", "encoder.1.attention/α", "encoder.0.feed_forward/hidden",
        "encoder/memory", "decoder/x", "decoder.1.self_attention/α", "decoder.1.cross_attention/α",
        "decoder.0.cross_attention/k", "decoder.1.norm3.layer_norm/normal", "attention/α", "logits", "L"}},
      {"transformer_lm: post-norm, gelu",
       {"embedding.weight", "words", "x", "decoder.0.attention/q", "decoder.1.attention/α",
        "decoder.1.feed_forward/hidden", "decoder/s", "logits", "L"}},
      {"language_model: gru",
       {"network.0.t2/h", "network/s", "attention/e", "attention/α", "attention/c", "logits", "L"}},
      {"captioner: gru",
       {"picture", "convnet.0/y", "convnet.2/seen", "features", "places", "decoder.t0.attention/α", "decoder.t3/s",
        "attention/α", "logits"}}};
  for (const auto& [name, names] : named) {
    const std::unique_ptr<Model> model = model_on_batch(small_models().at(name));
    LiveTape tape(Tape::Detail::trace);
    model->loss();
    check_names(tape, names);
    CHECK(tape.find("logits#2") < 0);
  }
}

TEST_CASE("every model that learns a task counts its parameters before making them") {
  for (const ModelKind& kind : linked_models()) {
    CAPTURE(kind.name);
    const std::unique_ptr<Model> model = make_model({{"kind", Text(kind.name)}});
    CHECK((kind.size != nullptr) == (dynamic_cast<Generator*>(model.get()) != nullptr));
  }
  for_each_model([&](Model& model, const Config& config) {
    const Shape source = model.inputs()[0].value.shape();  // a scene has cells of its own number
    const BatchSizes sizes{.rows = 3, .source = source[-1], .target = 4};
    if (dynamic_cast<Generator*>(&model)) {
      CHECK(model_size(config, sizes).parameters == static_cast<double>(model.parameters().count()));
    } else {
      CHECK(REFUSAL(config, model_size(config, sizes)).starts_with("This kind of model learns no task: "));
    }
  });
}

TEST_CASE("every parameter gets a gradient") {
  const std::map<Text, std::set<Text>> exceptions = {
      {"attention: location", {"W_K"}},        // its scores depend on the query alone
      {"seq2seq: first state, bidirectional",  // the decoder starts from the backward direction's state
       {"encoder.0.W", "encoder.0.U", "encoder.0.b", "encoder.0.c"}},
      {"captioner: attention over the grid",  // γ starts at 0
       {"grid_attention.q.weight", "grid_attention.q.bias", "grid_attention.k.weight", "grid_attention.k.bias",
        "grid_attention.v.weight", "grid_attention.v.bias"}}};
  for_each(small_models(), [&](const Config& config, const Text& name) {
    const auto exception = exceptions.find(name);
    const std::set<Text> expected = exception == exceptions.end() ? std::set<Text>{} : exception->second;
    CHECK(idle_parameters(*model_on_batch(config)) == expected);
  });
}

TEST_CASE("training lowers the loss on one batch") {
  for_each_model_that_learns([](Model& model, const Config& config) {
    const Scalar before = model.loss().item();
    Trainer trainer(model, learning(config, 1));
    for (int i = 0; i < 20; ++i) trainer.step();
    CHECK(model.loss().item() < before);
  });
}

TEST_CASE("every kind of model: a run resumed from a checkpoint has the bits of one that never stopped") {
  for_each_model_that_learns([](Model&, const Config& config) {
    ModelRun straight(learning(config, 1)), first(learning(config, 1)), second(learning(config, 1));
    for (const ModelRun* each : {&straight, &first, &second}) set_batch(*each->model);
    straight.train(4);
    first.train(2);
    second.train(1);
    second.restore(first.save());
    second.train(2);
    CHECK(same_bits(second.model->loss(), straight.model->loss()));
    CHECK(second.save() == straight.save());
  });
}

TEST_CASE("every field refuses a value of the wrong type, naming itself and what to use") {
  for_each_model([](Model&, const Config& config) {
    const std::vector<Text> fields = refusable_fields(config);
    CHECK(fields.size() > 8);
    for (const Text& field : fields) {
      const Text sentence = refused(refusal_to_train, config, field, Text("?"));
      CAPTURE(sentence);
      CHECK(sentence.starts_with(field + " is \"?\""));
      CHECK(sentence.find(" use ") != Text::npos);
    }
  });
}

TEST_CASE("a field refuses values out of range, and fractions if it takes whole numbers") {
  for_each_model([](Model&, const Config& config) {
    for (const Text& field : refusable_fields(config)) {
      const Text range = refused(refusal_to_train, config, field, Text("?"));
      std::smatch ends;
      if (!std::regex_search(range, ends, std::regex("use a (whole )?number, ([-\\d.e]+) to ([-\\d.e]+)"))) continue;
      // 12: a width that heads divide
      std::vector<double> outside = {std::stod(ends[2]) - 1, 12 * (std::stod(ends[3]) + 1), NAN, -HUGE_VAL};
      if (ends[1].matched) outside.push_back(1.5);
      for (const double value : outside) {
        const Text sentence = refused(refusal_to_train, config, field, value);
        CAPTURE(sentence);
        CHECK(sentence.starts_with(field + " is "));
        CHECK(sentence.find(" use ") != Text::npos);
      }
    }
  });
}

TEST_CASE("an unknown field is refused with a list of the known ones") {
  for_each_model([](Model&, const Config& config) {
    const Text sentence = refused(refusal_to_train, config, "temprature", 1.0);
    CHECK(sentence.starts_with("\"temprature\" is not a field of this model: use one of "));
    for (const auto& field : config.fields()) CHECK(sentence.find(field.first) != Text::npos);
  });
}

TEST_CASE("a size of a billion is refused before anything of that size is made") {
  for_each_model([](Model&, const Config& config) {
    for (const Text& field : refusable_fields(config)) {
      if (refused(refusal_to_train, config, field, Text("?")).find("use a whole number") == Text::npos) continue;
      pool_trim();
      const std::size_t before = pool_stats().in_use;
      CHECK(refused(refusal_to_train, config, field, 1e9).find(" 1000000") != Text::npos);
      CHECK(pool_stats().peak - before < 1'000'000);
    }
  });
}

TEST_CASE("an input that the model cannot take is refused by its name, and nothing changes") {
  for_each_model([](Model& model, const Config&) {
    const std::vector<ModelInput> inputs = model.inputs();
    for (const auto& [name, value, role, takes_gradient, is_mask, vocabulary] : inputs) {
      CHECK(
          refused_input(model, ErrorCode::shape, name, Tensor({1, 1, 1, 1})).starts_with(name + " is (1, 1, 1, 1): "));
      Tensor wrong = value.copy();
      wrong.data()[0] = NAN;
      CHECK(refused_input(model, ErrorCode::input, name, wrong).starts_with(name + "[0"));
      if (!vocabulary) continue;
      wrong.data()[0] = static_cast<Scalar>(vocabulary);
      CHECK(refused_input(model, ErrorCode::input, name, wrong).find(": use a token id, a whole") != Text::npos);
    }
    CHECK(refused_input(model, ErrorCode::input, "none", Tensor({1}))
              .starts_with("\"none\" is not an input of this model: use one of " + inputs[0].name));
  });
}

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

// Sums run in one order, whatever the batch (see gemm.h and lanes.h), and padding adds zeros at their ends.
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
