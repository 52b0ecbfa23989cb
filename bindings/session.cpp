#include "bindings/session.h"

#include <algorithm>
#include <cmath>

#include "bindings/guards.h"
#include "engine/autograd/tape.h"
#include "engine/io/checkpoint.h"
#include "engine/tensor/pool.h"

namespace unroll {
namespace {

std::vector<int> sizes(const Shape& shape) { return {shape.begin(), shape.end()}; }

bool in_force(const Edits& edits, const ValueEdit& change) {
  const auto list = edits.find(change.name);
  return list != edits.end() && std::ranges::any_of(list->second, [&](const Edit& edit) {
           return static_cast<int>(edit.index) == change.index && edit.value == static_cast<Scalar>(change.value);
         });
}

}  // namespace

void Session::require_model() const {
  if (!model_) fail(ErrorCode::input, "no_model_loaded");
}

// Recomputes a stale trace, so that readers see the current model.
void Session::refresh() {
  require_model();
  if (stale_) run_again();
}

const Node& Session::node(int id) {
  refresh();
  const int count = static_cast<int>(tape_.nodes().size());
  if (id < 0 || id >= count) fail(ErrorCode::input, "no_such_node", id, count - 1);
  return tape_.nodes()[id];
}

ModelInfo Session::info() const {
  ModelInfo result{.kind = kind_, .seed = seed_, .steps = trainer_->optimiser().steps, .inputs = {}, .parameters = {}};
  for (const ModelInput& input : model_->inputs()) result.inputs.push_back({input.name, sizes(input.value.shape())});
  for (const Parameter& parameter : model_->parameters().all())
    result.parameters.push_back({parameter.name, sizes(parameter.value.shape())});
  return result;
}

Reply<ModelInfo> Session::load(const Config& config) {
  return attempt("load", [&] {
    Config whole = config;
    const std::shared_ptr<const Task> task = read_task(whole);
    std::unique_ptr<Model> model = make_model(whole);
    std::unique_ptr<Trainer> trainer = std::make_unique<Trainer>(*model, whole);
    std::shared_ptr<TaskWork> task_work = work_on(task, *model, *trainer, whole);
    whole.reject_unknown();
    tape_.clear();
    edits_.clear();
    if (has_interventions) put_in_force(nullptr);
    stale_ = false;
    task_work_ = std::move(task_work);
    trainer_ = std::move(trainer);
    model_ = std::move(model);
    pool_trim();  // frees the memory of the previous model
    kind_ = model_kind(config);
    seed_ = static_cast<double>(config.seed());
    return info();
  });
}

// A failed run leaves no partial trace. If there was a trace before, its next use runs again.
RunInfo Session::run_again() {
  stale_ = has_trace();
  if (has_interventions) renew_interventions();
  tape_.clear();
  Rollback partial([&] { tape_.clear(); });
  RecordingGuard recording(&tape_);
  const Rollback replaced(intervene_in(model_->parameters(), intervener()));
  const Rollback edited(edit_parameters(model_->parameters(), edits_));
  const Rollback sampled(sample_as_in_next_step());
  const Tensor loss = model_->loss();
  if (has_tasks) record_writing();
  if (has_tasks) record_measure();
  backward(loss);
  trainer_->record_update(static_cast<double>(loss.item()));
  RunInfo result{.loss = static_cast<double>(loss.item()), .output = tape_.find(model_->output())};
  for (const Node& node : tape_.nodes()) {
    result.forward += node.phase == Phase::forward;
    result.backward += node.phase == Phase::backward;
    result.update += node.phase == Phase::update;
  }
  result.trace = static_cast<double>(fingerprint(columns_of(tape_)) >> 11);  // as many bits as a double holds exactly
  partial.keep();
  stale_ = false;
  return result;
}

Reply<RunInfo> Session::run(const std::vector<NamedTensor>& inputs) {
  return attempt("run", [&] {
    require_model();
    Rollback before(inputs_of(*model_));
    for (const NamedTensor& input : inputs)
      model_->set_input(input.name,
                        Tensor(Shape(input.shape), std::vector<Scalar>(input.values.begin(), input.values.end())));
    const RunInfo result = run_again();
    before.keep();
    return result;
  });
}

Reply<TraceColumns> Session::trace() {
  return attempt("trace", [&] {
    refresh();
    return columns_of(tape_);
  });
}

Reply<std::vector<float>> Session::values(int id) {
  return attempt("values", [&] { return floats(node(id).value); });
}

Reply<std::vector<float>> Session::probabilities(int id) {
  return attempt("probabilities", [&] { return probabilities_of(node(id)); });
}

Reply<std::vector<float>> Session::gradients(int id) {
  return attempt("gradients", [&] {
    const Node& found = node(id);
    if (!found.gradient) fail(ErrorCode::input, "no_gradient_reaches", found.name);
    return floats(found.gradient);
  });
}

int Session::editable(const std::string& name, int index) {
  refresh();
  const int id = tape_.find(name);
  if (id < 0 && tape_.nodes().empty()) fail(ErrorCode::input, "no_trace_yet");
  if (id < 0) fail(ErrorCode::input, "no_such_name_in_trace", name);
  const Node& found = tape_.nodes()[id];
  if (found.phase == Phase::backward) fail(ErrorCode::input, "edit_of_gradient", name);
  if (std::string_view(found.op.name) == "constant") fail(ErrorCode::input, "edit_of_constant", name);
  if (tape_.scopes()[found.scope].phase == Phase::update) fail(ErrorCode::input, "edit_of_update", name);
  if (index < 0 || static_cast<std::size_t>(index) >= found.value.size())
    fail(ErrorCode::input, "edit_index_out_of_range", index, name, found.value.shape(), found.value.size() - 1);
  return id;
}

// Runs with these edits, or restores the previous ones on failure.
RunInfo Session::run_with(Edits edits) {
  edits_.swap(edits);
  try {
    return run_again();
  } catch (...) {
    edits_.swap(edits);
    throw;
  }
}

void Session::require_possible(const ValueEdit& edit) {
  const auto& [name, index, value] = edit;
  editable(name, index);
  if (!(std::abs(value) <= max_abs_input) && value != -INFINITY)
    fail(ErrorCode::input, "edited_value_too_large", value_at(tape_, name, index), value, max_abs_input);
}

Reply<RunInfo> Session::edit(const std::string& name, int index, float value) {
  return attempt("edit", [&] {
    require_possible({name, index, value});
    Edits edits = edits_;
    set_edit(edits, name, static_cast<std::size_t>(index), value);
    return run_with(std::move(edits));
  });
}

Reply<RunInfo> Session::undo_edit(const std::string& name, int index) {
  return attempt("undoEdit", [&] {
    require_model();
    Edits edits = edits_;
    const auto list = edits.find(name);
    if (list == edits.end() ||
        std::erase_if(list->second, [&](const Edit& edit) { return static_cast<int>(edit.index) == index; }) == 0)
      fail(ErrorCode::input, "no_edit_to_undo", value_at(tape_, name, index));
    if (list->second.empty()) edits.erase(list);
    return run_with(std::move(edits));
  });
}

Reply<RunInfo> Session::set_edits(const std::vector<ValueEdit>& list) {
  return attempt("setEdits", [&] {
    require_model();
    Edits edits;
    for (const ValueEdit& each : list) {
      if (!in_force(edits_, each)) require_possible(each);
      set_edit(edits, each.name, static_cast<std::size_t>(each.index), each.value);
    }
    return run_with(std::move(edits));
  });
}

double Session::loss_with(const Edits& edits) const {
  Tape tape(Tape::Detail::trace, &edits, intervener());
  RecordingGuard recording(&tape);
  const Rollback replaced(intervene_in(model_->parameters(), intervener()));
  const Rollback edited(edit_parameters(model_->parameters(), edits));
  const Rollback sampled(sample_as_in_next_step());
  return static_cast<double>(model_->loss().item());
}

Reply<GradientCheck> Session::check_gradient(const std::string& name, int index) {
  return attempt("checkGradient", [&] {
    const Node& found = tape_.nodes()[editable(name, index)];
    if (!found.gradient) fail(ErrorCode::input, "no_gradient_reaches", name);
    const double x = static_cast<double>(found.value.data()[index]);
    if (!std::isfinite(x)) fail(ErrorCode::input, "value_without_neighbours", value_at(tape_, name, index), x);
    const auto loss_at = [&](double value) {
      Edits edits = edits_;
      set_edit(edits, name, static_cast<std::size_t>(index), static_cast<Scalar>(value));
      return loss_with(edits);
    };
    GradientCheck result;
    result.analytic = static_cast<double>(found.gradient.data()[index]);
    result.numeric = finite_difference(loss_at, x);
    result.difference = std::abs(result.analytic - result.numeric);
    return result;
  });
}

TrainInfo Session::take_steps(int steps) {
  TrainInfo result;
  for (int i = 0; i < steps; ++i) {
    const TrainingStep step = take_step();
    result.loss = step.loss;
    result.accuracy = step.accuracy;
    result.examples += step.examples;
    result.tokens += step.tokens;
  }
  result.step = trainer_->optimiser().steps;
  return result;
}

Reply<TrainInfo> Session::train(int steps) {
  return attempt("train", [&] {
    require_model();
    if (steps < 1 || steps > 100000) fail(ErrorCode::input, "steps_out_of_range", steps);
    // A single step that is refused changes nothing by itself.
    Rollback before(steps > 1 ? training_state(*model_, trainer_->optimiser()) : Undo());
    const Rollback inputs(inputs_of(*model_));  // the batches of a task replace them
    stale_ = has_trace();  // the trace shares parameters and optimiser state, which change in place
    const TrainInfo result = take_steps(steps);
    before.keep();
    stale_ = true;
    return result;
  });
}

Reply<std::vector<std::uint8_t>> Session::save() const {
  return attempt("save", [&] {
    require_model();
    return save_checkpoint(*model_, trainer_->optimiser());
  });
}

Reply<ModelInfo> Session::restore(const std::vector<std::uint8_t>& bytes) {
  return attempt("restore", [&] {
    require_model();
    restore_checkpoint(bytes, *model_, trainer_->optimiser());
    stale_ = true;
    return info();
  });
}

}  // namespace unroll
