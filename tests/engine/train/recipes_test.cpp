#include "engine/train/recipes.h"

#include <doctest/doctest.h>

#include "engine/models/model.h"
#include "engine/train/tasks/task.h"

using namespace unroll;

TEST_CASE("every task has a recipe for every model, and the model takes it") {
  for (const std::string& task : task_names())
    for (const std::string& name : recipe_models()) {
      CAPTURE(task);
      CAPTURE(name);
      const Config config = recipe(task, name);
      CHECK(config.text("task", "", task_names()) == task);
      CHECK_FALSE(make_model(config)->parameters().all().empty());
    }
}

TEST_CASE("only a model without attention reads a sum from its end") {
  CHECK(recipe("addition", "lstm").flag("reverse_source", false));
  CHECK_FALSE(recipe("addition", "lstm-attention").flag("reverse_source", true));
}
