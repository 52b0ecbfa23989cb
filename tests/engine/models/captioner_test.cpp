#include "engine/nn/layers/sprites.h"
#include "tests/engine/support/small_models.h"

namespace {

constexpr int empty = 4, red_square = empty + 11;  // ids

const Config small = small_captioners().at("captioner: gru");

Tensor empty_scene() { return Tensor::full({1, 16}, empty); }

}  // namespace

TEST_CASE("a scene is drawn cell by cell, and an empty cell stays blank") {
  expect(draw_scene(empty_scene(), sprite_table()), {1, 3, 32, 32}, std::vector<double>(3 * 32 * 32, 0));
  const Tensor scene = empty_scene();
  scene.data()[6] = red_square;  // row 1, column 2
  const Tensor picture = draw_scene(scene, sprite_table());
  const auto red = [&](int y, int x) { return picture.data()[y * 32 + x]; };
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) CHECK((red(y, x) > 0.9) == (y > 8 && y < 15 && x > 16 && x < 23));
}

TEST_CASE("every sprite has its own pixels") {
  const Tensor table = sprite_table();
  REQUIRE(static_cast<std::size_t>(table.shape()[0]) == empty + sprite_names().size());
  CHECK(sprite_names()[red_square - empty] == "red-square");
  for (int a = empty; a < table.shape()[0]; ++a)
    for (int b = empty; b < a; ++b) CHECK_FALSE(same_bits(slice(table, 0, a, 1), slice(table, 0, b, 1)));
}

TEST_CASE("each word of a caption attends to all cells; a pixel can be edited, and what is computed from it follows") {
  const auto model = model_on_batch<SequenceModel>(small);
  model->loss();
  expect(sum(model->weights(), -1), {3, 4}, std::vector<double>(12, 1));
  const auto loss_and_picture = [&](const Edits& edits) {
    LiveTape tape(Tape::Detail::trace, &edits);
    const double loss = static_cast<double>(model->loss().item());
    return std::pair(loss, node(tape, "picture").value.copy());
  };
  Edits edits;
  set_edit(edits, "picture", 40, Scalar(0.75));
  const auto [before, picture] = loss_and_picture({});
  const auto [after, edited] = loss_and_picture(edits);
  CHECK(before != after);
  CHECK(edited.data()[40] == Scalar(0.75));
  CHECK(sum(equal(edited, picture)).item() == Scalar(picture.size() - 1));
}

TEST_CASE("with γ at 0 attention over the grid changes nothing yet, and its gradient moves γ") {
  const auto model = model_on_batch(with(small, "grid_attention=true"));
  CHECK(same_bits(model->loss(), model_on_batch(small)->loss()));
  LiveTape tape(Tape::Detail::training);
  backward(model->loss());
  CHECK(gradient(model->parameters().find("grid_attention.gamma")->value).item() != 0);
}

TEST_CASE("a captioner refuses a scene of another size, and the words of another task") {
  const auto model = made<EncoderDecoderModel>(small);
  const std::string sentence =
      "source is (1, 15): a scene has 16 cells, 4 rows of 4, so give each row of source 16 tokens, \".\" for an empty "
      "cell.";
  CHECK(REFUSAL(shape, model->set_input("source", Tensor::full({1, 15}, empty))) == sentence);
  CHECK(REFUSAL(shape, model->start(Tensor::full({1, 15}, empty))) == sentence);
  CHECK(REFUSAL(config, make_model(with(small, "source_vocabulary=30"))) ==
        "source_vocabulary is 30, and a captioner knows the 21 tokens that scenes are made of: train it on the task "
        "\"captions\".");
  CHECK(REFUSAL(config, make_model(with(small, "channels=2"))).starts_with("channels is 2"));
}
