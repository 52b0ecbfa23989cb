// Values as texts, as Python writes them.
#pragma once

#include <string>
#include <string_view>

#include "engine/program/dictionary.h"
#include "engine/program/value.h"

namespace unroll::program {

class Interpreter;

// str(value) and repr(value). Counts the letters.
std::string text_of(Interpreter& interpreter, const Value& value, const Place& place);
std::string repr_of(Interpreter& interpreter, const Value& value, const Place& place);

// format(value, spec), as in f"{value:spec}".
std::string formatted(Interpreter& interpreter, const Value& value, std::string_view spec, const Place& place);
// form % arguments.
std::string percent_formatted(Interpreter& interpreter, const std::string& form, const Value& arguments,
                              const Place& place);
// form.format(*values, **named).
std::string brace_formatted(Interpreter& interpreter, const std::string& form, const std::vector<Value>& values,
                            const Dictionary& named, const Place& place);

// "tensor([[1., 2.]])", as PyTorch writes it.
std::string tensor_text(const TypedTensor& tensor);

// A text between quotes, as Python writes it.
std::string quoted(const std::string& text);

// Not bytes: UTF-8 has up to four for a character, all but the first from 10000000 to 10111111.
std::size_t characters_in(std::string_view text);

}  // namespace unroll::program
