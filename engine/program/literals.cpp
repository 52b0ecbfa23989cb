#include "engine/program/literals.h"

#include <algorithm>
#include <charconv>

#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

constexpr std::pair<char, std::string_view> escapes[] = {{'\n', ""},  {'\\', "\\"}, {'\'', "'"}, {'"', "\""},
                                                         {'a', "\a"}, {'b', "\b"},  {'f', "\f"}, {'n', "\n"},
                                                         {'r', "\r"}, {'t', "\t"},  {'v', "\v"}};

constexpr std::pair<char, std::size_t> digits_after_escape[] = {{'x', 2}, {'u', 4}, {'U', 8}};

void add_utf8(char32_t c, std::string& text) {
  const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
  const auto add_last_bits = [&](int shift) { add(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return add(c);
  if (c < 0x800) return add(0xc0 | c >> 6), add_last_bits(0);
  if (c < 0x10000) return add(0xe0 | c >> 12), add_last_bits(6), add_last_bits(0);
  add(0xf0 | c >> 18), add_last_bits(12), add_last_bits(6), add_last_bits(0);
}

}  // namespace

Expression number_literal(const Token& token) {
  const std::string& text = token.text;
  if (text.ends_with('j')) return {token.place, Unsupported{"complex_is_not_in_language", text}};
  const char kind = text.size() > 1 ? text[1] : '0';
  const int base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
  if (base == 10 && text.find_first_of(".e") != std::string::npos) return {token.place, Constant{read_decimal(text)}};
  const std::size_t zeros = text.find_first_not_of('0');
  if (base == 10 && zeros > 0 && zeros != std::string::npos)
    fail_at(token.place, "number_begins_with_zero", text.substr(zeros));
  std::int64_t whole = 0;
  const char *first = text.data() + (base == 10 ? 0 : 2), *last = text.data() + text.size();
  if (std::from_chars(first, last, whole, base).ec == std::errc()) return {token.place, Constant{whole}};
  return {token.place, Unsupported{"whole_number_too_large", text}};
}

Place place_after(std::string_view text, Place start) {
  for (const char byte : text) {
    if (byte == '\n')
      ++start.line, start.column = 1;
    else if ((byte & 0xc0) != 0x80)
      ++start.column;
  }
  return start;
}

void Unescaped::add(std::string_view written, const Place& start) {
  for (std::size_t at = 0; at < written.size();) {
    const char c = written[at++];
    if (c == '\\' && at < written.size())
      add_escape(written, at, start);
    else
      text += c;
  }
}

void Unescaped::add_escape(std::string_view written, std::size_t& at, const Place& start) {
  const std::size_t backslash = at - 1;
  const auto place = [&] { return place_after(written.substr(0, backslash), start); };
  const char letter = written[at++];
  for (const auto& [each, meaning] : escapes)
    if (each == letter) return void(text += meaning);
  // Of digits in this base.
  const auto number = [&](std::size_t digits, int base) {
    std::uint32_t value = 0;
    const char* first = written.data() + at;
    const char* last = first + std::min(digits, written.size() - at);
    const char* end = std::from_chars(first, last, value, base).ptr;
    at += static_cast<std::size_t>(end - first);
    return std::pair(value, static_cast<std::size_t>(end - first));
  };
  const auto add_character = [&](std::uint32_t value) {
    const bool is_half_of_pair = value >= 0xd800 && value < 0xe000;
    if (is_half_of_pair && !unsupported) unsupported = {"escape_is_not_in_language", "\\u"};
    add_utf8(value, text);
  };
  for (const auto& [each, digits] : digits_after_escape)
    if (each == letter) {
      const auto [value, found] = number(digits, 16);
      if (found < digits || value > 0x10ffff)
        fail_at(place(), "escape_needs_digits", std::string{'\\', letter}, digits);
      return add_character(value);
    }
  if (letter >= '0' && letter <= '7') {
    --at;
    return add_character(number(3, 8).first);
  }
  if (letter == 'N') {
    const std::size_t end = written.find('}', at);
    if (!written.substr(at).starts_with('{') || end == std::string_view::npos) fail_at(place(), "escape_needs_name");
    if (!unsupported) unsupported = {"escape_is_not_in_language", "\\N"};
    at = end + 1;
    return;
  }
  text += '\\', text += letter;  // stands for itself, as in Python
}

}  // namespace unroll::program
