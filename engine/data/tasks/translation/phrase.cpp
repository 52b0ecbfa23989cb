#include "engine/data/tasks/translation/phrase.h"

namespace unroll::translation {
namespace {

struct Change {
  std::string_view from, to;
};

constexpr Change before_vowel[] = {{"le", "l'"},  {"la", "l'"},   {"je", "j'"},  {"ne", "n'"},
                                   {"de", "d'"},  {"me", "m'"},   {"te", "t'"},  {"se", "s'"},
                                   {"ma", "mon"}, {"que", "qu'"}, {"ce", "cet"}, {"sa", "son"}};

struct Contraction {
  std::string_view first, second, to;
};

constexpr Contraction contractions[] = {{"à", "le", "au"}, {"de", "le", "du"}, {"de", "les", "des"}};

void contract(Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    for (const Contraction& rule : contractions)
      if (words[i].text == rule.first && words[i + 1].text == rule.second) {
        words[i] = {rule.to, words[i].mark, words[i + 1].mark};
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
}

}  // namespace

void append(Words& words, std::string_view text, int mark, int second) {
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    words.push_back({text.substr(0, end), mark, second});
    text = end == text.npos ? "" : text.substr(end + 1);
  }
}

bool begins_with_vowel(std::string_view word) {
  return std::string_view("aeiouhy").find(word.front()) != std::string_view::npos || word.starts_with("é");
}

void adjust_articles(Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i].text == "a" && std::string_view("aeiou").find(words[i + 1].text.front()) != std::string_view::npos)
      words[i].text = "an";
}

void elide_and_contract(Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (begins_with_vowel(words[i + 1].text))
      for (const Change& change : before_vowel)
        if (words[i].text == change.from) {
          words[i].text = change.to;
          break;
        }
  contract(words);
}

}  // namespace unroll::translation
