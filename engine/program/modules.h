// The modules of a program: instances of classes derived from nn.Module, and what they keep.
#pragma once

#include <string>
#include <vector>

#include "engine/program/objects.h"

namespace unroll::program {

class Interpreter;

bool is_module(const ClassBody& type);
inline bool is_module(const InstanceBody& instance) { return is_module(*instance.type); }

// A parameter or a buffer, by its path from the outermost module: "transformer.h.0.attn.c_attn.weight".
struct ModuleTensor {
  std::string path;
  Value::Tensors tensor;
};

// All that are reached from the variables of a program, each once, in the order of PyTorch's named_parameters: those of
// a module, then those of its modules. If one module contains all others, paths begin below it, else with the name of
// its variable. Each module learns its own path.
std::vector<ModuleTensor> parameters_of(const Interpreter& interpreter);
// The same, each under all of its paths: what is tied has several.
std::vector<ModuleTensor> parameters_by_all_paths(const Interpreter& interpreter);
// Other tensors that modules keep.
std::vector<ModuleTensor> buffers_of(const Interpreter& interpreter);

// The outermost modules, with the names of their variables, in the order in which they were made. Those without any
// tensor, such as a loss, count only if all are.
std::vector<std::pair<std::string, Instance>> models_of(const Interpreter& interpreter);

}  // namespace unroll::program
