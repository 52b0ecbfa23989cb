// Parses the expressions of a program. The parser of statements is built on it.
#pragma once

#include <string_view>
#include <vector>

#include "engine/program/lexer.h"
#include "engine/program/syntax.h"

namespace unroll::program {

class ExpressionParser {
 public:
  ExpressionParser(std::vector<Token> tokens, Names& names, int depth = 0)
      : tokens_(std::move(tokens)), names_(names), depth_(depth) {}

  // An expression, or several with commas between them, which make a tuple.
  ExpressionPtr expressions();
  ExpressionPtr expression();

 protected:
  // Counts how deep the parser is in brackets, blocks and operators, so that no text can exhaust the stack.
  class Level {
   public:
    explicit Level(ExpressionParser& parser);
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;

   private:
    ExpressionParser& parser_;
  };

  const Token& next() const { return tokens_[at_]; }
  bool next_is(TokenKind kind) const { return next().kind == kind; }
  bool next_is(std::string_view text) const;  // a keyword or symbol
  Token take();
  bool take_if(std::string_view text);
  // Takes the keyword or symbol, or throws Error(program): `what` names the construct that needs it.
  Place expect(std::string_view text, const MessageArgument& what);
  Symbol name(const MessageArgument& what);
  // What a for assigns to.
  ExpressionPtr loop_target();
  int depth() const { return depth_; }
  // Throws Error(program): the next token is not allowed here.
  [[noreturn]] void refuse() const;

  Names& names() { return names_; }

 private:
  template <typename Node>
  static ExpressionPtr make(const Place& place, Node node) {
    return std::make_unique<const Expression>(Expression{place, std::move(node)});
  }
  bool ends_expressions() const;
  // The part of a chain such as a + b + c, which may not be too long. All chains of a line together are limited, too:
  // those in brackets make the tree deeper.
  void count_link(int& links);
  ExpressionPtr disjunction();
  ExpressionPtr conjunction();
  ExpressionPtr negation();
  ExpressionPtr comparison();
  bool relation(Relation& found);
  ExpressionPtr binary(int precedence);
  ExpressionPtr sign();
  ExpressionPtr power();
  ExpressionPtr primary();
  std::vector<Argument> arguments();
  std::vector<Subscript> subscripts();
  Subscript subscript();
  ExpressionPtr atom();
  ExpressionPtr constant();
  ExpressionPtr number(const Token& token) const;
  ExpressionPtr in_parentheses();
  ExpressionPtr in_brackets();
  ExpressionPtr comprehension(const Place& place, ExpressionPtr item);
  ExpressionPtr formatted(const Token& token);

  std::vector<Token> tokens_;
  Names& names_;
  std::size_t at_ = 0;
  int depth_;
  int links_ = 0;  // of this line so far
};

}  // namespace unroll::program
