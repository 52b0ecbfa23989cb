#include "engine/program/characters.h"

#include <utility>

namespace unroll::program {
namespace {

// What looks like a character of the language, and what to type instead.
constexpr std::pair<char32_t, std::string_view> lookalikes[] = {
    {U'‘', "'"},      {U'’', "'"},      {U'“', "\""},     {U'”', "\""},    {U'„', "\""}, {U'«', "\""},
    {U'»', "\""},     {U'−', "-"},      {U'–', "-"},      {U'×', "*"},     {U'·', "*"},  {U'÷', "/"},
    {U'≤', "<="},     {U'≥', ">="},     {U'≠', "!="},     {U'∞', "inf"},   {U'、', ","}, {U'。', "."},
    {U'\u00a0', " "}, {U'\u2009', " "}, {U'\u202f', " "}, {U'\u3000', " "}};

// Full-width characters, as Chinese and Japanese keyboards write them: each is this far from its ASCII character.
constexpr char32_t full_width = U'！' - U'!';

// Other forms of Greek letters, which are the same names in Python (Unicode's NFKC).
constexpr std::pair<std::string_view, std::string_view> same_letters[] = {
    {"ϐ", "β"}, {"ϑ", "θ"}, {"ϒ", "Υ"}, {"ϓ", "Ύ"}, {"ϔ", "Ϋ"}, {"ϕ", "φ"}, {"ϖ", "π"},
    {"ϰ", "κ"}, {"ϱ", "ρ"}, {"ϲ", "ς"}, {"ϴ", "Θ"}, {"ϵ", "ε"}, {"Ϲ", "Σ"}};

[[noreturn]] void refuse_lookalike(const Place& place, std::string_view character, std::string_view instead) {
  if (instead == " ") fail_at(place, "space_of_other_kind", character);
  fail_at(place, "character_without_meaning_type_instead", character, instead);
}

}  // namespace

// Of Greek, with one accent at most: Python takes the letters with more of them apart.
bool is_letter(char32_t c) {
  const bool is_sign = c == 0x374 || c == 0x375 || c == 0x378 || c == 0x379 || c == 0x37a || c == 0x37e ||
                       (c >= 0x380 && c <= 0x385) || c == 0x387 || c == 0x38b || c == 0x38d || c == 0x3a2 || c == 0x3f6;
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 0x370 && c <= 0x3ff && !is_sign);
}

std::string normalised(std::string name) {
  for (const auto& [letter, same] : same_letters)
    for (std::size_t at = 0; (at = name.find(letter, at)) != std::string::npos; at += same.size())
      name.replace(at, letter.size(), same);
  return name;
}

void refuse_character(const Place& place, char32_t c, std::string_view text) {
  for (const auto& [lookalike, instead] : lookalikes)
    if (lookalike == c) refuse_lookalike(place, text, instead);
  if (c >= U'！' && c <= U'～') refuse_lookalike(place, text, std::string(1, static_cast<char>(c - full_width)));
  if (c < ' ' || c == 0x7f) fail_at(place, "invisible_character", static_cast<int>(c));
  if (c > 0x7f) fail_at(place, "letter_of_other_script", text);
  fail_at(place, "character_without_meaning", text);
}

}  // namespace unroll::program
