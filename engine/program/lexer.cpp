#include "engine/program/lexer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/program/characters.h"

namespace unroll::program {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array keywords = {"and"sv,      "as"sv,     "assert"sv, "async"sv,    "await"sv, "break"sv,  "class"sv,
                                 "continue"sv, "def"sv,    "del"sv,    "elif"sv,     "else"sv,  "except"sv, "False"sv,
                                 "finally"sv,  "for"sv,    "from"sv,   "global"sv,   "if"sv,    "import"sv, "in"sv,
                                 "is"sv,       "lambda"sv, "None"sv,   "nonlocal"sv, "not"sv,   "or"sv,     "pass"sv,
                                 "raise"sv,    "return"sv, "True"sv,   "try"sv,      "while"sv, "with"sv,   "yield"sv};

// The longest first.
constexpr std::array symbols = {"**="sv, "//="sv, "<<="sv, ">>="sv, "..."sv, "=="sv, "!="sv, "<="sv, ">="sv, "->"sv,
                                "+="sv,  "-="sv,  "*="sv,  "/="sv,  "%="sv,  "@="sv, "&="sv, "|="sv, "^="sv, "**"sv,
                                "//"sv,  "<<"sv,  ">>"sv,  ":="sv,  "+"sv,   "-"sv,  "*"sv,  "/"sv,  "%"sv,  "@"sv,
                                "&"sv,   "|"sv,   "^"sv,   "~"sv,   "("sv,   ")"sv,  "["sv,  "]"sv,  "{"sv,  "}"sv,
                                ","sv,   ":"sv,   "."sv,   "="sv,   "<"sv,   ">"sv,  ";"sv};

// Python accepts them right after a number: 1if x else 2.
constexpr std::array words_after_number = {"and"sv, "else"sv, "for"sv, "if"sv, "in"sv, "is"sv, "or"sv, "not"sv};

constexpr std::array text_prefixes = {"r"sv, "u"sv, "f"sv, "b"sv, "rf"sv, "fr"sv, "rb"sv, "br"sv};

bool is_digit(char32_t c, int base = 10) {
  if (c >= '0' && c <= '9') return static_cast<int>(c - '0') < base;
  return base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}
char in_lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

class Lexer {
 public:
  Lexer(std::string_view text, Place start, bool is_expression)
      : text_(text), place_(start), open_brackets_(is_expression ? 1 : 0), is_expression_(is_expression) {}

  std::vector<Token> run() {
    if (!is_expression_) indentation();
    while (at_ < text_.size()) next_token();
    end_line();
    for (std::size_t i = 1; i < indents_.size(); ++i) add(TokenKind::dedent, place_);
    add(TokenKind::end, place_);
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  // The character here; 0 at the end.
  char32_t peek() const {
    std::size_t at = at_;
    return at < text_.size() ? decode(at) : 0;
  }

  // Returns the character at `at`, and moves past it.
  char32_t decode(std::size_t& at) const {
    const auto first = static_cast<unsigned char>(text_[at++]);
    const int more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    char32_t c = more == 0 ? first : first & (0x3f >> more);
    for (int i = 0; i < more && at < text_.size() && (text_[at] & 0xc0) == 0x80; ++i)
      c = c << 6 | (static_cast<unsigned char>(text_[at++]) & 0x3f);
    return c;
  }

  char32_t take() {
    const char32_t c = decode(at_);
    // alone it ends a line in Python, even within a comment
    if (c == '\r' && !rest().starts_with('\n')) fail_at(place_, "carriage_return_alone");
    if (c == '\n')
      place_ = {place_.line + 1, 1};
    else
      ++place_.column;
    return c;
  }
  void take(std::size_t count) {
    while (count-- > 0) take();
  }
  bool take_if(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    take(text.size());
    return true;
  }

  void add(TokenKind kind, Place place, std::string text = {}) { tokens_.push_back({kind, place, std::move(text)}); }

  void next_token() {
    const char32_t c = peek();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') return void(take());
    if (take_if("\\\r\n") || take_if("\\\n")) {
      if (at_ >= text_.size()) fail_at(place_, "line_ends_early");
      return;
    }
    if (c == '#') return skip_comment();
    if (c == '\n') return line_break();
    if (const std::optional<std::string> prefix = text_prefix()) return text(*prefix);
    if (is_letter(c)) return word();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    symbol();
  }

  void skip_comment() {
    while (at_ < text_.size() && peek() != '\n') take();
  }

  void line_break() {
    if (open_brackets_ > 0) return void(take());
    end_line();
    take();
    indentation();
  }

  void end_line() {
    const bool is_empty = tokens_.empty() || tokens_.back().kind == TokenKind::newline ||
                          tokens_.back().kind == TokenKind::indent || tokens_.back().kind == TokenKind::dedent;
    if (!is_empty && !is_expression_) add(TokenKind::newline, place_);
  }

  // At the start of a line. Lines without a statement count for nothing.
  void indentation() {
    std::size_t start = at_;
    while (peek() == ' ' || peek() == '\t' || peek() == '\f')
      if (take() == '\f') start = at_;  // begins the line anew, as in Python
    const char32_t c = peek();
    if (at_ >= text_.size() || c == '\n' || c == '\r' || c == '#') return;
    const std::string_view indent = text_.substr(start, at_ - start);
    has_tabs_ |= indent.find('\t') != std::string_view::npos;
    if (indent != indents_.back() && indent.starts_with(indents_.back())) {
      indents_.push_back(indent);
      return add(TokenKind::indent, place_);
    }
    for (; indent != indents_.back(); indents_.pop_back()) {
      if (indents_.size() == 1) refuse_indent(indent);
      add(TokenKind::dedent, place_);
    }
  }

  [[noreturn]] void refuse_indent(std::string_view indent) const {
    if (has_tabs_) fail_at(place_, "tabs_and_spaces_mixed");
    fail_at(place_, "indentation_matches_no_block", indent.size());
  }

  void word() {
    const Place place = place_;
    const std::size_t start = at_;
    while (is_letter(peek()) || is_digit(peek())) take();
    const std::string_view word = text_.substr(start, at_ - start);
    const bool is_keyword = std::find(keywords.begin(), keywords.end(), word) != keywords.end();
    add(is_keyword ? TokenKind::keyword : TokenKind::name, place, normalised(std::string(word)));
  }

  // Digits of this base; underscores between them are dropped.
  void take_digits(std::string& digits, int base = 10) {
    const auto is_here = [&](std::size_t at) { return at < text_.size() && is_digit(text_[at], base); };
    while (is_here(at_) || (peek() == '_' && !digits.empty() && is_here(at_ + 1)))
      if (const char32_t c = take(); c != '_') digits += in_lower_case(static_cast<char>(c));
  }

  // Digits, a point, an exponent; or 0x and hexadecimal digits; or a complex number, which ends in j.
  void number() {
    const Place place = place_;
    std::string digits;
    if (const int base = base_of_number(); base != 10) {
      digits = {'0', base == 16 ? 'x' : base == 8 ? 'o' : 'b'};
      take(2);
      take_digits(digits, base);
      if (digits.size() == 2 || is_digit(peek())) fail_at(place_, "digit_missing", digits);
    } else {
      take_digits(digits);
      if (take_if(".")) digits += '.';
      if (digits.ends_with('.') && is_digit(peek())) take_digits(digits);
      take_exponent(place, digits);
      if (peek() == 'j' || peek() == 'J') digits += in_lower_case(static_cast<char>(take()));
    }
    if (is_letter(peek()) && !starts_with_any(words_after_number)) fail_at(place_, "name_begins_with_digit");
    add(TokenKind::number, place, digits);
  }

  int base_of_number() const {
    if (!rest().starts_with('0') || rest().size() < 2) return 10;
    const char letter = in_lower_case(rest()[1]);
    return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  }

  void take_exponent(const Place& place, std::string& digits) {
    if ((peek() != 'e' && peek() != 'E') || rest().starts_with("else")) return;
    digits += in_lower_case(static_cast<char>(take()));
    if (peek() == '+' || peek() == '-') digits += static_cast<char>(take());
    if (!is_digit(peek())) fail_at(place, "exponent_without_digits", digits);
    take_digits(digits);
  }

  bool starts_with_any(const auto& words) const {
    return std::any_of(words.begin(), words.end(), [&](std::string_view each) { return rest().starts_with(each); });
  }

  // Of a text that begins here.
  std::optional<std::string> text_prefix() const {
    const std::size_t size = rest().substr(0, 3).find_first_of("'\"");
    if (size == std::string_view::npos) return std::nullopt;
    std::string prefix(rest().substr(0, size));
    std::transform(prefix.begin(), prefix.end(), prefix.begin(), in_lower_case);
    const bool is_prefix =
        prefix.empty() || std::find(text_prefixes.begin(), text_prefixes.end(), prefix) != text_prefixes.end();
    return is_prefix ? std::optional(prefix) : std::nullopt;
  }

  void text(const std::string& prefix) {
    Token token{TokenKind::text, place_, {}, {}, prefix};
    take(prefix.size());
    const std::string_view three = rest().substr(0, 3);
    const std::string_view quotes = three == "'''" || three == "\"\"\"" ? three : three.substr(0, 1);
    take(quotes.size());
    token.content = place_;
    while (!take_if(quotes)) {
      if (at_ >= text_.size() || (quotes.size() == 1 && peek() == '\n'))
        fail_at(token.place, "text_has_no_end", quotes);
      const bool is_escape = peek() == '\\';
      if (is_escape) token.text += static_cast<char>(take());  // the next character is no end
      const bool is_return = peek() == '\r';                   // before a line break: Python reads "\n"
      if (is_return) take();
      if (at_ >= text_.size() || (is_return && !is_escape)) continue;
      const std::size_t start = at_;
      take();
      token.text += text_.substr(start, at_ - start);
    }
    tokens_.push_back(std::move(token));
  }

  void symbol() {
    const Place place = place_;
    const auto found =
        std::find_if(symbols.begin(), symbols.end(), [&](std::string_view each) { return rest().starts_with(each); });
    if (found == symbols.end()) refuse_character();
    take(found->size());
    if (*found == "(" || *found == "[" || *found == "{") ++open_brackets_;
    if ((*found == ")" || *found == "]" || *found == "}") && open_brackets_ > 0) --open_brackets_;
    add(TokenKind::symbol, place, std::string(*found));
  }

  [[noreturn]] void refuse_character() {
    const Place place = place_;
    const std::size_t start = at_;
    const char32_t c = take();
    program::refuse_character(place, c, text_.substr(start, at_ - start));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
  int open_brackets_;
  bool is_expression_;
  std::vector<std::string_view> indents_ = {""};
  bool has_tabs_ = false;  // at the start of a line so far
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some editors write it at the start of a file
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return Lexer(text, {1, 1}, false).run();
}

std::vector<Token> tokens_within(std::string_view text, Place start) { return Lexer(text, start, true).run(); }

}  // namespace unroll::program
