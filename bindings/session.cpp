#include "bindings/session.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/backward.h"
#include "engine/train/checkpoint.h"

namespace unroll {
namespace {

// Parameters are shared with the layers that use them, so an edit of one is written into it for the time of a run.
class ParameterEdits {
 public:
  ParameterEdits(const Parameters& parameters, const Edits& edits) {
    for (const Parameter& parameter : parameters.all())
      if (const auto found = edits.find(parameter.name); found != edits.end()) write(parameter.value, found->second);
  }
  ~ParameterEdits() {
    for (const auto& [tensor, before] : saved_) std::ranges::copy(before.values(), tensor.data());
  }
  ParameterEdits(const ParameterEdits&) = delete;

 private:
  void write(const Tensor& tensor, const std::vector<Edit>& edits) {
    saved_.emplace_back(tensor, tensor.copy());
    for (const Edit& edit : edits)
      if (edit.index < tensor.size()) tensor.data()[edit.index] = edit.value;
  }

  std::vector<std::pair<Tensor, Tensor>> saved_;
};

std::vector<int> sizes(const Shape& shape) { return {shape.begin(), shape.end()}; }

std::vector<float> floats(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::leaf:
      return "leaf";
    case Phase::forward:
      return "forward";
    default:
      return "backward";
  }
}

const char* name_of(Role role) {
  switch (role) {
    case Role::input:
      return "input";
    case Role::parameter:
      return "parameter";
    case Role::state:
      return "state";
    case Role::score:
      return "score";
    case Role::weight:
      return "weight";
    default:
      return "gradient";
  }
}

TraceNode describe(const Tape& tape, int id) {
  const Node& node = tape.nodes()[id];
  TraceNode result{.id = id,
                   .name = node.name,
                   .op = node.op.name,
                   .rule = node.op.rule_text(),
                   .formula = node.op.formula,
                   .role = name_of(node.role),
                   .phase = name_of(node.phase),
                   .shape = sizes(node.value.shape()),
                   .inputs = {},
                   .scope = node.scope,
                   .file = node.where.file_name(),
                   .line = static_cast<int>(node.where.line()),
                   .origin = node.origin,
                   .gradient = node.gradient ? tape.find(node.gradient) : -1,
                   .edited = node.edited};
  for (int i = 0; i < node.edges; ++i) result.inputs.push_back(tape.edge(node, i).node);
  return result;
}

TraceScope describe(const ScopeRecord& scope, int id) {
  return {.id = id,
          .name = scope.path,
          .parent = scope.parent,
          .file = scope.where.file_name(),
          .line = static_cast<int>(scope.where.line()),
          .first = scope.first,
          .last = scope.last,
          .phase = name_of(scope.phase)};
}

// ∂f by values on both sides, exact up to the fourth power of the step.
double four_point_difference(const std::function<double(double)>& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

void set_edit(Edits& edits, const std::string& name, std::size_t index, Scalar value) {
  std::vector<Edit>& list = edits[name];
  const auto found = std::ranges::find(list, index, &Edit::index);
  if (found != list.end())
    found->value = value;
  else
    list.push_back({index, value});
}

}  // namespace

void Session::require_model() const {
  if (!model_) fail(ErrorCode::input, "No model is loaded: call load first.");
}

const Node& Session::node(int id) const {
  require_model();
  const int count = static_cast<int>(tape_.nodes().size());
  if (id < 0 || id >= count) fail(ErrorCode::input, "id is ", id, ": this trace has nodes 0 to ", count - 1, ".");
  return tape_.nodes()[id];
}

ModelInfo Session::info() const {
  ModelInfo result{.kind = kind_, .seed = seed_, .inputs = {}, .parameters = {}};
  for (const ModelInput& input : model_->inputs()) result.inputs.push_back({input.name, sizes(input.value.shape())});
  for (const Parameter& parameter : model_->parameters().all())
    result.parameters.push_back({parameter.name, sizes(parameter.value.shape())});
  return result;
}

Reply<ModelInfo> Session::load(const Config& config) {
  return attempt("load", [&] {
    std::unique_ptr<Model> model = make_model(config);
    std::unique_ptr<Trainer> trainer = std::make_unique<Trainer>(*model, config);
    config.refuse_unknown();
    tape_.clear();
    edits_.clear();
    trainer_ = std::move(trainer);
    model_ = std::move(model);
    kind_ = config.text("kind", "attention", model_kinds());
    seed_ = static_cast<double>(config.seed());
    return info();
  });
}

RunInfo Session::run_again() {
  tape_.clear();
  Recording recording(&tape_);
  ParameterEdits edited(model_->parameters(), edits_);
  const Tensor loss = model_->loss();
  backward(loss);
  RunInfo result{.loss = static_cast<double>(loss.item()), .output = tape_.find(model_->output())};
  for (const Node& node : tape_.nodes()) {
    result.forward += node.phase == Phase::forward;
    result.backward += node.phase == Phase::backward;
  }
  return result;
}

Reply<RunInfo> Session::run(const std::vector<NamedTensor>& inputs) {
  return attempt("run", [&] {
    require_model();
    const std::vector<ModelInput> before = model_->inputs();
    try {
      for (const NamedTensor& input : inputs)
        model_->set_input(input.name,
                          Tensor(Shape(input.shape), std::vector<Scalar>(input.values.begin(), input.values.end())));
    } catch (...) {
      for (const ModelInput& input : before) model_->set_input(input.name, input.value);
      throw;
    }
    return run_again();
  });
}

Reply<Trace> Session::trace() const {
  return attempt("trace", [&] {
    require_model();
    Trace result;
    for (int id = 0; id < static_cast<int>(tape_.nodes().size()); ++id) result.nodes.push_back(describe(tape_, id));
    for (int id = 0; id < static_cast<int>(tape_.scopes().size()); ++id)
      result.scopes.push_back(describe(tape_.scopes()[id], id));
    return result;
  });
}

Reply<std::vector<float>> Session::values(int id) const {
  return attempt("values", [&] { return floats(node(id).value); });
}

Reply<std::vector<float>> Session::gradients(int id) const {
  return attempt("gradients", [&] {
    const Node& found = node(id);
    if (!found.gradient)
      fail(ErrorCode::input, "No gradient reaches ", found.name, ": choose a tensor that the loss depends on.");
    return floats(found.gradient);
  });
}

int Session::editable(const std::string& name, int index) const {
  require_model();
  const int id = tape_.find(name);
  if (id < 0)
    fail(ErrorCode::input, "name is \"", name,
         "\", which is not in this trace: run the model and choose a name of the trace.");
  const Node& found = tape_.nodes()[id];
  if (found.phase == Phase::backward)
    fail(ErrorCode::input, "\"", name, "\" is a gradient: edit a value of the forward pass instead.");
  if (index < 0 || static_cast<std::size_t>(index) >= found.value.size())
    fail(ErrorCode::input, "index is ", index, ": ", name, " has values 0 to ", found.value.size() - 1, ".");
  return id;
}

Reply<RunInfo> Session::edit(const std::string& name, int index, float value) {
  return attempt("edit", [&] {
    editable(name, index);
    if (std::isnan(value) || std::abs(value) > 1e6f)
      if (!(std::isinf(value) && value < 0))
        fail(ErrorCode::input, name, " at position ", index, " is ", value,
             ": use a number from −1000000 to 1000000, or −∞.");
    const Edits before = edits_;
    set_edit(edits_, name, static_cast<std::size_t>(index), value);
    try {
      return run_again();
    } catch (...) {
      edits_ = before;
      run_again();
      throw;
    }
  });
}

Reply<RunInfo> Session::undo_edit(const std::string& name, int index) {
  return attempt("undoEdit", [&] {
    require_model();
    const auto list = edits_.find(name);
    if (list == edits_.end() ||
        std::erase_if(list->second, [&](const Edit& edit) { return static_cast<int>(edit.index) == index; }) == 0)
      fail(ErrorCode::input, name, " at position ", index, " has no edit to undo.");
    if (list->second.empty()) edits_.erase(list);
    return run_again();
  });
}

double Session::loss_with(const Edits& edits) const {
  Tape tape(Tape::Detail::trace, &edits);
  Recording recording(&tape);
  ParameterEdits edited(model_->parameters(), edits);
  return static_cast<double>(model_->loss().item());
}

Reply<GradientCheck> Session::check_gradient(const std::string& name, int index) {
  return attempt("checkGradient", [&] {
    const Node& found = tape_.nodes()[editable(name, index)];
    if (!found.gradient)
      fail(ErrorCode::input, "No gradient reaches ", name, ": choose a tensor that the loss depends on.");
    const double x = static_cast<double>(found.value.data()[index]);
    const auto loss_at = [&](double value) {
      Edits edits = edits_;
      set_edit(edits, name, static_cast<std::size_t>(index), static_cast<Scalar>(value));
      return loss_with(edits);
    };
    GradientCheck result;
    result.analytic = static_cast<double>(found.gradient.data()[index]);
    result.numeric = four_point_difference(loss_at, x, 1.0 / 32 * std::max(1.0, std::abs(x)));
    result.difference = std::abs(result.analytic - result.numeric);
    return result;
  });
}

Reply<TrainInfo> Session::train(int steps) {
  return attempt("train", [&] {
    require_model();
    if (steps < 1 || steps > 100000) fail(ErrorCode::input, "steps is ", steps, ": use 1 to 100000.");
    TrainInfo result;
    for (int i = 0; i < steps; ++i) result.loss = trainer_->step();
    result.step = trainer_->optimiser().steps;
    run_again();
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
    run_again();
    return info();
  });
}

}  // namespace unroll
