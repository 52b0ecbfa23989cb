#include "engine/io/checkpoint.h"

#include "engine/io/safetensors.h"
#include "engine/train/trainer.h"
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/test.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

Config attention(const std::string& optimiser, double key_size = 3) {
  return {{"kind", Text("attention")},
          {"optimiser", optimiser},
          {"key_size", key_size},
          {"seed", 3.0},
          {"target", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}}};
}

struct Run {
  explicit Run(const Config& config) : model(make_model(config)), trainer(*model, config) {}
  void train(int steps) {
    for (int i = 0; i < steps; ++i) trainer.step();
  }
  Bytes save() { return save_checkpoint(*model, trainer.optimiser()); }
  void restore(const Bytes& bytes) { restore_checkpoint(bytes, *model, trainer.optimiser()); }

  std::unique_ptr<Model> model;
  Trainer trainer;
};

Bytes checkpoint_with_steps(Run& run, const std::string& steps) {
  NamedTensors content = read_safetensors(run.save());
  content.metadata["steps"] = steps;
  return write_safetensors(content);
}

// Restoring must be refused and change nothing.
std::string refused(Run& run, const Bytes& bytes) {
  const Bytes before = run.save();
  const std::string message = REFUSAL(format, run.restore(bytes));
  CHECK(run.save() == before);
  return message;
}

}  // namespace

TEST_CASE("a run resumed from a checkpoint has the bits of one that never stopped") {
  for (const std::string& kind : optimiser_kinds()) {
    CAPTURE(kind);
    Run straight(attention(kind)), first(attention(kind)), second(attention(kind));
    straight.train(30);
    first.train(10);
    second.train(3);
    second.restore(first.save());
    CHECK(second.trainer.optimiser().steps == 10);
    second.train(20);
    CHECK(second.save() == straight.save());
  }
}

TEST_CASE("a checkpoint from before the first step restores the initial state") {
  Run fresh(attention("adam")), trained(attention("adam"));
  trained.train(5);
  trained.restore(fresh.save());
  trained.train(7);
  fresh.train(7);
  CHECK(trained.save() == fresh.save());
}

TEST_CASE("the checkpoint of another model or optimiser is refused") {
  Run run(attention("adam"));
  run.train(2);
  Run maximum(attention("adam", 4)), momentum(attention("momentum")), softmax(softmax_lesson());
  maximum.train(2);
  momentum.train(2);
  CHECK(refused(run, maximum.save()) ==
        "The checkpoint has W_Q (3, 4) where this model has W_Q: load the model it was saved from.");
  CHECK(refused(run, momentum.save()) ==
        "The checkpoint holds the state of another optimiser: choose the one it was saved with.");
  CHECK(refused(run, softmax.save()) ==
        "The checkpoint has 0 tensors, this model needs 3: load the model it was saved from.");
}

TEST_CASE("a checkpoint is restored only by its own kind of optimiser, however similar the states") {
  for (const std::string& saved : optimiser_kinds())
    for (const std::string& kind : optimiser_kinds()) {
      CAPTURE(saved);
      CAPTURE(kind);
      Run from(attention(saved)), to(attention(kind));
      CHECK(from.trainer.optimiser().kind() == saved);
      for (const int steps : {0, 2}) {
        from.train(steps);
        to.train(2);
        if (saved == kind)
          CHECK_NOTHROW(to.restore(from.save()));
        else
          CHECK(refused(to, from.save()).starts_with("The checkpoint holds the state of another optimiser"));
      }
    }
}

TEST_CASE("a checkpoint that does not name its optimiser is restored if the state fits") {
  Run adam(attention("adam")), sgd(attention("sgd"));
  adam.train(3);
  sgd.train(3);
  const auto unsaid = [](Run& run) {
    NamedTensors content = read_safetensors(run.save());
    content.metadata.erase("optimiser");
    return write_safetensors(content);
  };
  Run other(attention("adam"));
  other.restore(unsaid(adam));
  CHECK(other.save() == adam.save());
  // Adam at its fourth step has a state.
  CHECK(refused(other, unsaid(sgd)).starts_with("The checkpoint holds the state of another optimiser"));
}

TEST_CASE("a file that is not a checkpoint is refused") {
  Run run(attention("adam"));
  CHECK(refused(run, write_safetensors({{}, {}})) ==
        "The file is no checkpoint of this lab: open one that was saved here.");
  for (const char* steps : {"", "-1", "1.5", "ten", "2147483647", "99999999999999999999", "1 "})
    CHECK(refused(run, checkpoint_with_steps(run, steps)).starts_with("The file is no checkpoint"));
  CHECK(refused(run, {}).starts_with("The file of 0 bytes is no safetensors file"));
}

TEST_CASE("a checkpoint truncated anywhere is refused") {
  Run run(attention("adam"));
  run.train(1);
  const Bytes whole = run.save();
  for (std::size_t length = 0; length < whole.size(); ++length)
    refused(run, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
}

TEST_CASE("a checkpoint with any bit flipped is refused, or restored completely") {
  Run run(attention("adam")), other(attention("adam"));
  other.train(3);
  const Bytes whole = other.save();
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    Bytes broken = whole;
    const int at = random.below(static_cast<int>(i % 2 ? 700 : broken.size()));
    broken[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1 << random.below(8));
    try {
      run.restore(broken);
      run.train(1);  // from huge weights it may diverge
    } catch (const Error& error) {
      CHECK((error.code == ErrorCode::format || error.code == ErrorCode::diverged));
    }
  }
}
