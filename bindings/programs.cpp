#include "bindings/programs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "engine/autograd/tape.h"
#include "engine/io/checkpoint.h"
#include "engine/models/model.h"
#include "engine/models/program/learner_program.h"
#include "engine/program/interpreter.h"
#include "engine/program/joining.h"
#include "engine/program/library.h"
#include "engine/program/paste.h"
#include "engine/program/syntax.h"
#include "engine/tensor/error.h"
#include "engine/train/trainer.h"

namespace unroll {
namespace {

bool in_program(const CallSite& where) { return std::string_view(where.file) == program::program_file; }

// Whether the program itself recorded something in it: then it is a call of one of the program's functions.
bool is_of_program(const ScopeRecord& scope, const Tape& tape) {
  for (int i = scope.first; i <= scope.last; ++i)
    if (in_program(tape.nodes()[i].where)) return true;
  return false;
}

// The nodes that the program made, up to `end`; if a mistake ended it, the calls around that are unfinished.
struct Run {
  const Tape& tape;
  int end;
  bool finished;
};

// A call has the shape of what it returned.
std::vector<LineShape> line_shapes(const Run& run) {
  const std::vector<Node>& nodes = run.tape.nodes();
  std::map<int, int> last;  // node of each line
  const auto note = [&](const CallSite& where, int node) {
    if (in_program(where)) last[where.line] = std::max(last[where.line], node);
  };
  for (int i = 0; i < run.end; ++i)
    if (nodes[i].phase == Phase::forward) note(nodes[i].where, i);
  for (const ScopeRecord& scope : run.tape.scopes()) {
    const bool unfinished = !run.finished && scope.last == run.end - 1 && is_of_program(scope, run.tape);
    if (scope.last >= scope.first && !unfinished) note(scope.where, scope.last);
  }
  std::vector<LineShape> shapes;
  for (const auto& [line, node] : last) {
    const Shape& shape = nodes[node].value.shape();
    shapes.push_back({line, {shape.begin(), shape.end()}});
  }
  return shapes;
}

// A model, trained as far as the checkpoint, if there is any.
struct TrainedModel {
  explicit TrainedModel(const Config& config) : model(make_model(config)), trainer(*model, config) {}

  std::unique_ptr<Model> model;
  Trainer trainer;
};

Tensor tensor_of(const NamedTensor& given) {
  return {Shape(given.shape), std::vector<Scalar>(given.values.begin(), given.values.end())};
}

Calculated calculated(const program::Value& value, const program::Place& place) {
  if (program::is_number(value)) return {{}, {static_cast<float>(program::number_of(value))}, value.is<bool>()};
  const auto* typed = value.as<program::TypedTensor>();
  if (!typed) program::fail_at(place, "neither_number_nor_tensor", program::described(value));
  const Shape& shape = typed->tensor.shape();
  const std::span<const Scalar> values = typed->tensor.values();
  return {{shape.begin(), shape.end()}, {values.begin(), values.end()}, typed->type == program::Type::boolean};
}

}  // namespace

Reply<Outline> outline(const Config& config) {
  return attempt("outline", [&] {
    Tape tape(Tape::Detail::trace);
    const RecordingGuard recording(&tape);
    Outline result;
    std::optional<int> end;
    try {
      const std::unique_ptr<Model> model = make_model(config);
      const Tensor loss = model->loss();
      const int output = tape.find(model->output());  // none if it is a plain number
      end = output < 0 ? tape.find(loss) : output + 1;
    } catch (...) {
      result.mistake = current_failure();
    }
    result.lines = line_shapes({tape, end.value_or(static_cast<int>(tape.nodes().size())), end.has_value()});
    return result;
  });
}

Reply<std::vector<OperationInfo>> operations() {
  return attempt("operations", [] {
    std::vector<OperationInfo> all;
    const auto add = [&](const program::Builtin& each, bool is_method) {
      all.push_back({std::string(each.name), std::string(each.parameters), each.help, is_method});
    };
    for (const auto& [name, each] : program::functions()) add(*each, false);
    for (const auto& [name, each] : program::methods()) add(*each, true);
    return all;
  });
}

Reply<PastedFile> read_paste(const std::string& text) {
  return attempt("readPaste", [&] {
    program::Pasted pasted = program::read_paste(text);
    PastedFile file{.text = std::move(pasted.text), .left_out = {}, .joinings = {}, .makes_model = pasted.makes_model};
    for (program::LeftOut& each : pasted.left_out)
      file.left_out.push_back({each.first, each.last, std::move(each.reason)});
    for (program::Joining& each : program::joinings_of(*program::parse(file.text)))
      file.joinings.push_back({std::move(each.model), std::move(each.text), each.takes_pairs});
    return file;
  });
}

Reply<Calculated> calculate(const std::string& text, const std::vector<NamedTensor>& tensors) {
  return attempt("calculate", [&] {
    const auto program = program::parse(text);
    const program::Function* function = program->last_function();
    if (!function) fail(ErrorCode::program, "program_has_no_function");
    program::Interpreter::Options options;
    for (const NamedTensor& each : tensors)
      options.constants.emplace(each.name, program::TypedTensor{.tensor = tensor_of(each), .is_given = true});
    program::Interpreter interpreter(*program, options);
    interpreter.run();
    return calculated(interpreter.run(*interpreter.global(function->name), {}), function->place);
  });
}

Reply<CarriedWeights> carry_over_weights(const Config& config, const std::vector<std::uint8_t>& checkpoint) {
  return attempt("carryOver", [&] {
    TrainedModel fresh(config);
    const auto [kept, drawn, dropped] = carry_over(checkpoint, *fresh.model, fresh.trainer.optimiser());
    return CarriedWeights{save_checkpoint(*fresh.model, fresh.trainer.optimiser()), kept, drawn, dropped};
  });
}

Reply<std::string> pytorch_script(const Config& config, const std::vector<std::uint8_t>& checkpoint,
                                  const std::vector<NamedTensor>& inputs) {
  return attempt("pytorchScript", [&] {
    TrainedModel fresh(config);
    const LearnerModel* learners = fresh.model->learners();
    if (!learners) fail(ErrorCode::config, "model_has_no_script");
    if (!checkpoint.empty()) restore_checkpoint(checkpoint, *fresh.model, fresh.trainer.optimiser());
    for (const NamedTensor& input : inputs) fresh.model->set_input(input.name, tensor_of(input));
    return learners->pytorch();
  });
}

}  // namespace unroll
