// What a part of the learner's may not do, and where its lines stand.
#include "engine/generate/generator.h"
#include "engine/models/model.h"
#include "engine/models/program/learner_parts.h"
#include "engine/program/interpreter.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/part_texts.h"

namespace {

Config model_with(const char* kind, const char* part, const Text& program, const Config& more = {}) {
  Config config = {{"kind", kind}, {"part", part}, {"program", program}};
  if (kind != Text("attention") && kind != Text("attention_layer") && kind != Text("recurrent"))
    for (const char* field : {"vocabulary", "source_vocabulary", "target_vocabulary"}) config.set(field, 9.0);
  return with(config, more);
}

// A Transformer with heads of 4, or a recurrent model with states of 6.
Config transformer_with(const char* part, const Text& program, const Config& more = {}) {
  return model_with("transformer", part, program, with({{"model_size", 8.0}, {"heads", 2.0}}, more));
}
Config seq2seq_with(const char* part, const Text& program, const Config& more = {}) {
  return model_with("seq2seq", part, program, with({{"embedding", 5.0}, {"hidden", 6.0}}, more));
}

Text refused_part(const Config& config) { return REFUSAL(program, make_model(config)); }
Text refused_field(const Config& config) { return REFUSAL(config, make_model(config)); }
Text refused_whole(const char* kind, const Text& program) {
  return refused_part({{"kind", kind}, {"program", program}});
}

Text returning(const char* head, const char* result) { return Text("def ") + head + ":\n    return " + result + "\n"; }

std::set<Text> parameters_of(const Config& config) {
  std::set<Text> names;
  const std::unique_ptr<Model> model = make_model(config);
  for (const Parameter& each : model->parameters().all()) names.insert(each.name);
  return names;
}

}  // namespace

TEST_CASE("each kind of model says which parts it takes") {
  const auto refused = [](const char* kind, const char* part) {
    return refused_field(model_with(kind, part, parts::block));
  };
  CHECK(refused("seq2seq", "norm") == R"(part is "norm": use one of "score", "attention", "cell".)");
  CHECK(refused("language_model", "score") == R"(part is "score": use one of "cell".)");
  CHECK(refused("recurrent", "block") == R"(part is "block": use one of "cell".)");
  CHECK(refused("attention", "cell") == R"(part is "cell": use one of "score", "attention".)");
  CHECK(refused("attention_layer", "norm") == R"(part is "norm": use one of "score", "attention", "positions".)");
  for (const char* kind : {"transformer", "transformer_lm"})
    CHECK(refused(kind, "cell") ==
          R"(part is "cell": use one of "score", "attention", "positions", "norm", "feed_forward", "block".)");
  for (const char* kind : {"captioner", "lookup", "softmax", "program", "program_lm", "program_seq2seq"})
    CHECK(refused(kind, "score") ==
          R"(part is "score", but this kind of model has no part to replace: leave it out, or use the kind )"
          R"("transformer", "seq2seq" or "attention".)");
}

TEST_CASE("a part needs a program, and a text that is none is refused at its place; alone it is an unknown field") {
  CHECK(refused_part(transformer_with("norm", "x = 1\n")) == "The program has no function: begin one with def.");
  CHECK(refused_part(transformer_with("norm", "def norm(x):\n    return y\n")).starts_with("line 2, column 12: "));
  CHECK(refused_field({{"kind", "transformer"}, {"part", "norm"}}) ==
        "part is given and program is not: give the text of the function as program.");
  const Config config = {{"kind", "transformer"}, {"program", parts::layer_norm}};
  make_model(config);
  CHECK(REFUSAL(config, config.reject_unknown()).starts_with(R"("program" is not a field of this model)"));
}

TEST_CASE("a result of another shape, or no tensor, is refused with the shape that the part must have") {
  CHECK(refused_part(transformer_with("score", returning("score(Q, K)", "Q"))) ==
        "line 1, column 1: score returns 1 × 4 × 4; scores have a row for each query and a column for each key, here "
        "1 × 4 × 5.");
  CHECK(refused_part(transformer_with("attention", returning("attend(Q, K, V, mask)", "V[0]"))) ==
        "line 1, column 1: attend returns 5 × 4; a context has the shape of Q with the size of V, here 1 × 4 × 4.");
  CHECK(refused_part(transformer_with("attention", returning("attend(Q, K, V, mask)", "Q, Q"))) ==
        "line 1, column 1: attend returns 1 × 4 × 4; weights have a row for each query and a column for each key, here "
        "1 × 4 × 5.");
  CHECK(refused_part(seq2seq_with("cell", returning("cell(x, h)", "x"))) ==
        "line 1, column 1: cell returns 1 × 5; a new state has the shape of h, here 1 × 6.");
  CHECK(refused_part(transformer_with("positions", returning("positions(T, D)", "zeros(D, T)"))) ==
        "line 1, column 1: positions returns 8 × 4; positions have a row of D for each of T, here 4 × 8.");
  CHECK(refused_part(transformer_with("norm", returning("norm(x)", "x.mean(-1)"))) ==
        "line 1, column 1: norm returns 1 × 4; a norm keeps the shape of x, here 1 × 4 × 8.");
  CHECK(refused_part(transformer_with("feed_forward", returning("f(x)", "x[0]"))) ==
        "line 1, column 1: f returns 4 × 8; a feed-forward network keeps the shape of x, here 1 × 4 × 8.");
  CHECK(refused_part(transformer_with("block", returning("block(x, mask)", "mask"))) ==
        "line 1, column 1: block returns 1 × 1 × 4; a block keeps the shape of x, here 1 × 4 × 8.");
  CHECK(refused_part(transformer_with("norm", "\ndef norm(x):\n    y = x\n")) ==
        "line 2, column 1: norm returns None; a norm keeps the shape of x, here 1 × 4 × 8.");
  CHECK(refused_part(transformer_with("norm", returning("norm(x)", "x, x"))) ==
        "line 1, column 1: norm returns a tuple of 2; a norm keeps the shape of x, here 1 × 4 × 8.");
  CHECK(refused_part(transformer_with("attention", returning("attend(Q, K, V, mask)", "Q, Q, Q"))) ==
        "line 1, column 1: attend returns a tuple of 3; a context has the shape of Q with the size of V, here "
        "1 × 4 × 4.");
  CHECK(refused_part(transformer_with("attention", returning("attend(Q, K, V, mask)", "Q, 1"))) ==
        "line 1, column 1: attend returns the number 1; weights have a row for each query and a column for each key, "
        "here 1 × 4 × 5.");
}

TEST_CASE("a function of another number of arguments is refused, unless the others have defaults") {
  CHECK(refused_part(transformer_with("attention", returning("attend(Q, K, V)", "Q"))) ==
        "line 1, column 1: attend takes 3 arguments, and this part is called as attend(Q, K, V, mask): give it 4.");
  CHECK(refused_part(transformer_with("norm", returning("norm(x, y)", "x"))) ==
        "line 1, column 1: norm takes 2 arguments, and this part is called as norm(x): give it 1.");
  CHECK(refused_part(transformer_with("positions", returning("positions(T)", "T"))) ==
        "line 1, column 1: positions takes 1 argument, and this part is called as positions(T, D): give it 2.");
  make_model(transformer_with("norm", returning("norm(x, factor=2)", "factor * x")))->loss();
}

TEST_CASE("the parameters of a part are the same for inputs of any size, and its own") {
  CHECK(refused_part(transformer_with("norm", returning("norm(x)", "x + parameter(f'b{x.shape[1]}', (8,))"))) ==
        "line 2, column 16: the parameter b3 was not there in the first run: make the same ones in every run.");
  CHECK(refused_part(transformer_with("positions", returning("positions(T, D)", "parameter('P', (T, D))"))) ==
        "line 2, column 12: the parameter P is 4 × 8 elsewhere, and here it would be 3 × 8: give it another name.");
  const Text own_bias = returning("score(Q, K)", "Q @ K.mT + parameter('W_Q.bias', (8,))[0]");
  CHECK(refused_part(transformer_with("score", own_bias)) ==
        "line 2, column 23: the parameter W_Q.bias is one of the lab's own here: give it another name.");
}

TEST_CASE("a field that does not go with the part is refused") {
  const Text score = parts::scaled_dot_score;
  CHECK(refused_field(seq2seq_with("cell", parts::gru_cell, {{"cell", "lstm"}})) ==
        R"(cell is "lstm", but it carries two states, and the part has one: use another cell.)");
  for (const char* part : {"score", "attention"}) {
    CHECK(refused_field(seq2seq_with(part, score, {{"attention", "none"}})) ==
          R"(attention is "none", but the part belongs to attention: use "bahdanau" or "luong".)");
    CHECK(refused_field(seq2seq_with(part, score, {{"window", "local_p"}})) ==
          R"(window is "local_p", but it has weights of its own: use "global" or "local_m".)");
    CHECK(refused_field(model_with("attention_layer", part, score, {{"form", "blocks"}})) ==
          R"(form is "blocks", but the part computes all scores at once: use "plain".)");
  }
  CHECK(refused_field(transformer_with("attention", parts::attention, {{"positions", "alibi"}})) ==
        R"(positions is "alibi", but its penalty is for the lab's own scores: use another.)");
  CHECK(refused_field(seq2seq_with("attention", parts::attention, {{"hard", true}})) ==
        "hard is true, but the part computes the weights: leave it out.");
  CHECK(refused_field(seq2seq_with("attention", parts::attention, {{"attention_temperature", 2.0}})) ==
        "attention_temperature is 2, but the part computes the weights: leave it out.");
  for (const Text setting : {"orthogonal is true", "bias is false", "scale is 2"}) {
    const Config own = settings(Text(setting).replace(setting.find(" is "), 4, "=").c_str());
    CHECK(refused_field(model_with("recurrent", "cell", parts::gru_cell, own)) ==
          setting + ", but the part gives its parameters their values: leave it out.");
  }
  for (const char* positions : {"learned", "alibi", "rotary"})
    CHECK(refused_field(transformer_with("positions", parts::sinusoids, {{"positions", positions}}))
              .ends_with(R"(but the part supplies the positions: use "sinusoidal", or leave it out.)"));
  make_model(model_with("recurrent", "cell", parts::gru_cell, {{"orthogonal", false}, {"bias", true}, {"scale", 1.0}}));
}

TEST_CASE("every place has parameters of its own, which are there from the start") {
  const std::set<Text> norms = parameters_of(
      transformer_with("norm", returning("norm(x)", "x * parameter('γ', (8,), 'ones')"), {{"layers", 2.0}}));
  for (const char* place : {"encoder.0.norm1", "encoder.1.norm2", "encoder.norm", "decoder.0.norm3", "decoder.norm"})
    CHECK(norms.contains(Text(place) + ".γ"));
  for (const Text& name : norms) CHECK_FALSE(name.ends_with("norm1.weight"));
  const std::set<Text> cells =
      parameters_of(seq2seq_with("cell", returning("cell(x, h)", "h * parameter('a', (6,), 'ones')")));
  for (const char* name : {"encoder.0.a", "encoder.0_reverse.a", "decoder.0.a"}) CHECK(cells.contains(name));
  const Text table = returning("positions(T, D)", "parameter('table', (64, D))[:T]");
  const std::set<Text> positions = parameters_of(transformer_with("positions", table));
  for (const char* name : {"source_embedding.positions.table", "target_embedding.positions.table"})
    CHECK(positions.contains(name));
  CHECK(parameters_of(transformer_with("block", parts::block)).contains("encoder.0.attention.W_Q.weight"));
}

TEST_CASE("the learner's lines are in the trace, in the scope of their part, which renames nothing it is given") {
  const std::unique_ptr<Model> model = make_model(transformer_with("attention", parts::attention));
  LiveTape tape(Tape::Detail::trace);
  model->loss();
  std::map<Text, std::set<int>> lines;  // by scope
  for (const Node& node : tape.nodes())
    if (node.where.file == Text(program::program_file))
      lines[tape.scopes()[static_cast<std::size_t>(node.scope)].path].insert(static_cast<int>(node.where.line));
  for (const Text place : {"encoder.0.attention", "decoder.0.self_attention", "decoder.0.cross_attention"}) {
    for (const int line : {2, 4}) CHECK_MESSAGE(lines[place].contains(line), place);
    check_names(tape, {place + "/α", place + "/c"});
  }
  const std::unique_ptr<Model> passing = make_model(transformer_with("norm", returning("norm(x)", "x")));
  LiveTape other(Tape::Detail::trace);
  passing->loss();
  check_names(other, {"encoder.0/after attention", "encoder.0.norm2/normed"});
}

TEST_CASE("the size of a model with a part is measured, and with a block of the learner's there is no cache to count") {
  const Config own = {{"kind", "transformer_lm"}, {"model_size", 8.0}, {"feed_forward", 11.0}};
  const Config learner = with(own, {{"part", "feed_forward"}, {"program", parts::feed_forward}});
  const BatchSizes batch{.rows = 8, .target = 10};
  const ModelSize estimated = model_size(own, batch), measured = model_size(learner, batch);
  CHECK(measured.parameters == estimated.parameters);
  CHECK(measured.activations == doctest::Approx(estimated.activations).epsilon(0.5));
  const auto cost = [](const Config& config) {
    const std::unique_ptr<Model> model = make_model(config);
    return dynamic_cast<Generator&>(*model).generation_cost(3).has_value();
  };
  CHECK_FALSE(cost(model_with("transformer_lm", "block", parts::block, {{"model_size", 8.0}})));
  CHECK(cost(model_with("transformer_lm", "norm", parts::layer_norm)));
}

TEST_CASE("an attention without weights: the model has none to show, and still generates") {
  const Text text = "def attend(Q, K, V, mask):\n    return softmax(Q @ K.mT + mask, dim=-1) @ V\n";
  for (const char* kind : {"transformer", "transformer_lm"}) {
    const std::unique_ptr<Model> model =
        make_model(model_with(kind, "attention", text, {{"model_size", 8.0}, {"heads", 2.0}}));
    set_batch(*model);
    model->loss();
    Generator& generator = dynamic_cast<Generator&>(*model);
    GeneratorState state = generator.start(source_for(*model));
    CHECK_FALSE(generator.next(Tensor({3}, {1, 1, 1}), state).weights);
  }
}

TEST_CASE("no parameter of a whole model has the name of an input, and its last function is forward") {
  CHECK(refused_whole("program", "def f(x=ones(2)):\n    return x * parameter('x', (2,))\n") ==
        "line 1, column 1: the parameter x has the name of an input: give it another one.");
  const Text embeds = "    return embedding(target_in, parameter('source', (TARGET_VOCABULARY, TARGET_VOCABULARY)))\n";
  CHECK(refused_whole("program_seq2seq", "def forward(source, target_in):\n" + embeds)
            .ends_with("the parameter source has the name of an input: give it another one."));
  const Text helper = "def look(x, name):\n    return x @ parameter(name, (3, 3))\n";
  CHECK(refused_whole("program_seq2seq", helper) ==
        "line 1, column 1: look is the last function, and the last is the model: write forward(source, target_in) "
        "below it.");
  CHECK(refused_whole("program_lm", "def forward(ids, more):\n    return ids\n") ==
        "line 1, column 1: forward takes 2 arguments, and this model is given 1: forward(ids).");
}

TEST_CASE("a mask that would fit a square by chance is refused, and a whole model is tried with padding") {
  const Text program =
      "def forward(source, target_in):\n"
      "    E = parameter('E', (TARGET_VOCABULARY, 4))\n"
      "    F = parameter('F', (SOURCE_VOCABULARY, 4))\n"
      "    scores = embedding(target_in, E) @ embedding(source, F).mT\n"
      "    return softmax(scores.masked_fill(source == PAD, -inf), dim=-1) @ embedding(source, F) @ E.T\n";
  CHECK(refused_whole("program_seq2seq", program).ends_with("Write [:, None] after the mask."));
  const Text padded =
      "def forward(ids):\n"
      "    left = (ids != PAD).sum(1, keepdim=True) - 1 - arange(ids.shape[1])\n"
      "    P = parameter('P', (64, 4))\n"
      "    return embedding(left, P) @ parameter('W', (4, VOCABULARY))\n";
  CHECK(refused_whole("program_lm", padded)
            .ends_with("embedding: an id is -1, and weight has 64 rows: ids are 0 to 63."));
}
