// Types as values: int, list, torch.Tensor and the classes of a program.
#pragma once

#include <string>

#include "engine/program/value.h"

namespace unroll::program {

class Interpreter;

// Whether a value is a class of the program, or a function that serves as a type: int, torch.Tensor.
bool is_type(const Value& value);
// isinstance(value, type), where type may be several in a tuple. Throws Error(program) for what is no type.
bool is_instance(Interpreter& interpreter, const Value& value, const Value& type, const Place& place);
// type(value).
Value type_of_value(const Value& value);
// As Python names it: "int", "Tensor", "NoneType", or the name of the class.
std::string name_of_type(const Value& value);

// The value of a field of a dataclass that is not given: `attribute` is what its class body assigned to it, which may
// be field(default_factory=…). Nothing if field(…) gave it no value.
std::optional<Value> default_of_field(Interpreter& interpreter, const Value& attribute, const Place& place);

}  // namespace unroll::program
