// For a module whose models learn no task: it knows none, and refuses as TaskTrainer refuses such a model.
#include "bindings/task_work.h"
#include "engine/tensor/error.h"

namespace unroll {

TaskWorkMaker prepare_task(Config& config) {
  for (const char* field : {"task", "pairs", "text"})
    if (config.has(field))
      fail(ErrorCode::config, "This kind of model writes no sequences: to learn a task, use \"seq2seq\".");
  return nullptr;
}

std::vector<std::string> known_tasks() { return {}; }

}  // namespace unroll
