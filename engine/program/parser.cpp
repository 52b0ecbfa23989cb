// The tokens of the parser, and the whole of a program.
#include "engine/program/parser.h"

namespace unroll::program {

using namespace std::literals;

Block Parser::program() {
  Block all;
  while (!next_is(TokenKind::end)) statement(all);
  for (const auto& [symbol, place] : file_.free_variables)
    fail_at(place, "nonlocal_without_variable", program_.names[symbol]);
  return all;
}

bool Parser::take_if(std::string_view text) {
  if (!next_is(text)) return false;
  take();
  return true;
}

Place Parser::expect(std::string_view text, const MessageArgument& what) {
  if (!next_is(text)) fail_at(next().place, "sign_missing", what, text);
  return take().place;
}

std::string Parser::word(const MessageArgument& what) {
  if (next_is(TokenKind::keyword)) fail_at(next().place, "name_is_reserved", next().text);
  if (!next_is(TokenKind::name)) fail_at(next().place, "name_missing", what);
  return take().text;
}

std::string Parser::mangled(const std::string& name) const {
  const bool is_private = !class_name_.empty() && name.starts_with("__") && !name.ends_with("__");
  return is_private ? "_" + class_name_ + name : name;
}

void Parser::refuse() const {
  const Token& token = next();
  if (next_is(TokenKind::end) || next_is(TokenKind::newline)) fail_at(token.place, "line_ends_early");
  if (next_is(TokenKind::indent)) fail_at(token.place, "line_is_indented");
  if (next_is(TokenKind::dedent)) fail_at(token.place, "block_ends_early");
  fail_at(token.place, "sign_out_of_place", token.text);
}

std::unique_ptr<const Program> parse(std::string_view text, const char* file) {
  if (text.size() > max_program_bytes) fail(ErrorCode::program, "program_too_long", text.size(), max_program_bytes);
  auto program = std::make_unique<Program>();
  program->file = file;
  std::vector<Token> tokens = tokens_of(text);
  for (Token& each : tokens) each.place.file = file;
  program->body = Parser(std::move(tokens), *program).program();
  return program;
}

const Function* Program::last_function() const {
  for (auto each = body.rbegin(); each != body.rend(); ++each)
    if (const auto* definition = std::get_if<Define>(&each->node)) return definition->function.get();
  return nullptr;
}

std::optional<Symbol> Names::find(const std::string& name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? std::nullopt : std::optional(found->second);
}

Symbol Names::symbol_of(const std::string& name) {
  const auto [found, is_new] = symbols_.try_emplace(name, static_cast<Symbol>(all_.size()));
  if (is_new) all_.push_back(name);
  return found->second;
}

}  // namespace unroll::program
