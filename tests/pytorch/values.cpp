// Runs programs, for values_against_python.py. Each comes as a line with its number of bytes, and then its text; the
// answer has the same form: what the last function returns, as repr writes it, or "refused: " and the sentence.
#include <iostream>

#include "engine/program/formatting.h"
#include "engine/program/interpreter.h"
#include "engine/tensor/error.h"

namespace {

using namespace unroll;

std::string answer_to(const std::string& text) {
  try {
    const auto parsed = program::parse(text);
    program::Interpreter interpreter(*parsed, {});
    interpreter.run();
    const program::Function* last = parsed->last_function();
    if (!last) return "refused: there is no function";
    const program::Value result = interpreter.run(*interpreter.global(last->name), {});
    return program::repr_of(interpreter, result, {});
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
}

}  // namespace

int main() {
  for (std::string size; std::getline(std::cin, size);) {
    std::string text(std::stoul(size), '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    const std::string answer = answer_to(text);
    std::cout << answer.size() << '\n' << answer << std::flush;
  }
}
