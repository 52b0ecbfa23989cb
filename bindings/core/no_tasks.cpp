// The core module knows no task, and says so.
#include "bindings/task_work.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

[[noreturn]] void refuse(const char* what) {
  fail(ErrorCode::config, "This is the core engine, which has no ", what, ": load the whole engine instead.");
}

}  // namespace

TaskWorkMaker prepare_task(Config& config) {
  for (const char* field : {"task", "pairs", "text"})
    if (config.has(field)) refuse("tasks");
  return nullptr;
}

std::vector<std::string> known_tasks() { return {}; }
std::vector<std::string> known_recipes() { return {}; }
Config recipe_for(const std::string&, const std::string&) { refuse("recipes"); }

}  // namespace unroll
