// For a module whose models learn no task: there are no tasks, and a config with one is refused as in TaskTrainer.
#include "bindings/task_work.h"
#include "engine/tensor/error.h"

namespace unroll {

namespace {

[[noreturn]] void reject_task() {
  fail(ErrorCode::config, "This kind of model writes no sequences: to learn a task, use \"seq2seq\".");
}

}  // namespace

TaskSessionMaker prepare_task(Config& config) {
  for (const char* field : {"task", "pairs", "text"})
    if (config.has(field)) reject_task();
  return nullptr;
}

SizeInfo estimate_size(Config) { reject_task(); }

std::vector<std::string> known_tasks() { return {}; }

}  // namespace unroll
