// The forms of Python for texts of values: f"{x:>8.2f}", "%5d" % n and "{:.3}".format(x).
#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/program/arithmetic.h"
#include "engine/program/formatting.h"
#include "engine/program/interpreter.h"
#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

constexpr int widest = 10'000, most_decimals = 1'000;

// [[fill]align][sign][#][0][width][grouping][.precision][type]
struct Spec {
  std::string fill = " ";
  char align = 0;  // '<', '>', '^', or '=' with the fill after the sign
  char sign = '-';
  bool is_alternate = false, has_fill = false;
  int width = 0;
  char grouping = 0;
  int precision = -1;
  char type = 0;
};

class SpecReader {
 public:
  SpecReader(std::string_view text, const Place& place) : text_(text), left_(text), place_(place) {}

  Spec read() {
    Spec spec;
    read_alignment(spec);
    if (is_next("+- ")) spec.sign = take();
    if (is_next("z")) take();
    if (is_next("#")) spec.is_alternate = take() == '#';
    if (is_next("0")) {
      take();
      if (!spec.has_fill) spec.fill = "0";
      if (!spec.align) spec.align = '=';
    }
    spec.width = number(widest, 0);
    if (is_next(",_")) spec.grouping = take();
    if (is_next(".")) {
      take();
      spec.precision = number(most_decimals, -1);
      if (spec.precision < 0) refuse();
    }
    if (!left_.empty()) spec.type = take();
    if (!left_.empty()) refuse();
    return spec;
  }

 private:
  bool is_next(std::string_view any) const { return !left_.empty() && any.find(left_[0]) != std::string_view::npos; }
  char take() {
    const char next = left_[0];
    left_.remove_prefix(1);
    return next;
  }

  // The fill is one character, of up to four bytes.
  void read_alignment(Spec& spec) {
    constexpr std::string_view alignments = "<>^=";
    std::size_t fill = left_.empty() ? 0 : 1;
    while (fill < left_.size() && (left_[fill] & 0xc0) == 0x80) ++fill;
    if (fill < left_.size() && alignments.find(left_[fill]) != std::string_view::npos) {
      spec.fill = left_.substr(0, fill), spec.has_fill = true;
      left_.remove_prefix(fill);
    } else if (!is_next(alignments)) {
      return;
    }
    spec.align = take();
  }

  int number(int most, int fallback) {
    if (!is_next("0123456789")) return fallback;
    int all = 0;
    while (is_next("0123456789"))
      if (all = all * 10 + (take() - '0'); all > most) refuse();
    return all;
  }

  [[noreturn]] void refuse() const { fail_at(place_, "format_is_unknown", std::string(text_)); }

  std::string_view text_, left_;
  const Place& place_;
};

std::string repeated_text(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// The text, with fill on its sides. `begin` is the number of bytes of its sign.
std::string filled_text(const std::string& text, const Spec& spec, char align, std::size_t begin = 0) {
  const int missing = spec.width - static_cast<int>(characters_in(text));
  if (missing <= 0) return text;
  const int before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  if (align == '=') return text.substr(0, begin) + repeated_text(spec.fill, missing) + text.substr(begin);
  return repeated_text(spec.fill, before) + text + repeated_text(spec.fill, missing - before);
}

// 1234567.5 → 1,234,567.5
std::string grouped(std::string text, char separator, int group) {
  std::size_t end = 0;
  while (end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end])) && text[end] != 'e') ++end;
  for (std::size_t at = end; at > static_cast<std::size_t>(group);) {
    at -= static_cast<std::size_t>(group);
    text.insert(at, 1, separator);
  }
  return text;
}

// Zeros before a number are grouped, too: f"{1234:010,}" is 00,001,234.
std::string grouped_with_zeros(std::string digits, const Spec& spec, int group, std::size_t sign) {
  std::string text = grouped(digits, spec.grouping, group);
  if (spec.fill != "0" || spec.align != '=') return text;
  while (static_cast<int>(text.size() + sign) < spec.width)
    text = grouped(digits.insert(0, 1, '0'), spec.grouping, group);
  return text;
}

// A number from its sign and its digits.
std::string number_text(bool is_negative, std::string digits, const std::string& prefix, const Spec& spec, int group) {
  const std::string sign = is_negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
  if (spec.grouping) digits = grouped_with_zeros(std::move(digits), spec, group, sign.size() + prefix.size());
  return filled_text(sign + prefix + digits, spec, spec.align ? spec.align : '>', sign.size() + prefix.size());
}

void make_upper(std::string& text) {
  for (char& each : text)
    if (each >= 'a' && each <= 'z') each = static_cast<char>(each - 'a' + 'A');
}

std::string whole_formatted(std::int64_t number, const Spec& spec) {
  const char type = static_cast<char>(std::tolower(static_cast<unsigned char>(spec.type)));
  const int base = type == 'x' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
  std::string digits = whole_text(number, base);
  if (number < 0) digits.erase(0, 1);
  std::string prefix = spec.is_alternate && base != 10 ? std::string("0") + type : "";
  if (spec.type == 'X') make_upper(digits), make_upper(prefix);
  return number_text(number < 0, std::move(digits), prefix, spec, base == 10 ? 3 : 4);
}

// Without a type, a float has a point: 1e2 is 100.0.
std::string real_digits(double number, const Spec& spec) {
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  switch (std::tolower(static_cast<unsigned char>(spec.type))) {
    case 'f':
      return fixed_text(number, precision);
    case 'e':
      return scientific_text(number, precision);
    case 'g':
    case 'n':
      return general_text(number, precision, spec.is_alternate);
    case '%':
      return fixed_text(number * 100, precision) + "%";
    default:
      break;
  }
  if (spec.precision < 0) return python_text(number);
  // As 'g', but with an exponent from 10^(digits − 1) on, so that there is room for the digit after the point.
  std::string text = general_text(number, precision, spec.is_alternate);
  if (!std::isfinite(number) || text.find('e') != std::string::npos) return text;
  if (text.find('.') != std::string::npos) return text;
  return static_cast<int>(text.size()) - (number < 0) >= precision ? scientific_text(number, std::max(precision - 1, 0))
                                                                   : text + ".0";
}

std::string trimmed_exponent_zeros(std::string text) {
  const std::size_t end = text.find('e');
  if (end == std::string::npos || text.find('.') == std::string::npos) return text;
  std::size_t last = text.find_last_not_of('0', end - 1);
  if (text[last] == '.') --last;
  return text.erase(last + 1, end - last - 1);
}

// With #, a number has a point even if nothing follows.
std::string with_point(std::string digits) {
  if (digits.find_first_of(".ni") == std::string::npos)
    digits.insert(std::min(digits.find_first_of("e%"), digits.size()), 1, '.');
  return digits;
}

std::string real_formatted(double number, const Spec& spec) {
  std::string digits = real_digits(std::abs(number), spec);
  if (spec.type == 0 && !spec.is_alternate) digits = trimmed_exponent_zeros(std::move(digits));
  if (spec.is_alternate) digits = with_point(std::move(digits));
  if (std::isupper(static_cast<unsigned char>(spec.type))) make_upper(digits);
  return number_text(std::signbit(number) && !std::isnan(number), std::move(digits), "", spec, 3);
}

// The first characters of a text.
std::string cut(const std::string& text, int characters) {
  std::size_t end = 0;
  for (int i = 0; end < text.size() && i < characters; ++i) {
    ++end;
    while (end < text.size() && (text[end] & 0xc0) == 0x80) ++end;
  }
  return text.substr(0, end);
}

std::string character_of(std::int64_t code, const Place& place) {
  if (code < 0 || code > 0x10ffff) fail_at(place, "no_character_has_number", std::to_string(code));
  std::string text;
  const auto add = [&](std::int64_t bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return add(code), text;
  if (code < 0x800) return add(0xc0 | code >> 6), add(0x80 | (code & 0x3f)), text;
  if (code < 0x10000) return add(0xe0 | code >> 12), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f)), text;
  add(0xf0 | code >> 18), add(0x80 | (code >> 12 & 0x3f)), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
  return text;
}

bool is_among(char type, std::string_view types) { return types.find(type) != std::string_view::npos; }

// A tensor of one value is formatted as a number, as in PyTorch.
Value plain_value(const Value& value) {
  const auto* tensor = value.as<TypedTensor>();
  if (!tensor || tensor->tensor.rank() > 0) return value;
  const auto number = static_cast<double>(tensor->tensor.item());
  if (tensor->type == Type::boolean) return number != 0;
  return tensor->type == Type::integer ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

[[noreturn]] void refuse_format(const Value& value, std::string_view spec, const Place& place) {
  fail_at(place, "format_is_not_for_value", std::string(spec), described(value));
}

std::string number_formatted(const Value& value, const Spec& spec, std::string_view text, const Place& place) {
  if (is_whole(value)) {
    if (spec.type == 0 || is_among(spec.type, "bdnoxX")) {
      if (spec.precision >= 0) refuse_format(value, text, place);
      return whole_formatted(whole_of(value), spec);
    }
    if (spec.type == 'c') return filled_text(character_of(whole_of(value), place), spec, spec.align ? spec.align : '<');
  }
  if (spec.type != 0 && !is_among(spec.type, "eEfFgGn%")) refuse_format(value, text, place);
  return real_formatted(number_of(value), spec);
}

}  // namespace

std::string formatted(Interpreter& interpreter, const Value& given, std::string_view text, const Place& place) {
  const Value value = plain_value(given);
  if (const std::optional<Value> method = interpreter.special(value, "__format__")) {
    const Value result = interpreter.call(*method, {std::string(text)}, place);
    if (const auto* letters = result.as<std::string>()) return *letters;
    refuse_format(value, text, place);
  }
  if (text.empty()) return text_of(interpreter, value, place);
  const Spec spec = SpecReader(text, place).read();
  interpreter.account().items(static_cast<std::size_t>(spec.width + std::max(spec.precision, 0)) + 1, place);
  if (is_number(value)) return number_formatted(value, spec, text, place);
  const auto* letters = value.as<std::string>();
  if (!letters || (spec.type != 0 && spec.type != 's') || spec.align == '=') refuse_format(value, text, place);
  interpreter.account().items(letters->size(), place);
  return filled_text(spec.precision < 0 ? *letters : cut(*letters, spec.precision), spec,
                     spec.align ? spec.align : '<');
}

// ── form % arguments ─────────────────────────────────────────────────────────────────────────────────────────────────

namespace {

class PercentForm {
 public:
  PercentForm(Interpreter& interpreter, const std::string& form, const Value& arguments, const Place& place)
      : interpreter_(interpreter), form_(form), arguments_(arguments), place_(place) {}

  std::string written() {
    std::string text;
    while (at_ < form_.size()) {
      const std::size_t percent = std::min(form_.find('%', at_), form_.size());
      text += form_.substr(at_, percent - at_);
      at_ = percent + 1;
      if (percent < form_.size()) text += one();
    }
    const auto* tuple = arguments_.as<Tuple>();
    const std::size_t given = tuple ? tuple->items->all().size() : 1;
    if ((tuple || !(is_named_ || arguments_.is<Dict>())) && next_ < given) refuse("form_has_too_few_places");
    return text;
  }

 private:
  [[noreturn]] void refuse(const char* id) const { fail_at(place_, id, form_.substr(0, 40)); }

  char take() {
    if (at_ >= form_.size()) refuse("form_ends_early");
    return form_[at_++];
  }

  Value next_value() {
    const auto* tuple = arguments_.as<Tuple>();
    const std::size_t i = next_++;
    if (i >= (tuple ? tuple->items->all().size() : 1)) refuse("form_has_too_many_places");
    return tuple ? tuple->items->all()[i] : arguments_;
  }

  Value named_value() {
    const std::size_t end = form_.find(')', at_);
    if (end == std::string::npos) refuse("form_ends_early");
    const std::string name = form_.substr(at_, end - at_);
    at_ = end + 1, is_named_ = true;
    const Value* found = arguments_.is<Dict>() ? (*arguments_.as<Dict>())->find(name) : nullptr;
    if (!found) interpreter_.raise_key_error(name, place_);
    return *found;
  }

  int number(int most) {
    if (at_ < form_.size() && form_[at_] == '*') {
      ++at_;
      const Value value = next_value();
      if (!is_whole(value) || whole_of(value) > most || whole_of(value) < -most) refuse("form_is_unknown");
      return static_cast<int>(whole_of(value));
    }
    int all = 0;
    while (at_ < form_.size() && form_[at_] >= '0' && form_[at_] <= '9')
      if (all = all * 10 + (take() - '0'); all > most) refuse("form_is_unknown");
    return all;
  }

  // %[(name)][flags][width][.precision]type
  std::string one() {
    std::optional<Value> value;
    Spec spec;
    bool fills_zeros = false;
    if (at_ < form_.size() && form_[at_] == '(') ++at_, value = named_value();
    for (; at_ < form_.size() && is_among(form_[at_], "-+ #0"); ++at_) {
      if (form_[at_] == '-') spec.align = '<';
      if (form_[at_] == '+' || (form_[at_] == ' ' && spec.sign == '-')) spec.sign = form_[at_];
      if (form_[at_] == '#') spec.is_alternate = true;
      if (form_[at_] == '0') fills_zeros = true;
    }
    spec.width = number(widest);
    if (spec.width < 0) spec.width = -spec.width, spec.align = '<';
    if (at_ < form_.size() && form_[at_] == '.') ++at_, spec.precision = std::max(number(most_decimals), 0);
    while (at_ < form_.size() && is_among(form_[at_], "hlL")) ++at_;
    spec.type = take();
    if (spec.type == '%') return "%";
    if (!spec.align) spec.align = '>';
    if (fills_zeros && spec.align != '<') spec.fill = "0", spec.align = '=';
    return converted(value ? *value : next_value(), spec);
  }

  std::string converted(const Value& given, Spec spec) {
    interpreter_.account().items(static_cast<std::size_t>(spec.width + std::max(spec.precision, 0)) + 1, place_);
    if (is_among(spec.type, "sra")) return as_text(given, spec);
    const Value value = plain_value(given);
    if (spec.type == 'c' && value.is<std::string>()) return as_text(value, spec);
    if (!is_among(spec.type, "diuoxXeEfFgGc")) refuse("form_is_unknown");
    if (!is_number(value)) fail_at(place_, "form_needs_number", std::string("%") + spec.type, described(value));
    if (spec.type == 'c') return filled_text(character_of(whole_of(value), place_), spec, spec.align);
    if (is_among(spec.type, "eEfFgG")) return real_formatted(number_of(value), spec);
    if (is_among(spec.type, "iu")) spec.type = 'd';
    if (is_whole(value)) return whole_formatted(whole_of(value), spec);
    if (!(std::abs(number_of(value)) < 9e18)) fail_at(place_, "form_needs_number", std::string("%d"), described(value));
    return whole_formatted(static_cast<std::int64_t>(number_of(value)), spec);
  }

  std::string as_text(const Value& value, Spec spec) {
    const std::string text = spec.type == 's' || spec.type == 'c' ? text_of(interpreter_, value, place_)
                                                                  : repr_of(interpreter_, value, place_);
    spec.fill = " ";
    return filled_text(spec.precision < 0 ? text : cut(text, spec.precision), spec, spec.align == '<' ? '<' : '>');
  }

  Interpreter& interpreter_;
  const std::string& form_;
  const Value& arguments_;
  const Place& place_;
  std::size_t at_ = 0, next_ = 0;
  bool is_named_ = false;
};

// ── "{} {name[0].size:>{width}}".format(…) ───────────────────────────────────────────────────────────────────────────

class BraceForm {
 public:
  BraceForm(Interpreter& interpreter, const std::vector<Value>& values, const Dictionary& named, const Place& place)
      : interpreter_(interpreter), values_(values), named_(named), place_(place) {}

  // `depth` is that of the braces around: a spec may have places of its own, which have none in theirs.
  std::string written(std::string_view form, int depth) {
    std::string text;
    for (std::size_t at = 0; at < form.size(); ++at) {
      const bool is_twice = at + 1 < form.size() && form[at + 1] == form[at];
      if ((form[at] == '{' || form[at] == '}') && is_twice && depth == 0)
        text += form[at++];
      else if (form[at] == '{')
        text += place(form, at, depth);
      else if (form[at] == '}')
        fail_at(place_, "format_brace_unpaired");
      else
        text += form[at];
    }
    return text;
  }

 private:
  std::string place(std::string_view form, std::size_t& at, int depth) {
    std::size_t end = at + 1;
    for (int open = 1; end < form.size(); ++end) {
      open += form[end] == '{' ? 1 : form[end] == '}' ? -1 : 0;
      if (open == 0) break;
    }
    if (end >= form.size() || depth > 1) fail_at(place_, "format_brace_unpaired");
    const std::string_view inner = form.substr(at + 1, end - at - 1);
    at = end;
    const std::size_t colon = std::min(inner.find(':'), inner.size());
    std::string_view field = inner.substr(0, colon);
    char conversion = 0;
    if (const std::size_t mark = field.find('!'); mark != std::string_view::npos && mark + 2 == field.size())
      conversion = field[mark + 1], field = field.substr(0, mark);
    Value value = found(field);
    if (conversion == 'r' || conversion == 'a') value = repr_of(interpreter_, value, place_);
    if (conversion == 's') value = text_of(interpreter_, value, place_);
    const std::string spec = colon < inner.size() ? written(inner.substr(colon + 1), depth + 1) : "";
    return formatted(interpreter_, value, spec, place_);
  }

  // The value of "", "0", "name", "name.attribute" or "name[0]".
  Value found(std::string_view field) {
    std::size_t end = std::min(field.find_first_of(".["), field.size());
    Value value = first(std::string(field.substr(0, end)));
    while (end < field.size()) {
      if (field[end] == '.') {
        const std::size_t next = std::min(field.find_first_of(".[", end + 1), field.size());
        value = interpreter_.attribute(value, std::string(field.substr(end + 1, next - end - 1)), place_);
        end = next;
      } else {
        const std::size_t close = field.find(']', end);
        if (close == std::string_view::npos) fail_at(place_, "format_brace_unpaired");
        value = item(value, std::string(field.substr(end + 1, close - end - 1)));
        end = close + 1;
      }
    }
    return value;
  }

  static bool is_count(const std::string& text) {
    return !text.empty() && text.size() < 6 &&
           std::ranges::all_of(text, [](char each) { return each >= '0' && each <= '9'; });
  }

  Value first(const std::string& name) {
    if (!name.empty() && !is_count(name)) {
      const Value* value = named_.find(name);
      if (!value) interpreter_.raise_key_error(name, place_);
      return *value;
    }
    const std::size_t i = name.empty() ? next_++ : static_cast<std::size_t>(std::stoi(name));
    if (i >= values_.size()) fail_at(place_, "form_has_too_many_places", std::string("{") + name + "}");
    return values_[i];
  }

  Value item(const Value& value, const std::string& key) {
    const Value* found = value.is<Dict>() ? (*value.as<Dict>())->find(key) : nullptr;
    if (found) return *found;
    const std::vector<Value>* items = items_of(value);
    if (items && is_count(key) && static_cast<std::size_t>(std::stoi(key)) < items->size())
      return (*items)[static_cast<std::size_t>(std::stoi(key))];
    interpreter_.raise_key_error(key, place_);
  }

  Interpreter& interpreter_;
  const std::vector<Value>& values_;
  const Dictionary& named_;
  const Place& place_;
  std::size_t next_ = 0;
};

}  // namespace

std::string percent_formatted(Interpreter& interpreter, const std::string& form, const Value& arguments,
                              const Place& place) {
  interpreter.account().items(form.size(), place);
  return PercentForm(interpreter, form, arguments, place).written();
}

std::string brace_formatted(Interpreter& interpreter, const std::string& form, const std::vector<Value>& values,
                            const Dictionary& named, const Place& place) {
  interpreter.account().items(form.size(), place);
  return BraceForm(interpreter, values, named, place).written(form, 0);
}

}  // namespace unroll::program
