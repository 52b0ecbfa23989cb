// For a module whose models learn no task: it knows none, and refuses as TaskTrainer refuses such a model.
#include "bindings/task_work.h"
#include "engine/tensor/error.h"

namespace unroll {

namespace {

[[noreturn]] void refuse_task() {
  fail(ErrorCode::config, "This kind of model writes no sequences: to learn a task, use \"seq2seq\".");
}

}  // namespace

TaskWorkMaker prepare_task(Config& config) {
  for (const char* field : {"task", "pairs", "text"})
    if (config.has(field)) refuse_task();
  return nullptr;
}

SizeInfo size_to_learn(Config) { refuse_task(); }

std::vector<std::string> known_tasks() { return {}; }

}  // namespace unroll
