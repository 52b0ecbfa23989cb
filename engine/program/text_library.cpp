// The methods of texts. An index counts characters, and the text is bytes: UTF-8.
#include <algorithm>
#include <cmath>

#include "engine/program/formatting.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

std::size_t bytes_of_letter(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

// The text's characters, each as its bytes.
std::vector<std::string> letters_of(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size(); at += bytes_of_letter(text[at]))
    all.push_back(text.substr(at, bytes_of_letter(text[at])));
  return all;
}

const std::string& counted_text(const Arguments& a, int i = 0) {
  const std::string& text = a.text(i);
  a.count_items(text.size());
  return text;
}

bool is_blank(char each) { return each == ' ' || (each >= '\t' && each <= '\r'); }
bool is_digit(char each) { return each >= '0' && each <= '9'; }
bool is_lower(char each) { return each >= 'a' && each <= 'z'; }
bool is_upper(char each) { return each >= 'A' && each <= 'Z'; }
bool is_of_other_script(char each) { return static_cast<unsigned char>(each) >= 0x80; }
bool is_letter(char each) { return is_lower(each) || is_upper(each) || is_of_other_script(each); }

char lowered(char each) { return is_upper(each) ? static_cast<char>(each - 'A' + 'a') : each; }
char raised(char each) { return is_lower(each) ? static_cast<char>(each - 'a' + 'A') : each; }

// Only the 26 letters have a small and a large form here.
const std::string& text_of_ascii(const Arguments& a) {
  const std::string& text = counted_text(a);
  if (std::ranges::any_of(text, is_of_other_script)) fail_at(a.place, "case_of_other_letters", a.callee.name);
  return text;
}

Value changed(std::string text, char (*change)(char)) {
  std::ranges::transform(text, text.begin(), change);
  return text;
}
Value lower(const Arguments& a) { return changed(text_of_ascii(a), lowered); }
Value upper(const Arguments& a) { return changed(text_of_ascii(a), raised); }
Value swapped_case(const Arguments& a) {
  return changed(text_of_ascii(a), [](char each) { return is_upper(each) ? lowered(each) : raised(each); });
}

Value capitalized(const Arguments& a) {
  std::string text = *lower(a).as<std::string>();
  if (!text.empty()) text[0] = raised(text[0]);
  return text;
}

Value titled(const Arguments& a) {
  std::string text = *lower(a).as<std::string>();
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i == 0 || !is_letter(text[i - 1])) text[i] = raised(text[i]);
  return text;
}

// Whether the text has letters, and all of them are of this kind.
Value is_all(const Arguments& a, bool (*holds)(char)) {
  const std::string& text = counted_text(a);
  return !text.empty() && std::ranges::all_of(text, holds);
}
Value is_digits(const Arguments& a) { return is_all(a, is_digit); }
Value is_letters(const Arguments& a) { return is_all(a, is_letter); }
Value is_letters_or_digits(const Arguments& a) {
  return is_all(a, [](char each) { return is_letter(each) || is_digit(each); });
}
Value is_blanks(const Arguments& a) { return is_all(a, is_blank); }
Value is_ascii(const Arguments& a) { return std::ranges::none_of(counted_text(a), is_of_other_script); }
Value is_lower_case(const Arguments& a) {
  const std::string& text = counted_text(a);
  return std::ranges::any_of(text, is_lower) && std::ranges::none_of(text, is_upper);
}
Value is_upper_case(const Arguments& a) {
  const std::string& text = counted_text(a);
  return std::ranges::any_of(text, is_upper) && std::ranges::none_of(text, is_lower);
}
Value is_name(const Arguments& a) {
  const std::string& text = counted_text(a);
  const auto is_part = [](char each) { return is_letter(each) || is_digit(each) || each == '_'; };
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, is_part);
}

// ── Parts ────────────────────────────────────────────────────────────────────────────────────────────────────────────

// Splits at blanks, of which several count as one. At most `most` times, or without a limit if it is negative.
std::vector<Value> words_of(const std::string& text, int most) {
  std::vector<Value> all;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at == text.size()) return all;
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end])) ++end;
    if (most >= 0 && static_cast<int>(all.size()) == most) end = text.size();
    all.emplace_back(text.substr(at, end - at));
    at = end;
  }
}

std::vector<Value> words_from_end(const std::string& text, int most) {
  std::vector<Value> all;
  std::size_t end = text.size();
  while (true) {
    while (end > 0 && is_blank(text[end - 1])) --end;
    if (end == 0) break;
    std::size_t at = end;
    while (at > 0 && !is_blank(text[at - 1])) --at;
    if (most >= 0 && static_cast<int>(all.size()) == most) at = 0;
    all.emplace_back(text.substr(at, end - at));
    end = at;
  }
  std::ranges::reverse(all);
  return all;
}

const std::string& separator_at(const Arguments& a, int i) {
  const std::string& separator = a.text(i);
  if (separator.empty()) a.interpreter.raise("ValueError", "empty separator", a.place);
  return separator;
}

Value split(const Arguments& a) {
  const std::string& text = counted_text(a);
  const int most = a.index(2);
  if (a.is_none(1)) return list_of(words_of(text, most));
  const std::string& separator = separator_at(a, 1);
  std::vector<Value> all;
  std::size_t at = 0;
  while (most < 0 || static_cast<int>(all.size()) < most) {
    const std::size_t found = text.find(separator, at);
    if (found == std::string::npos) break;
    all.emplace_back(text.substr(at, found - at));
    at = found + separator.size();
  }
  all.emplace_back(text.substr(at));
  return list_of(std::move(all));
}

Value split_from_end(const Arguments& a) {
  const std::string& text = counted_text(a);
  const int most = a.index(2);
  if (a.is_none(1)) return list_of(words_from_end(text, most));
  const std::string& separator = separator_at(a, 1);
  std::vector<Value> all;
  std::size_t end = text.size();
  while (end >= separator.size() && (most < 0 || static_cast<int>(all.size()) < most)) {
    const std::size_t found = text.rfind(separator, end - separator.size());
    if (found == std::string::npos) break;
    all.emplace_back(text.substr(found + separator.size(), end - found - separator.size()));
    end = found;
  }
  all.emplace_back(text.substr(0, end));
  std::ranges::reverse(all);
  return list_of(std::move(all));
}

Value split_lines(const Arguments& a) {
  const std::string& text = counted_text(a);
  std::vector<Value> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    std::size_t next = std::min(end + 1, text.size());
    if (end + 1 < text.size() && text[end] == '\r' && text[end + 1] == '\n') ++next;
    all.emplace_back(text.substr(at, (a.flag(1) ? next : end) - at));
    at = next;
  }
  return list_of(std::move(all));
}

Value parts_around(const std::string& text, std::size_t found, std::size_t size) {
  return tuple_of({text.substr(0, found), text.substr(found, size), text.substr(found + size)});
}
Value partition(const Arguments& a) {
  const std::string& text = counted_text(a);
  const std::size_t found = text.find(separator_at(a, 1));
  return found == std::string::npos ? parts_around(text, text.size(), 0) : parts_around(text, found, a.text(1).size());
}
Value partition_from_end(const Arguments& a) {
  const std::string& text = counted_text(a);
  const std::size_t found = text.rfind(separator_at(a, 1));
  return found == std::string::npos ? parts_around(text, 0, 0) : parts_around(text, found, a.text(1).size());
}

Value join(const Arguments& a) {
  const std::string& separator = a.text(0);
  std::string all;
  std::size_t i = 0;
  for (const Value& each : a.interpreter.items(a[1], a.place)) {
    const auto* text = each.as<std::string>();
    if (!text) fail_at(a.place, "join_of_other_than_texts", i, described(each));
    a.count_items(text->size() + separator.size());
    if (i++ > 0) all += separator;
    all += *text;
  }
  return all;
}

// ── Ends ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

Value stripped(const Arguments& a, bool at_start, bool at_end) {
  std::vector<std::string> letters = letters_of(counted_text(a));
  const std::vector<std::string> removed =
      a.is_none(1) ? std::vector<std::string>{" ", "\t", "\n", "\v", "\f", "\r"} : letters_of(a.text(1));
  const auto is_removed = [&](const std::string& letter) {
    a.count_items(removed.size());
    return std::ranges::find(removed, letter) != removed.end();
  };
  std::size_t begin = 0, end = letters.size();
  while (at_start && begin < end && is_removed(letters[begin])) ++begin;
  while (at_end && begin < end && is_removed(letters[end - 1])) --end;
  std::string all;
  for (std::size_t i = begin; i < end; ++i) all += letters[i];
  return all;
}
Value strip(const Arguments& a) { return stripped(a, true, true); }
Value strip_start(const Arguments& a) { return stripped(a, true, false); }
Value strip_end(const Arguments& a) { return stripped(a, false, true); }

// One text, or any of several in a tuple.
Value has_end(const Arguments& a, bool (*holds)(const std::string&, const std::string&)) {
  const std::string& text = counted_text(a);
  const auto* tuple = a[1].as<Tuple>();
  if (!tuple) return holds(text, a.text(1));
  a.count_items(tuple->items->all().size());
  return std::ranges::any_of(tuple->items->all(), [&](const Value& each) {
    const auto* part = each.as<std::string>();
    if (!part) a.refuse(1, "a_text");
    return holds(text, *part);
  });
}
Value starts_with(const Arguments& a) {
  return has_end(a, [](const std::string& text, const std::string& part) { return text.starts_with(part); });
}
Value ends_with(const Arguments& a) {
  return has_end(a, [](const std::string& text, const std::string& part) { return text.ends_with(part); });
}
Value without_prefix(const Arguments& a) {
  const std::string& text = counted_text(a);
  return text.starts_with(a.text(1)) ? text.substr(a.text(1).size()) : text;
}
Value without_suffix(const Arguments& a) {
  const std::string& text = counted_text(a);
  return text.ends_with(a.text(1)) ? text.substr(0, text.size() - a.text(1).size()) : text;
}

// ── Search ───────────────────────────────────────────────────────────────────────────────────────────────────────────

std::size_t byte_of(const std::string& text, std::int64_t letter) {
  const auto count = static_cast<std::int64_t>(characters_in(text));
  std::int64_t left = std::clamp(letter < 0 ? letter + count : letter, std::int64_t{0}, count);
  std::size_t at = 0;
  for (; left > 0; --left) at += bytes_of_letter(text[at]);
  return std::min(at, text.size());
}

std::int64_t found_at(const Arguments& a, bool from_end) {
  const std::string& text = counted_text(a);
  const std::size_t begin = byte_of(text, a.index(2)), end = a.is_none(3) ? text.size() : byte_of(text, a.index(3));
  if (begin > end) return -1;
  const std::string_view part = std::string_view(text).substr(begin, end - begin);
  a.count_items(part.size() * std::min<std::size_t>(a.text(1).size(), 1000) / 16);
  const std::size_t found = from_end ? part.rfind(a.text(1)) : part.find(a.text(1));
  if (found == std::string_view::npos) return -1;
  return static_cast<std::int64_t>(characters_in(std::string_view(text).substr(0, begin + found)));
}
Value find(const Arguments& a) { return found_at(a, false); }
Value find_from_end(const Arguments& a) { return found_at(a, true); }
Value required(const Arguments& a, std::int64_t found) {
  if (found < 0) a.interpreter.raise("ValueError", "substring not found", a.place);
  return found;
}
Value index_of(const Arguments& a) { return required(a, found_at(a, false)); }
Value index_from_end(const Arguments& a) { return required(a, found_at(a, true)); }

Value count_of_part(const Arguments& a) {
  const std::string& text = counted_text(a);
  const std::string& part = a.text(1);
  if (part.empty()) return static_cast<std::int64_t>(characters_in(text) + 1);
  std::int64_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

Value replace(const Arguments& a) {
  const std::string &text = counted_text(a), &old = a.text(1), &next = a.text(2);
  int left = a.index(3);
  std::string all;
  std::size_t at = 0;
  while (left != 0) {
    std::size_t found = text.find(old, at);
    if (found == std::string::npos) break;
    if (old.empty() && at > 0) found = at;
    a.count_items(next.size() + 1);
    all += text.substr(at, found - at) + next;
    at = found + old.size(), --left;
    if (old.empty()) {  // before each letter, and at the end
      if (at >= text.size()) break;
      const std::size_t size = bytes_of_letter(text[at]);
      all += text.substr(at, size);
      at += size;
    }
  }
  return at < text.size() ? all + text.substr(at) : all;
}

// ── Width ────────────────────────────────────────────────────────────────────────────────────────────────────────────

// The text with `before` of the missing characters before it, and the others after it.
Value widened(const Arguments& a, int (*before)(int missing, int width)) {
  const std::string &text = counted_text(a), &fill = a.text(2);
  if (characters_in(fill) != 1) a.refuse(2, "a_text_of_one_character");
  const int width = a.index(1), missing = width - static_cast<int>(characters_in(text));
  if (missing <= 0) return text;
  a.count_items(static_cast<std::size_t>(missing) * fill.size());
  std::string all;
  for (int i = 0; i < missing; ++i) {
    if (i == before(missing, width)) all += text;
    all += fill;
  }
  return before(missing, width) == missing ? all + text : all;
}
Value aligned_left(const Arguments& a) {
  return widened(a, [](int, int) { return 0; });
}
Value aligned_right(const Arguments& a) {
  return widened(a, [](int missing, int) { return missing; });
}
// Of an odd number, the one in the middle goes before the text if the width is odd, too.
Value aligned_middle(const Arguments& a) {
  return widened(a, [](int missing, int width) { return missing / 2 + (missing & width & 1); });
}

Value filled_with_zeros(const Arguments& a) {
  const std::string& text = counted_text(a);
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const int missing = a.index(1) - static_cast<int>(characters_in(text));
  if (missing <= 0) return text;
  a.count_items(static_cast<std::size_t>(missing));
  return text.substr(0, sign) + std::string(static_cast<std::size_t>(missing), '0') + text.substr(sign);
}

Value format_text(const Arguments& a) {
  return brace_formatted(a.interpreter, a.text(0), a.values(1), **a[2].as<Dict>(), a.place);
}

}  // namespace

std::span<const Builtin> text_methods() {
  static constexpr Builtin all[] = {
      {"lower", "text", lower, "the text in small letters"},
      {"upper", "text", upper, "the text in capital letters"},
      {"casefold", "text", lower, "the text in small letters"},
      {"title", "text", titled, "each word with a capital letter"},
      {"capitalize", "text", capitalized, "the text with one capital letter, the first"},
      {"swapcase", "text", swapped_case, "small letters as capitals, and capitals as small letters"},
      {"isdigit", "text", is_digits, "whether all characters are digits"},
      {"isnumeric", "text", is_digits, "whether all characters are digits"},
      {"isdecimal", "text", is_digits, "whether all characters are digits"},
      {"isalpha", "text", is_letters, "whether all characters are letters"},
      {"isalnum", "text", is_letters_or_digits, "whether all characters are letters or digits"},
      {"isspace", "text", is_blanks, "whether all characters are blanks"},
      {"isascii", "text", is_ascii, "whether all characters are of ASCII"},
      {"islower", "text", is_lower_case, "whether all letters are small"},
      {"isupper", "text", is_upper_case, "whether all letters are capitals"},
      {"isidentifier", "text", is_name, "whether it can be a name"},
      {"split", "text, sep=None, maxsplit=-1", split, "the parts between separators, or the words"},
      {"rsplit", "text, sep=None, maxsplit=-1", split_from_end, "as split, from the end"},
      {"splitlines", "text, keepends=False", split_lines, "the lines"},
      {"partition", "text, sep", partition, "what is before the separator, the separator, and the rest"},
      {"rpartition", "text, sep", partition_from_end, "as partition, at the last separator"},
      {"join", "text, items", join, "the items with the text between them"},
      {"strip", "text, chars=None", strip, "the text without blanks at its ends"},
      {"lstrip", "text, chars=None", strip_start, "the text without blanks at its start"},
      {"rstrip", "text, chars=None", strip_end, "the text without blanks at its end"},
      {"startswith", "text, prefix", starts_with, "whether it begins with the prefix"},
      {"endswith", "text, suffix", ends_with, "whether it ends with the suffix"},
      {"removeprefix", "text, prefix", without_prefix, "the text without the prefix"},
      {"removesuffix", "text, suffix", without_suffix, "the text without the suffix"},
      {"find", "text, part, start=0, end=None", find, "where the part begins first, or -1"},
      {"rfind", "text, part, start=0, end=None", find_from_end, "where the part begins last, or -1"},
      {"index", "text, part, start=0, end=None", index_of, "where the part begins first"},
      {"rindex", "text, part, start=0, end=None", index_from_end, "where the part begins last"},
      {"count", "text, part", count_of_part, "how often the part occurs"},
      {"replace", "text, old, new, count=-1", replace, "the text with another part in place of each old one"},
      {"ljust", "text, width, fill=\" \"", aligned_left, "the text with blanks after it"},
      {"rjust", "text, width, fill=\" \"", aligned_right, "the text with blanks before it"},
      {"center", "text, width, fill=\" \"", aligned_middle, "the text with blanks around it"},
      {"zfill", "text, width", filled_with_zeros, "the text with zeros before it"},
      {"format", "text, *values, **entries", format_text, "the text with values in place of its braces"},
  };
  return all;
}

}  // namespace unroll::program
