// Parses programs, for parser_against_python.py. Each comes as a line with its number of bytes, and then its text; the
// answer has the same form: the tree, or "refused: " and the sentence.
#include <iostream>

#include "engine/tensor/error.h"
#include "tests/engine/support/tree_text.h"

namespace {

std::string answer_to(const std::string& text) {
  try {
    return unroll::tree_of(text);
  } catch (const unroll::Error& error) {
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
