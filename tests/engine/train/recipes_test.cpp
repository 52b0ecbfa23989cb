#include "engine/train/recipes.h"

#include "engine/data/tasks/task.h"
#include "engine/models/model.h"
#include "tests/engine/support/test.h"

TEST_CASE("every model accepts its recipe for each of its tasks") {
  for (const std::string& name : recipe_models())
    for (const std::string& task : recipe_tasks(name)) {
      CAPTURE(task);
      CAPTURE(name);
      const Config config = recipe(task, name);
      CHECK(config.text("task", "", task_names()) == task);
      CHECK_FALSE(make_model(config)->parameters().all().empty());
    }
}

TEST_CASE("every task has a recipe") {
  std::set<std::string> tasks;
  for (const std::string& name : recipe_models()) {
    const std::vector<std::string> of_model = recipe_tasks(name);
    tasks.insert(of_model.begin(), of_model.end());
  }
  for (const std::string& task : task_names()) CHECK_MESSAGE(tasks.contains(task), task);
}

TEST_CASE("there is no recipe for a task that a model cannot learn") {
  CHECK(REFUSAL(config, recipe("captions", "gru")).starts_with("task is \"captions\": use one of"));
  CHECK(REFUSAL(config, recipe("reverse", "captioner")) == "task is \"reverse\": use one of captions.");
}

TEST_CASE("only a model without attention reads a sum from its end") {
  CHECK(recipe("addition", "lstm").flag("reverse_source", false));
  CHECK_FALSE(recipe("addition", "lstm-attention").flag("reverse_source", true));
}
