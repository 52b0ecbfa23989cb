// The parser of a program: one class, whose parts are in parser.cpp (tokens), expression_parser.cpp (operators, calls),
// display_parser.cpp (what stands in brackets), text_parser.cpp, statement_parser.cpp, block_parser.cpp and
// definition_parser.cpp (functions, classes, scopes).
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/program/lexer.h"
#include "engine/program/literals.h"
#include "engine/program/syntax.h"

namespace unroll::program {

class Parser {
 public:
  Parser(std::vector<Token> tokens, Program& program) : tokens_(std::move(tokens)), program_(program) {}

  Block program();

 private:
  // Counts how deep the parser is in brackets, blocks and operators, so that no text can exhaust the stack.
  class Level;
  // An operand: the tree above it is higher than each of its operands, and not than their sum.
  class Height;
  // Parses other tokens for a while: those within a formatted text.
  class Within;

  // A function, lambda, class or file that is being parsed.
  struct Frame {
    enum class Kind { file, function, type };
    struct Declaration {
      Place place;
      bool is_global;
    };
    Kind kind = Kind::file;
    Frame* around = nullptr;
    bool is_async = false;
    int loops = 0;                                           // around this statement
    std::optional<Place> first_yield{};                      // of a function
    std::map<Symbol, Declaration> declared{};                // global x, nonlocal x
    std::vector<std::pair<Symbol, Place>> free_variables{};  // nonlocal ones of what is within
  };

  struct CallArguments {
    std::vector<Argument> all{};
    std::unordered_set<std::string> names{};
    bool has_entries = false;  // **x
  };

  // Reads a formatted text.
  struct Cursor;
  struct TextParts;

  // --- tokens: parser.cpp

  const Token& next() const { return tokens_[at_]; }
  const Token& after_next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  static bool is_sign(const Token& token, std::string_view text) {
    return (token.kind == TokenKind::keyword || token.kind == TokenKind::symbol) && token.text == text;
  }
  bool next_is(TokenKind kind) const { return next().kind == kind; }
  // A keyword or symbol.
  bool next_is(std::string_view text) const { return is_sign(next(), text); }
  Token take() { return tokens_[next_is(TokenKind::end) ? at_ : at_++]; }
  bool take_if(std::string_view text);
  // Takes the keyword or symbol, or throws Error(program): `what` names the construct that needs it.
  Place expect(std::string_view text, const MessageArgument& what);
  // A name that is not a keyword, as it is written.
  std::string word(const MessageArgument& what);
  Symbol name(const MessageArgument& what) { return symbol_of(word(what)); }
  Symbol symbol_of(const std::string& name) { return program_.names.symbol_of(mangled(name)); }
  // __x in class A is _A__x: so names of a class do not meet those of classes derived from it.
  std::string mangled(const std::string& name) const;
  // Throws Error(program): the next token is not allowed here.
  [[noreturn]] void refuse() const;

  template <typename Node>
  static ExpressionPtr make(const Place& place, Node node) {
    return std::make_unique<const Expression>(Expression{place, std::move(node)});
  }

  // --- expressions: expression_parser.cpp

  // An expression, or several with commas between them, which make a tuple.
  ExpressionPtr expressions();
  ExpressionPtr expressions_or_yield();
  ExpressionPtr expression();
  // Or name := value.
  ExpressionPtr named_expression();
  // Or *value.
  ExpressionPtr starred_or_named();
  ExpressionPtr starred_or_expression();
  // After * or **.
  ExpressionPtr unpacked();
  ExpressionPtr yield_expression();
  ExpressionPtr lambda();
  ExpressionPtr disjunction();
  ExpressionPtr conjunction();
  ExpressionPtr logical(std::string_view word, ExpressionPtr (Parser::*operand)());
  ExpressionPtr negation();
  std::optional<Relation> relation();
  ExpressionPtr comparison();
  // Operators that bind at least as tightly as this.
  ExpressionPtr binary(int precedence = 0);
  ExpressionPtr sign();
  ExpressionPtr power();
  ExpressionPtr awaited();
  ExpressionPtr primary();
  // After the opening parenthesis.
  std::vector<Argument> arguments();
  void argument(CallArguments& call);
  Index index(ExpressionPtr object);
  Subscript subscript();
  // The part of a chain such as a + b + c, which may not be too long. Chains within one another are limited, too.
  void count_link(int& links);
  bool ends_expressions() const;

  // --- what begins an expression: display_parser.cpp

  ExpressionPtr atom();
  ExpressionPtr keyword_atom();
  ExpressionPtr in_parentheses();
  // What may be in parentheses, or between the braces of a formatted text.
  ExpressionPtr parenthesised(const Place& place);
  ExpressionPtr in_brackets();
  ExpressionPtr in_braces();
  ExpressionPtr set_display(const Place& place, ExpressionPtr first, std::size_t walruses);
  // Without a first key, or after it.
  ExpressionPtr dict_display(const Place& place, ExpressionPtr first_key, std::size_t walruses);
  bool begins_clause() const;
  // The clauses after the item. `walruses`: how many came before the item.
  ExpressionPtr comprehension(const Place& place, Comprehension node, std::size_t walruses);
  Comprehension::Clause clause(Scope& scope);
  void check_walruses(const Scope& scope, std::size_t first) const;

  // --- texts: text_parser.cpp

  // One or several after another.
  ExpressionPtr text();
  ExpressionPtr bytes();
  // Up to the end or, at a level above 0, to the brace that closes the format.
  void formatted(Cursor& cursor, TextParts& parts, int level);
  void field(Cursor& cursor, TextParts& parts, int level);
  ExpressionPtr expression_of_field(Cursor& cursor, const Place& brace);

  // --- statements on a line: statement_parser.cpp

  void simple_statements(Block& block);
  Statement simple_statement();
  void end_of_line();
  Statement assignment();
  Annotate annotation(ExpressionPtr target);
  Statement return_statement();
  Statement loop_exit();
  Statement declaration();
  Delete del_statement();
  Assert assert_statement();
  Raise raise_statement();
  Import import_statement();
  Import from_statement();
  std::string dotted_name(const MessageArgument& what);
  enum class TargetKind { assign, update, annotate, remove };
  // Refuses what cannot be assigned to.
  static void check_target(const Expression& target, TargetKind kind);

  // --- statements with blocks: block_parser.cpp

  void statement(Block& block);
  // If one begins here.
  std::optional<Statement> compound_statement();
  // A colon, and an indented block or statements on the same line.
  Block block(std::string_view what);
  If branches();
  Block loop_body(std::string_view what);
  While while_loop();
  For for_loop();
  // What a for assigns to.
  ExpressionPtr loop_targets();
  With with_statement();
  bool is_with_in_parentheses() const;
  void with_item(With& with);
  Statement try_statement(const Place& place);
  bool is_match() const;
  Unsupported match_statement();
  Statement async_statement(const Place& place);

  // --- functions, classes, scopes: definition_parser.cpp

  Statement decorated();
  Define definition(const Place& place, bool is_async = false);
  DefineClass class_definition(const Place& place);
  // Up to `end`, which is not taken.
  void parameters(Function& function, std::string_view end, bool has_types);
  void parameter(Function& function, ParameterName::Kind kind, bool has_type);
  void forget_type(bool may_be_starred = false);
  // Finds the locals of a scope whose parameters are known.
  void close(const Frame& frame, Scope& scope, const Block& body);

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Program& program_;
  int depth_ = 0, height_ = 0;
  std::vector<std::pair<Symbol, Place>> walruses_;  // so far
  Frame file_;
  Frame* frame_ = &file_;
  std::string class_name_;  // of the innermost class around, without underscores before it
};

class Parser::Height {
 public:
  explicit Height(Parser& parser) : parser_(parser), before_(std::exchange(parser.height_, 0)) {}
  ~Height() { parser_.height_ = std::max(before_, parser_.height_ + 1); }
  Height(const Height&) = delete;

 private:
  Parser& parser_;
  int before_;
};

class Parser::Level {
 public:
  explicit Level(Parser& parser) : parser_(parser), height_(parser) {
    if (++parser.depth_ > max_levels) fail_at(parser.next().place, "nested_too_deep", max_levels);
  }
  ~Level() { --parser_.depth_; }
  Level(const Level&) = delete;

 private:
  static constexpr int max_levels = 60;

  Parser& parser_;
  Height height_;
};

class Parser::Within {
 public:
  Within(Parser& parser, std::vector<Token> tokens)
      : parser_(parser), tokens_(std::exchange(parser.tokens_, std::move(tokens))), at_(std::exchange(parser.at_, 0)) {}
  ~Within() { parser_.tokens_ = std::move(tokens_), parser_.at_ = at_; }
  Within(const Within&) = delete;

 private:
  Parser& parser_;
  std::vector<Token> tokens_;
  std::size_t at_;
};

}  // namespace unroll::program
