// Dates in everyday notation, of 1900 to 2099 in 20 written forms → ISO 8601.
#include "engine/data/tasks/task.h"

namespace unroll {
namespace {

constexpr int date_count = 24'000;
constexpr int first_year = 1900, year_count = 200;

constexpr std::string_view months[] = {"january", "february", "march",     "april",   "may",      "june",
                                       "july",    "august",   "september", "october", "november", "december"};
constexpr std::string_view weekdays[] = {"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};

// d: day, D: with two digits, o: as an ordinal number; m: month, M: with two digits, b: its first three letters,
// B: its name; y: year; a: first three letters of the weekday, A: its name. Numeric forms are day first or year first.
constexpr std::string_view forms[] = {"d B y",    "B d, y", "d b y", "b d, y", "A d B y",        "A, B d, y", "a d b y",
                                      "a, b d y", "D.M.y",  "d.m.y", "D/M/y",  "d-m-y",          "y/M/D",     "yMD",
                                      "o of B y", "B o, y", "y B d", "D-b-y",  "A the o of B y", "b. d y"};

struct Date {
  int year, month, day;  // month and day from 1
};

bool leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in(int month, int year) {
  if (month == 2) return leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// 0 is Sunday. T. Sakamoto's method (1993): years start in March, each month shifts the weekday by a constant.
int weekday(Date date) {
  constexpr int moves[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  const int year = date.year - (date.month < 3);
  return (year + year / 4 - year / 100 + year / 400 + moves[date.month - 1] + date.day) % 7;
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string ordinal(int number) {
  const int last = number / 10 == 1 ? 0 : number % 10;
  return std::to_string(number) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::string part(char letter, Date date) {
  const std::string month(months[date.month - 1]), day_name(weekdays[weekday(date)]);
  if (letter == 'd') return std::to_string(date.day);
  if (letter == 'D') return two_digits(date.day);
  if (letter == 'o') return ordinal(date.day);
  if (letter == 'm') return std::to_string(date.month);
  if (letter == 'M') return two_digits(date.month);
  if (letter == 'b') return month.substr(0, 3);
  if (letter == 'B') return month;
  if (letter == 'y') return std::to_string(date.year);
  if (letter == 'a') return day_name.substr(0, 3);
  if (letter == 'A') return day_name;
  return std::string(1, letter);
}

// Adjacent lower-case letters ("the", "of") are literal; any other letter is a placeholder.
std::string formatted(std::string_view form, Date date) {
  const auto small = [&](std::size_t i) { return i < form.size() && form[i] >= 'a' && form[i] <= 'z'; };
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i)
    text += small(i) && (small(i + 1) || (i > 0 && small(i - 1))) ? std::string(1, form[i]) : part(form[i], date);
  return text;
}

Pair date_pair(Random& random, int) {
  Date date{first_year + random.below(year_count), 1 + random.below(12), 1};
  date.day = 1 + random.below(days_in(date.month, date.year));
  const std::string iso = std::to_string(date.year) + '-' + two_digits(date.month) + '-' + two_digits(date.day);
  return {split_text(formatted(forms[random.below(std::size(forms))], date), ""), split_text(iso, ""), {}};
}

Corpus dates_corpus(const Config&) {
  Random random(data_seed);
  return {.pairs = distinct_pairs(date_count, random, date_pair, [](Random&) { return 0; }), .draw = date_pair};
}

}  // namespace

TaskKind dates_task() { return {"dates", dates_corpus}; }

}  // namespace unroll
