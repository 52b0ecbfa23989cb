// Operators between values, by the rules of Python for numbers and of PyTorch for tensors.
#pragma once

#include "engine/program/interpreter.h"

namespace unroll::program {

// An operation between two expressions, for its messages.
struct Between {
  Place place;
  const Expression &left, &right;
};

Value combine(Interpreter& interpreter, Operator operation, const Value& left, const Value& right, const Between& at);
Value compare(Interpreter& interpreter, Relation relation, const Value& left, const Value& right, const Between& at);
Value negative(Interpreter& interpreter, const Value& value, const Place& place);
// ~x
Value inverted(Interpreter& interpreter, const Value& value, const Place& place);
// & | ^ << >> of numbers and tensors whose sizes fit.
Value combine_bits(Interpreter& interpreter, Operator operation, const Value& left, const Value& right,
                   const Between& at);
// "+", "**"
std::string_view symbol_of(Operator operation);

// The same between the numbers of Python, bool, int and float, with the same bits everywhere: the standard library's
// pow is not. Throws Error(program) for a division by 0 and a whole number beyond 2⁶³. Comparisons are exact.
Value combine_numbers(Operator operation, const Value& left, const Value& right, const Place& place);
bool compare_numbers(Relation relation, const Value& left, const Value& right);
// As Python writes it: 2.0, 1e-05, 0.1, inf.
std::string python_text(double number);

// The type of a result of both: float if one is, else int if one is, else bool.
Type common_type(const Value& left, const Value& right);

// The result of an operation, counted and checked.
Value result_of(Interpreter& interpreter, Tensor tensor, Type type, const Place& place);

// An operand in a message: "Q", "scores(…)" or, of what has no short name, "this".
Message operand_name(const std::string& spelled);

CallSite site_of(const Place& place);
Operand operand_of(const Value& value, const Place& place);

// The axis, counted from the last as −1, along which the sizes are neither equal nor 1; 0 if there is none.
int clash_of(const Shape& a, const Shape& b);

}  // namespace unroll::program
