// Texts, formatted texts and what is between their braces.
#include "engine/program/parser.h"

namespace unroll::program {

using namespace std::literals;

struct Parser::Cursor {
  std::string_view text;
  Place place;
  bool is_raw;
  std::size_t at = 0;

  bool is_end() const { return at >= text.size(); }
  // 0 at the end.
  char peek(std::size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  void take(std::size_t count = 1) {
    count = std::min(count, text.size() - at);
    place = place_after(text.substr(at, count), place);
    at += count;
  }
  bool take_if(char c) {
    if (is_end() || peek() != c) return false;
    take();
    return true;
  }
};

// Gathers the parts of a text; what stands between braces, or in texts one after another, is one Constant.
struct Parser::TextParts {
  Place place;
  Formatted node{};
  Unescaped words{};

  void add_words(std::string_view written, const Place& start, bool is_raw) {
    if (is_raw)
      words.text += written;
    else
      words.add(written, start);
  }
  void end_words() {
    if (!words.text.empty()) node.parts.push_back({make(place, Constant{std::exchange(words.text, {})})});
  }
  // A Constant if nothing stood between braces.
  ExpressionPtr finish() {
    if (words.unsupported) return make(place, std::move(*words.unsupported));
    if (node.parts.empty()) return make(place, Constant{std::move(words.text)});
    end_words();
    return make(place, std::move(node));
  }
};

ExpressionPtr Parser::text() {
  if (next().prefix.find('b') != std::string::npos) return bytes();
  TextParts parts{next().place};
  while (next_is(TokenKind::text)) {
    if (next().prefix.find('b') != std::string::npos) fail_at(next().place, "texts_and_bytes_joined");
    const Token token = take();
    const bool is_raw = token.prefix.find('r') != std::string::npos;
    if (token.prefix.find('f') != std::string::npos) {
      Cursor cursor{token.text, token.content, is_raw};
      formatted(cursor, parts, 0);
    } else {
      parts.add_words(token.text, token.content, is_raw);
    }
  }
  return parts.finish();
}

ExpressionPtr Parser::bytes() {
  const Place place = next().place;
  for (; next_is(TokenKind::text); take())
    if (next().prefix.find('b') == std::string::npos) fail_at(next().place, "texts_and_bytes_joined");
  return make(place, Unsupported{"bytes_are_not_in_language", "b\"…\""});
}

void Parser::formatted(Cursor& cursor, TextParts& parts, int level) {
  std::size_t from = cursor.at;
  Place start = cursor.place;
  const auto end_words = [&] { parts.add_words(cursor.text.substr(from, cursor.at - from), start, cursor.is_raw); };
  const auto begin_words = [&] { from = cursor.at, start = cursor.place; };
  while (!cursor.is_end() && !(level > 0 && cursor.peek() == '}')) {
    const char c = cursor.peek();
    if (c == '{' || c == '}') {
      end_words();
      if (level == 0 && cursor.peek(1) == c) {
        parts.words.text += c;
        cursor.take(2);
      } else {
        if (c == '}') fail_at(cursor.place, "format_brace_unpaired");
        field(cursor, parts, level);
      }
      begin_words();
    } else if (c == '\\' && !cursor.is_raw && cursor.peek(1) != '{' && cursor.peek(1) != '}') {
      const bool is_named = cursor.peek(1) == 'N' && cursor.peek(2) == '{';
      cursor.take(is_named ? cursor.text.find('}', cursor.at) - cursor.at + 1 : 2);
    } else {
      cursor.take();
    }
  }
  end_words();
}

void Parser::field(Cursor& cursor, TextParts& parts, int level) {
  const Place brace = cursor.place;
  constexpr int max_fields_within = 2;
  if (level >= max_fields_within) fail_at(brace, "format_nested_too_deep");
  cursor.take();
  const std::size_t start = cursor.at;
  Formatted::Part part{expression_of_field(cursor, brace)};
  if (cursor.take_if('=')) {  // {x=} is the text x= and then the value
    while (cursor.peek() == ' ' || cursor.peek() == '\t' || cursor.peek() == '\n') cursor.take();
    parts.words.text += cursor.text.substr(start, cursor.at - start);
    part.conversion = cursor.peek() == '}' ? 'r' : 0;
  }
  if (cursor.take_if('!')) {
    part.conversion = cursor.peek();
    if ("rsa"sv.find(part.conversion) == std::string_view::npos) fail_at(cursor.place, "format_conversion_unknown");
    cursor.take();
  }
  if (cursor.take_if(':')) {
    TextParts format{cursor.place};
    formatted(cursor, format, level + 1);
    part.format = format.finish();
  }
  if (!cursor.take_if('}')) fail_at(brace, "format_brace_unpaired");
  parts.end_words();
  parts.node.parts.push_back(std::move(part));
}

// Up to a =, ! or : outside of brackets, or the closing brace.
ExpressionPtr Parser::expression_of_field(Cursor& cursor, const Place& brace) {
  const std::size_t start = cursor.at;
  const Place place = cursor.place;
  std::string_view quotes;
  for (int brackets = 0; !cursor.is_end(); cursor.take()) {
    const char c = cursor.peek();
    if (c == '\\') fail_at(cursor.place, "backslash_in_formatted_text");
    const std::string_view rest = cursor.text.substr(cursor.at);
    if (!quotes.empty()) {
      if (!rest.starts_with(quotes)) continue;
      cursor.take(quotes.size() - 1);
      quotes = {};
    } else if (c == '\'' || c == '"') {
      quotes = rest.starts_with(std::string(3, c)) ? rest.substr(0, 3) : rest.substr(0, 1);
      cursor.take(quotes.size() - 1);
    } else if (c == '#') {
      fail_at(cursor.place, "sign_out_of_place", std::string_view("#"));
    } else if ("([{"sv.find(c) != std::string_view::npos) {
      ++brackets;
    } else if (brackets > 0) {
      if (")]}"sv.find(c) != std::string_view::npos) --brackets;
    } else if ("!=<>"sv.find(c) != std::string_view::npos && cursor.peek(1) == '=') {
      cursor.take();
    } else if ("!=:}"sv.find(c) != std::string_view::npos) {
      break;
    }
  }
  if (cursor.is_end()) fail_at(brace, "format_brace_unpaired");
  const std::string_view written = cursor.text.substr(start, cursor.at - start);
  if (written.find_first_not_of(" \t\n\f") == std::string_view::npos) fail_at(place, "format_without_expression");
  const Within within(*this, tokens_within(written, place));
  ExpressionPtr value = parenthesised(place);
  if (!next_is(TokenKind::end)) refuse();
  return value;
}

}  // namespace unroll::program
