// activation, softmax.
#include "engine/ops/ops.h"
#include "tests/conform/forwards.h"

namespace unroll::conform {
namespace {

const std::map<std::string, Tensor (*)(const Operand&, const Arguments*)> functions = {
    {"relu", [](const Operand& x, const Arguments*) { return relu(x); }},
    {"tanh", [](const Operand& x, const Arguments*) { return tanh(x); }},
    {"sigmoid", [](const Operand& x, const Arguments*) { return sigmoid(x); }},
    {"gelu", [](const Operand& x, const Arguments*) { return gelu(x); }},
    {"gelu_exact", [](const Operand& x, const Arguments*) { return gelu(x); }},
    {"gelu_tanh", [](const Operand& x, const Arguments*) { return gelu_tanh(x); }},
    {"silu", [](const Operand& x, const Arguments*) { return silu(x); }},
    {"elu", [](const Operand& x, const Arguments* a) { return elu(x, a ? a->option("alpha", 1.0) : 1.0); }},
    {"softplus", [](const Operand& x, const Arguments*) { return softplus(x); }},
    {"exp", [](const Operand& x, const Arguments*) { return exp(x); }},
    {"log", [](const Operand& x, const Arguments*) { return log(x); }},
    {"erf", [](const Operand& x, const Arguments*) { return erf(x); }},
    {"identity", [](const Operand& x, const Arguments*) { return x * 1; }},
};

Tensor activate_with(const std::string& name, const Operand& x, const Arguments* arguments) {
  const auto function = functions.find(name);
  if (function == functions.end()) throw Skip("the engine has no activation \"" + name + "\" yet");
  return function->second(x, arguments);
}

}  // namespace

Tensor activate(const std::string& name, Operand x) { return activate_with(name, x, nullptr); }

Results activation(const Arguments& arguments) {
  const std::string name = arguments.option<std::string>("activation", "");
  return {{"y", activate_with(name, arguments.input("x"), &arguments)}};
}

Results softmaxes(const Arguments& arguments) {
  const Tensor x = arguments.input("x");
  const int axis = arguments.option("axis", -1);
  return {{"softmax", softmax(x, axis)}, {"log_softmax", log_softmax(x, axis)}, {"logsumexp", logsumexp(x, axis)}};
}

}  // namespace unroll::conform
