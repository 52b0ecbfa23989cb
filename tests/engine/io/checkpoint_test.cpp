#include "engine/io/checkpoint.h"

#include "engine/io/safetensors.h"
#include "tests/engine/support/models.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

Config attention(const std::string& optimiser, double key_size = 3) {
  return {{"kind", "attention"},
          {"optimiser", optimiser},
          {"key_size", key_size},
          {"seed", 3.0},
          {"target", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}}};
}

Bytes checkpoint_with_steps(ModelRun& run, const std::string& steps) {
  NamedTensors content = read_safetensors(run.save());
  content.metadata["steps"] = steps;
  return write_safetensors(content);
}

// Restoring must be refused and change nothing.
std::string refused(ModelRun& run, const Bytes& bytes) {
  const Bytes before = run.save();
  const std::string message = REFUSAL(format, run.restore(bytes));
  CHECK(run.save() == before);
  return message;
}

}  // namespace

TEST_CASE("a run resumed from a checkpoint has the bits of one that never stopped") {
  for (const std::string& kind : optimiser_kinds()) {
    CAPTURE(kind);
    ModelRun straight(attention(kind), 30), first(attention(kind), 10), second(attention(kind), 3);
    second.restore(first.save());
    CHECK(second.trainer.optimiser().steps == 10);
    second.train(20);
    CHECK(second.save() == straight.save());
  }
}

TEST_CASE("a checkpoint from before the first step restores the initial state") {
  ModelRun fresh(attention("adam")), trained(attention("adam"), 5);
  trained.restore(fresh.save());
  trained.train(7);
  fresh.train(7);
  CHECK(trained.save() == fresh.save());
}

TEST_CASE("the checkpoint of another model or optimiser is refused") {
  ModelRun run(attention("adam"), 2), maximum(attention("adam", 4), 2), momentum(attention("momentum"), 2);
  ModelRun softmax(softmax_lesson());
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
      INFO("saved ", saved, ", kind ", kind);
      ModelRun from(attention(saved)), to(attention(kind));
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
  ModelRun adam(attention("adam"), 3), sgd(attention("sgd"), 3);
  const auto unsaid = [](ModelRun& run) {
    NamedTensors content = read_safetensors(run.save());
    content.metadata.erase("optimiser");
    return write_safetensors(content);
  };
  ModelRun other(attention("adam"));
  other.restore(unsaid(adam));
  CHECK(other.save() == adam.save());
  // Adam at its fourth step has a state.
  CHECK(refused(other, unsaid(sgd)).starts_with("The checkpoint holds the state of another optimiser"));
}

TEST_CASE("a file that is not a checkpoint is refused") {
  ModelRun run(attention("adam"));
  CHECK(refused(run, write_safetensors({{}, {}})) ==
        "The file is no checkpoint of this lab: open one that was saved here.");
  for (const char* steps : {"", "-1", "1.5", "ten", "2147483647", "99999999999999999999", "1 "})
    CHECK(refused(run, checkpoint_with_steps(run, steps)).starts_with("The file is no checkpoint"));
  CHECK(refused(run, {}).starts_with("The file of 0 bytes is no safetensors file"));
}

TEST_CASE("a checkpoint truncated anywhere is refused") {
  ModelRun run(attention("adam"), 1);
  const Bytes whole = run.save();
  for (std::size_t length = 0; length < whole.size(); ++length)
    refused(run, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
}

TEST_CASE("a checkpoint with any bit flipped is refused, or restored completely") {
  ModelRun run(attention("adam")), other(attention("adam"), 3);
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

TEST_CASE("another model takes over the weights with the same name and shape, and their optimiser state") {
  ModelRun old(attention("adam"), 3), same(attention("adam"));
  CHECK(carry_over(old.save(), *same.model, same.trainer.optimiser()).dropped.empty());
  CHECK(same.save() == old.save());

  ModelRun other(attention("adam", 4));  // of W_Q, W_K and W_V, only W_V keeps its shape
  const Bytes before = other.save();
  const CarriedOver names = carry_over(old.save(), *other.model, other.trainer.optimiser());
  CHECK(names.kept == std::vector<std::string>{"W_V"});
  CHECK(names.drawn == std::vector<std::string>{"W_Q", "W_K"});
  CHECK(names.dropped == std::vector<std::string>{"W_Q", "W_K"});
  const auto value_in = [](const Bytes& checkpoint, const std::string& name) {
    const NamedTensors content = read_safetensors(checkpoint);
    const auto found = std::ranges::find(content.tensors, name, [](const auto& each) { return each.first; });
    return std::vector<Scalar>(found->second.values().begin(), found->second.values().end());
  };
  CHECK(value_in(other.save(), "W_V") == value_in(old.save(), "W_V"));
  CHECK(value_in(other.save(), "W_Q") == value_in(before, "W_Q"));
  CHECK(value_in(other.save(), "optimiser.4") == value_in(old.save(), "optimiser.4"));  // the first slot of W_V
  CHECK(other.trainer.optimiser().steps == 3);
  other.train(1);

  ModelRun sgd(attention("sgd"));
  CHECK(carry_over(old.save(), *sgd.model, sgd.trainer.optimiser()).kept.size() == 3);
  sgd.train(1);
  CHECK(REFUSAL(format, carry_over({}, *sgd.model, sgd.trainer.optimiser())).starts_with("The file of 0 bytes"));
}
