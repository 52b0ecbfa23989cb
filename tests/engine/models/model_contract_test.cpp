// Requirements for all models, tested on every registered kind and its variants: see small_models.
#include <regex>

#include "engine/generate/generator.h"
#include "engine/models/registry.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/random_config.h"
#include "tests/engine/support/small_models.h"

namespace {

void for_each_model_that_learns(const CheckModel& check) {
  for_each_model([&](Model& model, const Config& config) {
    if (model.parameters().count()) check(model, config);
  });
}

// The loss of the configured model on the batch.
Tensor loss_of(const Config& config) {
  const std::unique_ptr<Model> model = make_model(config);
  set_batch(*model);
  return model->loss();
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

// The names of the parameters for which the gradient of the loss is 0.
std::set<Text> idle_parameters(Model& model) {
  std::set<Text> idle;
  if (!model.parameters().count()) return idle;
  LiveTape tape(Tape::Detail::training);
  backward(model.loss());
  for (const auto& [name, value] : model.parameters().all()) {
    const Tensor slope = gradient(value);
    if (!slope || std::ranges::count(slope.values(), Scalar(0)) == std::ssize(slope.values())) idle.insert(name);
  }
  return idle;
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

// The refusal, after checking that the inputs have kept their bits.
Text refused_input(Model& model, ErrorCode code, const Text& name, const Tensor& value) {
  const std::vector<ModelInput> before = model.inputs();
  const Text sentence = refusal(code, [&] { model.set_input(name, value); });
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(same_bits(before[i].value, model.inputs()[i].value));
  return sentence;
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
    const auto loss = [&](double seed) { return loss_of(with(config, {{"seed", seed}})); };
    CHECK(same_bits(loss(5), loss(5)));
    if (model.parameters().count()) CHECK_FALSE(same_bits(loss(5), loss(6)));
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
    const std::unique_ptr<Model> model = make_model(config);
    set_batch(*model);
    const auto exception = exceptions.find(name);
    CHECK(idle_parameters(*model) == (exception == exceptions.end() ? std::set<Text>{} : exception->second));
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
