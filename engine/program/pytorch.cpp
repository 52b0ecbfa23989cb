#include "engine/program/pytorch.h"

#include <cmath>
#include <limits>
#include <set>

#include "engine/program/arithmetic.h"
#include "engine/program/script_prelude.h"
#include "engine/program/script_text.h"
#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

// The tensors of a program's modules, by their names in state_dict.
constexpr char weights[] = R"py(
def _named(name):
    *path, last = name.split(".")
    if not path and last in _globals: return _globals[last]
    at = _models[path.pop(0)] if _builtins.len(_models) > 1 else [*_models.values()][0]
    for each in path: at = _builtins.getattr(at, each)
    return _builtins.getattr(at, last)
def _fill(values):
    for name, value in values.items():
        tensor = _named(name)
        if _builtins.isinstance(tensor, _torch.nn.parameter.UninitializedTensorMixin): tensor.materialize(value.shape)
        tensor.data.copy_(value.detach())
_fill(_weights)
_fill(_buffers)
for _model in _models.values(): _model.eval()
)py";

constexpr char run[] = R"py(
_items = (_builtins.list, _builtins.tuple, _builtins.range)
def _first(value): return _first(value[0]) if _builtins.isinstance(value, _items) else value
def _as_json(value):
    if _builtins.isinstance(value, _items): return [_as_json(each) for each in value]
    if not _is_tensor(value): return value
    return {"shape": _builtins.list(value.shape), "data": [_builtins.float(x) for x in value.detach().flatten()]}

_result = _function(**_inputs)
_output = _tensor(_first(_result))
)py";

// When a script is pasted, the editor of the page takes the text between these lines.
constexpr char program_begins[] = "# ---- program ----\n";
constexpr char program_ends[] = "\n# ---- end of program ----\n";

constexpr char sum_loss[] = "_loss = _output.sum()\n";
constexpr char leaves[] = R"py(_leaf_tensors = {**_inputs, **_parameters}
)py";
constexpr char leaves_of_modules[] =
    R"py(_leaf_tensors = {**_inputs, **_parameters, **{name: _named(name) for name in _weights}}
)py";

constexpr char print[] = R"py(if _loss.requires_grad: _loss.backward()
_gradients = {name: _as_json(x.grad) for name, x in _leaf_tensors.items() if _is_tensor(x) and x.requires_grad}
_builtins.print(_json.dumps({"result": _as_json(_result), "loss": _builtins.float(_loss), "gradients": _gradients}))
)py";

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n' || c == '\t')
      quoted += c == '\n' ? "\\n" : "\\t";
    else
      quoted += c;
  }
  return quoted + '"';
}

// With as many digits as it takes to read the same number again.
std::string literal(Scalar number) {
  if (!std::isfinite(number)) return std::isnan(number) ? "_math.nan" : number > 0 ? "_math.inf" : "-_math.inf";
  if (number == 0 && std::signbit(number)) return "-0.0";  // -0 is 0
  return general_text(static_cast<double>(number), std::numeric_limits<Scalar>::max_digits10);
}

std::string python(const TypedTensor& x) {
  std::string data, shape;
  for (const Scalar each : x.tensor.values()) data += literal(each) + ", ";
  for (const int size : x.tensor.shape()) shape += std::to_string(size) + ", ";
  constexpr const char* types[] = {"_torch.float32", "_torch.int64", "_torch.bool"};
  const std::string type = types[static_cast<int>(x.type)];
  return "_torch.tensor([" + data + "], dtype=" + type + ").reshape((" + shape + "))" +
         (x.type == Type::real ? ".requires_grad_()" : "");
}

std::string python(const Value& value) {
  if (const auto* x = value.as<TypedTensor>()) return python(*x);
  if (const auto* text = value.as<std::string>()) return quoted(*text);
  if (is_whole(value)) return value.is<bool>() ? (whole_of(value) ? "True" : "False") : std::to_string(whole_of(value));
  if (is_number(value) && std::isfinite(number_of(value))) return python_text(number_of(value));  // 5.0, not 5
  if (is_number(value))
    return std::isnan(number_of(value)) ? "_math.nan" : number_of(value) > 0 ? "_math.inf" : "-_math.inf";
  return "None";
}

std::string dictionary(const char* name, const NamedValues& values) {
  std::string text = std::string(name) + " = {\n";
  for (const auto& [key, value] : values) text += "    " + quoted(key) + ": " + python(value) + ",\n";
  return text + "}\n";
}

std::string values_of_models(const RecordedCall& call) {
  if (call.models.empty() && call.weights.empty()) return "";
  std::string models;
  for (const std::string& each : call.models) models += quoted(each) + ": " + each + ", ";
  return dictionary("_weights", call.weights) + dictionary("_buffers", call.buffers) + "_models = {" + models +
         "}\n_globals = {name: x for name, x in _builtins.globals().items() if name in _weights}\n" + weights;
}

std::string loss_of(const RecordedCall& call) {
  if (!call.target) return sum_loss;
  return "_target = " + python(TypedTensor{*call.target, Type::integer}) +
         "\n_loss = _F.cross_entropy(_output.flatten(0, 1), _target.flatten(), ignore_index=" +
         std::to_string(call.ignored) + ")\n";
}

// The names of the script's own, which no variable of the program may have.
std::set<std::string> own_names() {
  std::set<std::string> all = private_names_of_prelude();
  const std::string text =
      std::string(weights) + run + leaves + leaves_of_modules + print + "_function = _loss = _target = _globals\n";
  all.merge(private_names_in(text));
  return all;
}

}  // namespace

std::string pytorch_script(const RecordedCall& call) {
  std::string constants;
  std::set<std::string> names_of_constants;
  for (const auto& [name, value] : call.constants) {
    constants += name + " = " + python(value) + "\n";
    names_of_constants.insert(name);
  }
  const std::set<std::string> own = own_names();
  const ScriptText program =
      text_for_script(call.text, {names_of_constants, own, defines_in_script}, dictionary_function);
  const bool has_modules = !call.models.empty() || !call.weights.empty();
  return prelude_for(program.needs) + constants + dictionary("_parameters", call.parameters) +
         "def parameter(name, shape, init=\"xavier\"): return _parameters[name]\n\n" + program_begins + program.text +
         program_ends + dictionary("_inputs", call.arguments) + values_of_models(call) +
         "_function = " + call.function + "\n" + run + loss_of(call) + (has_modules ? leaves_of_modules : leaves) +
         print;
}

}  // namespace unroll::program
